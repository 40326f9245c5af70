//===- GroupAtomics.h - atomics that no other thread can see ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_GROUPATOMICS_H
#define KHALC_TARGET_CPU_GROUPATOMICS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace khalc::cpu {

/// Says of the item function's atomics in memory that only its group sees that they are for the
/// group: in vectors of addresses that can't be told any more.
void narrowSharedAtomics(llvm::Function &item, llvm::ArrayRef<llvm::Argument *> groupMemory);

/// A group's work-items take turns on one thread, so nothing can come between the parts of an
/// access to work-group memory:
///
///   atomicrmw add ptr %shared, i32 1   =>   load; add; store
///
/// Atomics on all other memory are for every thread to see. Comes after the work-item loops, whose
/// iterations these accesses make dependent on each other.
void simplifyGroupAtomics(llvm::Function &group, const llvm::Argument &shared);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_GROUPATOMICS_H
