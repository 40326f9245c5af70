//===- kernels.h - kernels that need no khalc, with stubs as khalc writes them ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is written three times: in C++ (kernels.cpp), in GLSL and in PTX (kernels/).
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_RUNTIME_KERNELS_H
#define KHAL_TEST_RUNTIME_KERNELS_H

#include <khal/khal.hpp>

namespace test {

using khal::Arg;
using khal::Grid;
using khal::Ref;
using khal::Stream;
using u32 = std::uint32_t;

struct Coefficients {
  float c[40];
};

extern const khal::abi::Kernel add_kernel, step_kernel, shift_kernel, bytes_kernel, wide_kernel,
    where_kernel, scale_kernel, spin_kernel, sum20_kernel, empty_kernel;
/// Stops the device that it runs on; there is only PTX of it.
extern const khal::abi::Kernel crash_kernel;

/// a[i] += b[i]; groups of 64
void add(Stream &stream, Grid grid, Arg<float> a, Arg<const float> b);
/// x[i] = x[i] * 3 + value; groups of 32
void step(Stream &stream, Grid grid, Arg<u32> x, u32 value);
/// to[i] = from[i] + 1, may_alias; groups of 32
void shift(Stream &stream, Grid grid, Arg<u32> to, Arg<const u32> from);
/// x[i] += 1; groups of 64
void bytes(Stream &stream, Grid grid, Arg<std::uint8_t> x);
/// y[i] = c[i % 40]; groups of 64
void wide(Stream &stream, Grid grid, Arg<float> y, const Coefficients &c);
/// Each item writes x | y << 8 | z << 16 | groups in x << 24 at its index; groups of 4 x 2 x 2
void where(Stream &stream, Grid grid, Arg<u32> out);
/// x[i] *= factor; groups of 64
void scale(Stream &stream, Grid grid, Arg<float> x, Ref<const float> factor);
/// `rounds` times x[i] = x[i] * 1664525 + 1013904223; groups of 32
void spin(Stream &stream, Grid grid, Arg<u32> x, u32 rounds);
/// Nothing; groups of 32
void empty(Stream &stream, Grid grid);
/// What spin() makes of a value.
u32 spun(u32 value, u32 rounds);

} // namespace test

#endif // KHAL_TEST_RUNTIME_KERNELS_H
