//===- Prepare.h - one self-contained function for each kernel --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every target starts from an entry function that calls KernelInfo::bodyFunction and makes of it
// one function without calls:
//
//   entry(args) { body(&a, &b); }         =>   entry(args) { all that the kernel does }
//   body(a, b) { helper(*a); barrier(); }
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_PREPARE_H
#define KHALC_IR_PREPARE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/DebugLoc.h"

#include <array>
#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace khalc {

namespace diag {
class Engine;
}

/// How much inlineEverything() may change besides inlining.
enum class InlineMode {
  Simplify, ///< functions are simplified on the way, so that what is inlined often is small
  KeepCode  ///< for -O0: variables stay in memory, as the debugger wants them
};

/// Inlines into `entry` every call to a function that has a definition, callees first. What may
/// remain are calls to intrinsics, device builtins (ir/Builtins.def), a target's own `khal.…`
/// functions, inline assembly and the C maths functions that isMathFunction() knows. Calls that end the program by undefined
/// functions (`std::__throw_…`, `abort`, `__assert_fail`) become llvm.trap. Anything else that is
/// undefined, recursive or called through a pointer is reported at the call, and the result is
/// false. Callees are changed on the way (calls within them are inlined too), so that the next
/// entry finds them done.
bool inlineEverything(llvm::Function &entry, diag::Engine &diagnostics,
                      InlineMode mode = InlineMode::Simplify);

/// Makes `entry`, which calls `body`, part of the source for debug locations: without it the calls
/// that are inlined would lose their chain. Gives the location for what `entry` holds itself; none
/// if `body` has no debug information.
llvm::DebugLoc giveDebugScope(llvm::Function &entry, const llvm::Function &body);

/// True for a C library maths function by name and signature: `cbrtf`, `hypot`, …
bool isMathFunction(const llvm::Function &function);

/// Tells `entry` its group size: group_size() becomes constants, local_id() gets a range.
/// Call it after inlineEverything() and before the optimiser runs.
void specialiseForGroupSize(llvm::Function &entry, const std::array<uint32_t, 3> &groupSize);

/// Removes from `module` every function and variable that no function in `entries` needs.
void keepOnly(llvm::Module &module, llvm::ArrayRef<llvm::Function *> entries);

} // namespace khalc

#endif // KHALC_IR_PREPARE_H
