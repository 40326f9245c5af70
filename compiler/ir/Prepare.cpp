//===- Prepare.cpp - one self-contained function for each kernel ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "ir/Prepare.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"
#include "ir/ByteFunctions.h"
#include "ir/Passes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace khalc {

namespace {

/// On a callee whose calls have all been inlined, so that no later entry looks at it again.
constexpr StringLiteral flatAttribute = "khal-flat";

/// The function that a call reaches, through aliases; null for one through a pointer.
Function *calleeOf(const CallBase &call) {
  return dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// An undefined function that only ever ends the program.
bool endsProgram(const Function &function) {
  if (!function.isDeclaration() || function.isIntrinsic())
    return false;
  StringRef name = function.getName();
  return (name.starts_with("_ZSt") && name.contains("__throw_")) ||
         StringSwitch<bool>(name)
#define KHAL_PROGRAM_END(name, symbol) .Case(symbol, true)
#include "ir/ProgramEnds.def"
             .Case("__cxa_pure_virtual", true)
             .Default(false);
}

/// What Clang calls for C's complex numbers where real arithmetic doesn't do; null for other names.
const char *complexOperation(StringRef name) {
  return StringSwitch<const char *>(name)
      .Cases({"__mulhc3", "__mulsc3", "__muldc3"}, "multiplication")
      .Cases({"__divhc3", "__divsc3", "__divdc3"}, "division")
      .Default(nullptr);
}

class Inliner {
public:
  Inliner(Function &entry, diag::Engine &diagnostics, InlineMode mode)
      : entry(entry), diagnostics(diagnostics), mode(mode) {}

  bool run() {
    if (!flatten(entry))
      return false;
    // Function pointers that fold and dead calls only vanish with simplification.
    for (unsigned round = 0; mode == InlineMode::KeepCode && !findUnresolved().empty(); ++round) {
      if (round == maxRounds)
        break;
      simplify(entry);
      if (!flatten(entry))
        return false;
    }
    return reportUnresolved();
  }

private:
  static constexpr unsigned maxRounds = 4;

  /// Inlines all that can be inlined into `function`, after doing the same in its callees.
  bool flatten(Function &function) {
    if (function.hasFnAttribute(flatAttribute))
      return true;
    active.push_back(&function);
    replaceProgramEnds(function);
    for (bool first = true;; first = false) {
      SmallVector<CallBase *> calls = inlinableCalls(function);
      if (calls.empty() && !first)
        break;
      for (CallBase *call : calls)
        if (!inlineOne(*call))
          return false;
      if (mode == InlineMode::Simplify)
        simplify(function);
      else if (calls.empty())
        break;
    }
    active.pop_back();
    if (&function != &entry)
      function.addFnAttr(flatAttribute);
    return true;
  }

  static SmallVector<CallBase *> inlinableCalls(Function &function) {
    SmallVector<CallBase *> calls;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = calleeOf(*call); callee && !callee->isDeclaration())
          calls.push_back(call);
    return calls;
  }

  bool inlineOne(CallBase &call) {
    Function *callee = calleeOf(call);
    if (is_contained(active, callee)) {
      diagnostics.report(diag::Id::recursive_call, call, {demangle(callee->getName())});
      return false;
    }
    if (!flatten(*callee))
      return false;
    call.setCalledOperand(callee);
    InlineFunctionInfo info;
    std::string name = demangle(callee->getName());
    InlineResult result = InlineFunction(call, info, /*MergeAttributes=*/true);
    if (!result.isSuccess()) {
      diagnostics.report(diag::Id::not_inlinable, call, {name, result.getFailureReason()});
      return false;
    }
    return true;
  }

  static void replaceProgramEnds(Function &function) {
    SmallVector<CallBase *> ends;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = calleeOf(*call); callee && endsProgram(*callee))
          ends.push_back(call);
    for (CallBase *call : ends) {
      IRBuilder<>(call).CreateIntrinsic(Intrinsic::trap, {});
      // What follows goes to a block of its own, which nothing reaches any more.
      BasicBlock *block = call->getParent();
      block->splitBasicBlock(call->getIterator());
      block->getTerminator()->eraseFromParent();
      new UnreachableInst(function.getContext(), block);
    }
    if (!ends.empty())
      removeUnreachableBlocks(function);
  }

  void simplify(Function &function) {
    FunctionAnalysisManager &analyses = passes().functions;
    analyses.invalidate(function, PreservedAnalyses::none());
    simplification.run(function, analyses);
  }

  Passes &passes() {
    if (!passesIfMade)
      passesIfMade = std::make_unique<Passes>();
    return *passesIfMade;
  }

  struct Unresolved {
    CallBase *call;
    Function *callee; ///< null for a call through a pointer
  };

  /// What a target's entry itself calls and lowers later, and what Clang calls where --sanitize finds
  /// undefined behaviour; no C++ function has such names.
  static bool isInternal(const Function &callee) {
    return callee.getName().starts_with("khal.") || callee.getName().starts_with("__ubsan_handle_");
  }

  SmallVector<Unresolved> findUnresolved() {
    SmallVector<Unresolved> unresolved;
    for (Instruction &instruction : instructions(entry)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm())
        continue;
      Function *callee = calleeOf(*call);
      if (callee && (callee->isIntrinsic() || builtinFor(*callee) || isMathFunction(*callee) ||
                     isInternal(*callee)))
        continue;
      unresolved.push_back({call, callee});
    }
    return unresolved;
  }

  bool reportUnresolved() {
    SmallVector<Unresolved> unresolved = findUnresolved();
    for (const Unresolved &one : unresolved) {
      const StringRef name = one.callee ? one.callee->getName() : "";
      if (const char *operation = complexOperation(name))
        diagnostics.report(diag::Id::complex_arithmetic, *one.call, {operation});
      else if (one.callee)
        diagnostics.report(diag::Id::undefined_function, *one.call, {demangle(name)});
      else
        diagnostics.report(diag::Id::indirect_call, *one.call);
    }
    return unresolved.empty();
  }

  Function &entry;
  diag::Engine &diagnostics;
  InlineMode mode;
  SmallVector<Function *> active;
  FunctionPassManager simplification = Passes::simplification();
  std::unique_ptr<Passes> passesIfMade;
};

/// The index builtins in `function`, with the dimension that each asks for if it is a constant.
template <typename Visit> void forEachIndexBuiltin(Function &function, Visit visit) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || call->arg_size() != 1)
      continue;
    if (std::optional<Builtin> builtin = builtinCalled(*call))
      visit(*call, *builtin);
  }
}

} // namespace

bool inlineEverything(Function &entry, diag::Engine &diagnostics, InlineMode mode) {
  defineByteFunctions(*entry.getParent());
  return Inliner(entry, diagnostics, mode).run();
}

DebugLoc giveDebugScope(Function &entry, const Function &body) {
  DISubprogram *called = body.getSubprogram();
  if (!called)
    return DebugLoc();
  DISubprogram *scope = DISubprogram::getDistinct(
      entry.getContext(), called->getScope(), called->getName(), entry.getName(), called->getFile(),
      called->getLine(), called->getType(), called->getScopeLine(),
      /*ContainingType=*/nullptr, /*VirtualIndex=*/0, /*ThisAdjustment=*/0, DINode::FlagArtificial,
      called->getSPFlags(), called->getUnit());
  entry.setSubprogram(scope);
  return DILocation::get(entry.getContext(), called->getScopeLine(), 0, scope);
}

bool isMathFunction(const Function &function) {
  Type *result = function.getReturnType();
  if (function.arg_empty() ||
      !(result->isFloatingPointTy() || result->isIntegerTy() || result->isVoidTy()))
    return false;
  Type *argument = function.getArg(0)->getType();
  if (!argument->isFloatTy() && !argument->isDoubleTy())
    return false;
  StringRef name = function.getName();
  if (argument->isFloatTy() && !name.consume_back("f"))
    return false;
  return StringSwitch<bool>(name)
#define KHAL_MATH_FUNCTION(name) .Case(#name, true)
#include "ir/MathFunctions.def"
      .Default(false);
}

void specialiseForGroupSize(Function &entry, const std::array<uint32_t, 3> &groupSize) {
  forEachIndexBuiltin(entry, [&](CallBase &call, Builtin builtin) {
    IRBuilder<> builder(&call);
    Value *dimension = call.getArgOperand(0);
    if (builtin == Builtin::GroupSize) {
      Value *size = builder.getInt32(groupSize[2]);
      for (unsigned d : {1u, 0u})
        size = builder.CreateSelect(builder.CreateICmpEQ(dimension, builder.getInt32(d)),
                                    builder.getInt32(groupSize[d]), size);
      call.replaceAllUsesWith(size);
      call.eraseFromParent();
    } else if (builtin == Builtin::LocalId) {
      uint32_t limit = *std::max_element(groupSize.begin(), groupSize.end());
      if (auto *constant = dyn_cast<ConstantInt>(dimension);
          constant && constant->getValue().ult(3))
        limit = groupSize[constant->getZExtValue()];
      call.addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, limit)));
    }
  });
}

void keepOnly(Module &module, ArrayRef<Function *> entries) {
  // What would keep the rest alive: start-up lists and Clang's own "used" markers.
  for (StringRef list :
       {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *variable = module.getNamedGlobal(list))
      variable->eraseFromParent();
  for (GlobalValue &value : module.global_values()) {
    auto *function = dyn_cast<Function>(&value);
    if (value.isDeclaration() || (function && is_contained(entries, function)))
      continue;
    value.setLinkage(GlobalValue::InternalLinkage);
    value.setVisibility(GlobalValue::DefaultVisibility);
    value.setDSOLocal(true);
    if (auto *object = dyn_cast<GlobalObject>(&value))
      object->setComdat(nullptr);
  }
  Passes passes;
  GlobalDCEPass().run(module, passes.modules);
}

} // namespace khalc
