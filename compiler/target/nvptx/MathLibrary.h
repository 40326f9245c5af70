//===- MathLibrary.h - where the maths functions' code comes from -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_MATHLIBRARY_H
#define KHALC_TARGET_NVPTX_MATHLIBRARY_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace llvm {
class FunctionType;
class Module;
} // namespace llvm

namespace khalc::diag {
class Engine;
}

namespace khalc::nvptx {

/// A library of maths functions in bitcode.
class MathLibrary {
public:
  /// Looks for libdevice below CUDA_PATH, CUDA_HOME and /usr/local/cuda, then for libclc.
  static std::optional<MathLibrary> find();

  /// The library's name for a C function: "sin" of a float is "__nv_sinf" or "_Z3sinf".
  std::string symbol(llvm::StringRef function, llvm::FunctionType *type) const;

  /// Links into `module` what it declares and the library defines, for inlining.
  bool linkInto(llvm::Module &module, diag::Engine &diagnostics) const;

private:
  enum class Kind { LibDevice, LibClc };
  MathLibrary(Kind kind, std::string path) : kind(kind), path(std::move(path)) {}

  Kind kind;
  std::string path;
};

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_MATHLIBRARY_H
