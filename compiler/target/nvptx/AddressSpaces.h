//===- AddressSpaces.h - PTX state spaces, and the variables that belong to them --------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_ADDRESSSPACES_H
#define KHALC_TARGET_NVPTX_ADDRESSSPACES_H

#include <cstdint>

namespace llvm {
class Module;
}

namespace khalc::nvptx {

/// LLVM's numbers for PTX state spaces.
inline constexpr unsigned genericSpace = 0;
inline constexpr unsigned globalSpace = 1;
inline constexpr unsigned sharedSpace = 3;

/// Moves [[khal::shared]] variables to the shared state space and all others to the global one:
///
///   @tile = internal global … section "khal.shared"  =>  @tile = internal addrspace(3) global …
///   poison … use of @tile                                   =>  … use of addrspacecast @tile
void placeVariables(llvm::Module &module);

/// Work-group memory that `module`'s variables take, in bytes.
uint32_t sharedBytes(const llvm::Module &module);

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_ADDRESSSPACES_H
