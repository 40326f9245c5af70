//===- NarrowAbs.h - absolute values of narrow integers ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_NARROWABS_H
#define KHALC_TARGET_NVPTX_NARROWABS_H

namespace llvm {
class Function;
}

namespace khalc::nvptx {

/// Makes absolute values of 8 and 16 bits ones of 32:
///
///   %a = call i16 @llvm.abs.i16(i16 %x)   =>   %w = sext i16 %x to i32
///                                              %a = trunc (call i32 @llvm.abs.i32(i32 %w)) to i16
///
/// The driver's compiler (580.159) merges `abs.s16` into a conversion to float that follows and then gets
/// the least number wrong: -32768 becomes 49152.
void widenNarrowAbs(llvm::Function &function);

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_NARROWABS_H
