//===- peers.h - what the benchmark compares with ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_CPU_PEERS_H
#define KHAL_TEST_BENCH_CPU_PEERS_H

#include <cstdint>

/// A kernel as a loop under `#pragma omp simd`, compiled by Clang for this machine, and in ISPC.
/// Both do rows (elements, chunks …) `first` to `last - 1`, so that threads can share them out.
#define KHAL_BENCH_PEER(name, ...)                                                                 \
  namespace openmp {                                                                               \
  void name(__VA_ARGS__, std::uint32_t first, std::uint32_t last);                                 \
  }                                                                                                \
  extern "C" void ispc_##name(__VA_ARGS__, std::uint32_t first, std::uint32_t last);

KHAL_BENCH_PEER(triad, float *a, const float *b, const float *c, float s)
KHAL_BENCH_PEER(nbody, const float *x, const float *y, const float *z, const float *mass, float *ax,
                float *ay, float *az, std::uint32_t n)
KHAL_BENCH_PEER(matmul_naive, const float *a, const float *b, float *c, std::uint32_t n)
KHAL_BENCH_PEER(matmul_tiled, const float *a, const float *b, float *c, std::uint32_t n)
KHAL_BENCH_PEER(mandelbrot, std::int32_t *counts, std::uint32_t width, std::int32_t most)
KHAL_BENCH_PEER(black_scholes, const float *price, const float *strike, const float *years,
                float *call, float rate, float volatility)
KHAL_BENCH_PEER(stencil2d, const float *from, float *to, std::uint32_t width, std::uint32_t height)
KHAL_BENCH_PEER(stencil3d, const float *from, float *to, std::uint32_t n)
KHAL_BENCH_PEER(sobel, const float *from, float *to, std::uint32_t width, std::uint32_t height)
KHAL_BENCH_PEER(histogram, const std::uint32_t *words, std::uint32_t *bins, std::uint32_t chunk)
KHAL_BENCH_PEER(reduction, const float *values, float *sums, std::uint32_t chunk)
KHAL_BENCH_PEER(scan, const std::uint32_t *values, std::uint32_t *sums)
KHAL_BENCH_PEER(softmax, const float *from, float *to, std::uint32_t columns)
KHAL_BENCH_PEER(matmul_int8, const std::int8_t *a, const std::int8_t *b, std::int32_t *c,
                std::uint32_t n)
KHAL_BENCH_PEER(sha256, const std::uint32_t *blocks, std::uint32_t *digests)
#undef KHAL_BENCH_PEER

#endif // KHAL_TEST_BENCH_CPU_PEERS_H
