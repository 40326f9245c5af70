//===- Maths.h - maths functions that PTX has no instruction for ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX has square roots, rounding and fused multiply-add, and no correctly rounded sine or
// logarithm. Those come from a library of bitcode: the CUDA toolkit's libdevice where there is a
// toolkit, else libclc's. Only what a file needs is read and linked.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_MATHS_H
#define KHALC_TARGET_NVPTX_MATHS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace khalc::diag {
class Engine;
}

namespace khalc::nvptx {

/// Lowers the maths of `entries`, whole kernels after inlining:
///
///   call float @llvm.sin.f32(%x)   =>  call float @__nv_sinf(%x), defined in the module
///   call float @floorf(%x)         =>  call float @llvm.floor.f32(%x)
///   call i64 @llvm.lround(%x)      =>  fptosi (call @llvm.round(%x))
///
/// False, and said so, if a library is needed and none is found.
bool lowerMaths(llvm::Module &module, llvm::ArrayRef<llvm::Function *> entries,
                diag::Engine &diagnostics);

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_MATHS_H
