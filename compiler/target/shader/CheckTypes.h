//===- CheckTypes.h - only types that shaders have --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_CHECKTYPES_H
#define KHALC_TARGET_SHADER_CHECKTYPES_H

namespace llvm {
class Function;
}

namespace khalc::diag {
class Engine;
}

namespace khalc::shader {

/// Reports each instruction that computes with a floating-point type that no shader target has, such
/// as Clang's __bf16. Called on a function that is lowered otherwise: the writers after it take
/// every type that is left. False after a report.
bool checkTypes(const llvm::Function &function, diag::Engine &diagnostics);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_CHECKTYPES_H
