//===- PrivateMemory.h - how much memory a work-item has of its own ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_PRIVATEMEMORY_H
#define KHALC_IR_PRIVATEMEMORY_H

#include <cstdint>

namespace llvm {
class Function;
}

namespace khalc {

namespace diag {
class Engine;
}

/// Bytes of local variables that a work-item may have: CUDA gives at most 512 KiB, and on the CPU
/// those of all lanes of a vector share a thread's stack.
inline constexpr uint64_t maxPrivateBytes = 256u << 10;

/// Reports a kernel whose local variables need more than maxPrivateBytes, at the largest of them.
/// To be called after optimisation: what is left there is needed. False after a report.
bool checkPrivateMemory(const llvm::Function &kernel, diag::Engine &diagnostics);

/// Makes plain accesses of atomic ones on local variables, which no other work-item sees: GPUs have
/// no atomics on that memory.
///
///   %old = atomicrmw add ptr %local, i32 1   =>   load, add, store
void makePrivateAtomicsPlain(llvm::Function &kernel);

} // namespace khalc

#endif // KHALC_IR_PRIVATEMEMORY_H
