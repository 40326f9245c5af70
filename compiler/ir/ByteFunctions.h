//===- ByteFunctions.h - C's functions on bytes, with bodies ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::equal, std::array's == and std::find of bytes call memcmp and memchr, which devices lack.
// memcpy, memmove and memset are intrinsics, which each target lowers itself.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_BYTEFUNCTIONS_H
#define KHALC_IR_BYTEFUNCTIONS_H

namespace llvm {
class Module;
}

namespace khalc {

/// Gives memcmp, bcmp and memchr bodies, under names that LLVM doesn't know. Call it before
/// anything is optimised: memcmp becomes bcmp then.
void defineByteFunctions(llvm::Module &module);

} // namespace khalc

#endif // KHALC_IR_BYTEFUNCTIONS_H
