//===- MathLibrary.cpp - maths functions of khal's own for shaders ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "target/shader/MathLibrary.h"

#include "ir/MathIntrinsics.h"
#include "ir/Prepare.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

// The bitcode of maths/Library.cpp.
asm(".pushsection .rodata\n"
    ".balign 16\n"
    "khalcMathsLibrary:\n"
    ".incbin \"" KHALC_MATHS_BITCODE "\"\n"
    "khalcMathsLibraryEnd:\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" {
extern const char khalcMathsLibrary[] __attribute__((visibility("hidden")));
extern const char khalcMathsLibraryEnd[] __attribute__((visibility("hidden")));
}

namespace khalc::shader {

namespace {

bool isInLibrary(StringRef name) {
  return StringSwitch<bool>(name)
#define MATHS_FUNCTION_1(name) .Case(#name, true)
#define MATHS_FUNCTION_2(name) .Case(#name, true)
#include "target/shader/maths/Functions.def"
      .Default(false);
}

bool hasFormByDevice(StringRef name) {
  return StringSwitch<bool>(name)
#define MATHS_FUNCTION_BY_DEVICE(name) .Case(#name, true)
#include "target/shader/maths/Functions.def"
      .Default(false);
}

/// The library's function that a call stands for, or "".
StringRef functionFor(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return "";
  if (StringRef name = mathFunctionFor(callee->getIntrinsicID()); !name.empty()) {
    // GLSL.std.450 has all of these but for double.
    const bool isApproximate =
        call.hasApproxFunc() && !call.getType()->getScalarType()->isDoubleTy();
    return isApproximate ? "" : name;
  }
  if (!callee->isDeclaration() || !isMathFunction(*callee))
    return "";
  StringRef name = callee->getName();
  if (callee->getArg(0)->getType()->isFloatTy())
    name = name.drop_back();
  return isInLibrary(name) ? name : "";
}

class Lowering {
public:
  explicit Lowering(Module &module) : module(module) {}

  void replace(CallInst &call, StringRef function) {
    IRBuilder<> builder(&call);
    SmallVector<Value *> arguments(call.args());
    // Under --fp=strict nothing may be fused.
    byDevice = call.hasAllowContract() && hasFormByDevice(function);
    call.replaceAllUsesWith(emit(builder, function, arguments, call.getType()));
    call.eraseFromParent();
  }

private:
  Value *emit(IRBuilder<> &builder, StringRef function, ArrayRef<Value *> arguments, Type *type) {
    if (auto *vector = dyn_cast<FixedVectorType>(type)) {
      Value *whole = PoisonValue::get(type);
      for (unsigned i = 0; i < vector->getNumElements(); ++i) {
        SmallVector<Value *> elements;
        for (Value *argument : arguments)
          elements.push_back(builder.CreateExtractElement(argument, i));
        whole = builder.CreateInsertElement(
            whole, emit(builder, function, elements, vector->getElementType()), i);
      }
      return whole;
    }
    if (type->isHalfTy() || type->isBFloatTy()) {
      SmallVector<Value *> wide;
      for (Value *argument : arguments)
        wide.push_back(builder.CreateFPExt(argument, builder.getFloatTy()));
      return builder.CreateFPTrunc(emit(builder, function, wide, builder.getFloatTy()), type);
    }
    StringRef form = type->isDoubleTy() ? ".f64" : byDevice ? ".device.f32" : ".f32";
    std::string name = ("khal.maths." + function + form).str();
    SmallVector<Type *> parameters(arguments.size(), type);
    FunctionCallee callee =
        module.getOrInsertFunction(name, FunctionType::get(type, parameters, false));
    CallInst *result = builder.CreateCall(callee, arguments);
    // Clang's own for functions of this target.
    result->setCallingConv(CallingConv::SPIR_FUNC);
    cast<Function>(callee.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
    return result;
  }

  Module &module;
  bool byDevice = false;
};

/// khalc carries the library, so that nothing here fails but by a fault of its build.
void linkLibrary(Module &module) {
  StringRef bytes(khalcMathsLibrary, static_cast<size_t>(khalcMathsLibraryEnd - khalcMathsLibrary));
  // Lazily: of its functions only those that get linked are ever read.
  std::unique_ptr<Module> library = cantFail(getLazyBitcodeModule(
      MemoryBufferRef(bytes, "maths"), module.getContext(), /*ShouldLazyLoadMetadata=*/true));
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(library), Linker::Flags::LinkOnlyNeeded))
    report_fatal_error("the maths library doesn't link");
}

} // namespace

bool lowerMaths(Function &entry) {
  SmallVector<std::pair<CallInst *, StringRef>> calls;
  for (Instruction &instruction : instructions(entry))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (StringRef function = functionFor(*call); !function.empty())
        calls.emplace_back(call, function);
  if (calls.empty())
    return false;
  Lowering lowering(*entry.getParent());
  for (auto [call, function] : calls)
    lowering.replace(*call, function);
  linkLibrary(*entry.getParent());
  return true;
}

} // namespace khalc::shader
