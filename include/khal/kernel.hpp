//===- khal/kernel.hpp - what every kernel may use -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of every kernel file. Any C++20 compiler can parse it; khalc gives it its meaning.
// Beside it, for the kernels that need them, so that the others compile sooner:
//
//   | khal/kernel/matrix.hpp      | float4x4 and its kin                                          |
//   | khal/kernel/quaternion.hpp  | rotations                                                     |
//   | khal/kernel/pack.hpp        | packed integers and halves, dot4                              |
//   | khal/kernel/random.hpp      | Philox                                                        |
//   | khal/kernel/float_parts.hpp | ldexp, frexp, nextafter and others that take numbers apart    |
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_HPP
#define KHAL_KERNEL_HPP

// Other compilers don't know [[khal::kernel]] and its kin and should not fuss.
#if !defined(__KHAL__)
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunknown-attributes"
#elif defined(__GNUC__) && __GNUC__ >= 12
#pragma GCC diagnostic ignored_attributes "khal::"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wattributes"
#endif
#endif

#include "kernel/atomic.hpp"
#include "kernel/bf16.hpp"
#include "kernel/bits.hpp"
#include "kernel/group.hpp"
#include "kernel/index.hpp"
#include "kernel/math.hpp"
#include "kernel/range.hpp"
#include "kernel/scalar.hpp"
#include "kernel/shared_span.hpp"
#include "kernel/span.hpp"
#include "kernel/subgroup.hpp"
#include "kernel/sync.hpp"
#include "kernel/target.hpp"
#include "kernel/vector.hpp"

#endif // KHAL_KERNEL_HPP
