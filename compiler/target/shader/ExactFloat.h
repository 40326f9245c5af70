//===- ExactFloat.h - division and square root correctly rounded ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_EXACTFLOAT_H
#define KHALC_TARGET_SHADER_EXACTFLOAT_H

namespace llvm {
class Function;
}

namespace khalc::shader {

/// Replaces division and square root of float and half by correctly rounded ones. Vulkan allows
/// its own 2.5 units in the last place and more (Vulkan specification, "Precision of Individual
/// Operations"), and subnormals as zero.
///
/// The quotient, or root, of the significands is estimated natively and corrected with its exact
/// remainder in 32-bit integers; the result is put together from its bits. double stays native.
void expandExactFloat(llvm::Function &function);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_EXACTFLOAT_H
