//===- ParameterObjects.h - a kernel's parameters put together from buffers and block ------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_PARAMETEROBJECTS_H
#define KHALC_IR_PARAMETEROBJECTS_H

#include "kernel/KernelInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace khalc {

/// Emits at `builder` the objects that KernelInfo::bodyFunction takes the addresses of, and gives
/// those addresses in parameter order.
///
/// `buffers` are the buffer addresses in flattened order and `block` the address of the argument
/// block (may be null when blockSize is 0), `sharedSpans` the addresses of shared spans, all in the
/// default address space. A Value parameter is
/// the block itself at its offset; the others are allocas:
///
///   void k(span<float> a, Params p)   =>   %a = alloca {ptr, i32}; store buffers[0]; store len
///                                          %p = getelementptr i8, block, blockOffset(p)
llvm::SmallVector<llvm::Value *> buildParameterObjects(llvm::IRBuilderBase &builder,
                                                       const KernelInfo &kernel, DeviceAbi abi,
                                                       llvm::ArrayRef<llvm::Value *> buffers,
                                                       llvm::Value *block,
                                                       llvm::ArrayRef<llvm::Value *> sharedSpans);

/// Emits the shared spans' addresses behind `first`, which is aligned to abi::shared_span_alignment:
/// the lengths in `block` say where each ends.
llvm::SmallVector<llvm::Value *> placeSharedSpans(llvm::IRBuilderBase &builder,
                                                  const KernelInfo &kernel, llvm::Value *first,
                                                  llvm::Value *block);

} // namespace khalc

#endif // KHALC_IR_PARAMETEROBJECTS_H
