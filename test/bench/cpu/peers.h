//===- peers.h - what the benchmark compares with ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_CPU_PEERS_H
#define KHAL_TEST_BENCH_CPU_PEERS_H

#include <cstdint>

/// The kernels as loops under `#pragma omp simd`, compiled by Clang for this machine.
namespace openmp {
void triad(float *a, const float *b, const float *c, float s, std::uint32_t n);
void nbody(const float *x, const float *y, const float *z, const float *mass, float *ax, float *ay,
           float *az, std::uint32_t n);
void mandelbrot(std::int32_t *counts, std::uint32_t width, std::int32_t most);
void black_scholes(const float *price, const float *strike, const float *years, float *call,
                   float rate, float volatility, std::uint32_t n);
void matmul(const float *a, const float *b, float *c, std::uint32_t n);
} // namespace openmp

#ifdef KHAL_BENCH_ISPC
/// The kernels in ISPC.
extern "C" {
void ispc_triad(float *a, const float *b, const float *c, float s, std::uint32_t n);
void ispc_nbody(const float *x, const float *y, const float *z, const float *mass, float *ax,
                float *ay, float *az, std::uint32_t n);
void ispc_mandelbrot(std::int32_t *counts, std::uint32_t width, std::int32_t most);
void ispc_black_scholes(const float *price, const float *strike, const float *years, float *call,
                        float rate, float volatility, std::uint32_t n);
void ispc_matmul(const float *a, const float *b, float *c, std::uint32_t n);
}
#endif

#endif // KHAL_TEST_BENCH_CPU_PEERS_H
