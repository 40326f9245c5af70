//===- Names.h - identifiers for WGSL -------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_WGSL_NAMES_H
#define KHALC_SHADER_WGSL_NAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace khalc::wgsl {

/// Gives out identifiers that are legal and unique in one WGSL module. What the user called a thing
/// is kept as far as it can be: characters that WGSL doesn't take become underscores, reserved words
/// get one behind, and a name that was given before a number.
class Names {
public:
  /// A fresh identifier made of `wanted`, or of `otherwise` where that is empty.
  std::string fresh(llvm::StringRef wanted, llvm::StringRef otherwise);

private:
  llvm::StringSet<> given;
};

} // namespace khalc::wgsl

#endif // KHALC_SHADER_WGSL_NAMES_H
