//===- MathLibrary.cpp - where the maths functions' code comes from ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/nvptx/MathLibrary.h"

#include "diag/Diagnostics.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace khalc::nvptx {

namespace {

constexpr StringLiteral libDevicePath = "nvvm/libdevice/libdevice.10.bc";
constexpr StringLiteral defaultToolkit = "/usr/local/cuda";
// Not nvptx64--nvidiacl.bc: that one calls libdevice in its turn.
constexpr StringLiteral libClcPaths[] = {"/usr/lib/clc/nvptx64--.bc",
                                         "/usr/share/clc/nvptx64--.bc"};

std::optional<std::string> libDeviceBelow(StringRef toolkit) {
  SmallString<128> path(toolkit);
  sys::path::append(path, libDevicePath);
  if (sys::fs::exists(path))
    return std::string(path);
  return std::nullopt;
}

/// How the Itanium ABI spells a parameter's type, for the few that occur.
StringRef mangled(Type *type) {
  if (type->isFloatTy())
    return "f";
  if (type->isDoubleTy())
    return "d";
  // The one function with an out-parameter, remquo, has an int there.
  if (type->isPointerTy())
    return "Pi";
  return "i";
}

void prepareForInlining(Function &function) {
  function.removeFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::OptimizeNone);
  function.addFnAttr(Attribute::AlwaysInline);
  // Left by the library's own build; the kernel's processor is what counts.
  function.removeFnAttr("target-cpu");
  function.removeFnAttr("target-features");
}

/// A function that is called and has no code, now that all is linked. What libdevice asks of the
/// compiler by __nvvm_reflect is answered later.
const Function *undefinedFunction(const Module &module) {
  for (const Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        function.getName() != "__nvvm_reflect")
      return &function;
  return nullptr;
}

} // namespace

std::optional<MathLibrary> MathLibrary::find() {
  for (StringRef variable : {"CUDA_PATH", "CUDA_HOME"})
    if (std::optional<std::string> toolkit = sys::Process::GetEnv(variable))
      if (std::optional<std::string> path = libDeviceBelow(*toolkit))
        return MathLibrary(Kind::LibDevice, *path);
  if (std::optional<std::string> path = libDeviceBelow(defaultToolkit))
    return MathLibrary(Kind::LibDevice, *path);
  for (StringRef path : libClcPaths)
    if (sys::fs::exists(path))
      return MathLibrary(Kind::LibClc, path.str());
  return std::nullopt;
}

std::string MathLibrary::symbol(StringRef function, FunctionType *type) const {
  switch (kind) {
  case Kind::LibDevice:
    return ("__nv_" + function + (type->getParamType(0)->isFloatTy() ? "f" : "")).str();
  case Kind::LibClc: {
    std::string name = ("_Z" + Twine(function.size()) + function).str();
    for (Type *parameter : type->params())
      name += mangled(parameter);
    return name;
  }
  }
  llvm_unreachable("both kinds are named above");
}

bool MathLibrary::linkInto(Module &module, diag::Engine &diagnostics) const {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer) {
    diagnostics.report(diag::Id::ptx_math_library_unreadable, {path, buffer.getError().message()});
    return false;
  }
  // Lazily: of its hundreds of functions only those that get linked are ever read.
  Expected<std::unique_ptr<Module>> library =
      getLazyBitcodeModule((*buffer)->getMemBufferRef(), module.getContext(),
                           /*ShouldLazyLoadMetadata=*/true);
  if (!library) {
    diagnostics.report(diag::Id::ptx_math_library_unreadable,
                       {path, toString(library.takeError())});
    return false;
  }
  // Built for "some NVPTX": neither differs in any way that matters.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());

  StringSet<> linked;
  bool failed = Linker::linkModules(module, std::move(*library), Linker::Flags::LinkOnlyNeeded,
                                    [&](Module &, const StringSet<> &names) { linked = names; });
  if (failed) {
    diagnostics.report(diag::Id::ptx_math_library_unreadable, {path, "it doesn't link"});
    return false;
  }
  if (const Function *missing = undefinedFunction(module)) {
    diagnostics.report(diag::Id::ptx_math_library_unreadable,
                       ArrayRef<std::string>({path, "it lacks " + missing->getName().str()}));
    return false;
  }
  for (const auto &name : linked)
    if (GlobalValue *value = module.getNamedValue(name.getKey()))
      value->setLinkage(GlobalValue::InternalLinkage);
  // All but the kernels is the library's: what was asked for and what that calls in its turn.
  for (Function &function : module)
    if (!function.isDeclaration() && function.getCallingConv() != CallingConv::PTX_Kernel)
      prepareForInlining(function);
  return true;
}

} // namespace khalc::nvptx
