//===- Sanitizers.h - khalc's --sanitize ------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_KERNEL_SANITIZERS_H
#define KHALC_KERNEL_SANITIZERS_H

namespace khalc {

/// What the CPU's code checks while it runs, through the runtimes that Clang and GCC link into a
/// program with -fsanitize=address and -fsanitize=undefined.
struct Sanitizers {
  bool address = false;   ///< accesses outside of buffers, arrays and variables
  bool undefined = false; ///< overflows, shifts, divisions, null pointers, alignment

  bool any() const { return address || undefined; }
};

} // namespace khalc

#endif // KHALC_KERNEL_SANITIZERS_H
