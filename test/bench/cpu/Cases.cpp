//===- Cases.cpp - what is compared, and on which data ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Cases.h"

#include "kernels.khal.hpp"
#include "peers.h"

#include <bit>
#include <cstring>
#include <random>
#include <tuple>

namespace bench {

namespace {

using i8 = std::int8_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;

#ifdef KHAL_BENCH_ISPC
#define KHAL_BENCH_PEERS(name) openmp::name, ispc_##name
#else
#define KHAL_BENCH_PEERS(name) openmp::name, nullptr
#endif

constexpr Fill zero{};
constexpr Fill unit{Fill::Kind::Floats, 0, 1};
constexpr Fill bothSigns{Fill::Kind::Floats, -1, 1};
constexpr Fill bits{Fill::Kind::Bits};

// Sums are in different orders, and some functions are approximate.
constexpr Agreement equal{};
constexpr Agreement near(double tolerance) {
  return {Agreement::Kind::Near, tolerance};
}
// Points on the edge of the Mandelbrot set may go either way.
constexpr Agreement mostly{Agreement::Kind::Mostly, 1e-3};

u32 word(float value) {
  return std::bit_cast<u32>(value);
}

/// A case on buffers of the types T: `launch` is khal's, given the stream and the buffers; `call`
/// calls either peer, given it, the rows and the buffers.
template <class... T, class Launch, class Call, class Peer, class Ispc>
Case on(Case one, Launch launch, Peer openmp, Ispc ispc, Call call) {
  one.elementBytes = {sizeof(T)...};
  one.khal = [=, result = one.result](const khal::Device &device, const std::vector<Bytes> &start) {
    auto all = std::make_shared<std::tuple<khal::Buffer<T>...>>();
    auto stream = std::make_shared<khal::Stream>(device);
    std::size_t next = 0;
    auto upload = [&]<class U>(khal::Buffer<U> &buffer) {
      const Bytes &bytes = start[next++];
      buffer = device.upload(
          std::span<const U>(reinterpret_cast<const U *>(bytes.data()), bytes.size() / sizeof(U)));
    };
    std::apply([&](auto &...buffer) { (upload(buffer), ...); }, *all);
    return Contender{"khal",
                     [=] {
                       std::apply([&](auto &...buffer) { launch(*stream, buffer...); }, *all);
                       stream->wait();
                     },
                     [=] {
                       Bytes bytes;
                       std::size_t number = 0;
                       auto take = [&](const auto &buffer) {
                         if (number++ != result)
                           return;
                         const auto values = buffer.download();
                         bytes.resize(buffer.size_bytes());
                         std::memcpy(bytes.data(), values.data(), bytes.size());
                       };
                       std::apply([&](const auto &...buffer) { (take(buffer), ...); }, *all);
                       return bytes;
                     }};
  };
  auto rowsOf = [call](auto peer) -> Rows {
    return [=](const std::vector<void *> &buffers, u32 first, u32 last) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        call([&](auto... arguments) { peer(arguments..., first, last); },
             static_cast<T *>(buffers[I])...);
      }(std::index_sequence_for<T...>());
    };
  };
  one.openmp = rowsOf(openmp);
  if constexpr (!std::is_same_v<Ispc, std::nullptr_t>)
    one.ispc = rowsOf(ispc);
  return one;
}

Case triad(u32 n) {
  const float s = 3;
  return on<float, float, float>(
      {.name = "triad",
       .buffers = {{n, zero}, {n, unit}, {n, unit}},
       .agreement = near(1e-6),
       .rows = n,
       .values = {word(s)},
       .groups = {n / 256, 1, 1},
       .groupSize = {256, 1, 1}},
      [=](auto &stream, auto &a, auto &b, auto &c) {
        kernels::triad(stream, khal::threads(n), a, b, c, s);
      },
      KHAL_BENCH_PEERS(triad), [=](auto peer, float *a, float *b, float *c) { peer(a, b, c, s); });
}

Case nbody(u32 n) {
  return on<float, float, float, float, float, float, float>(
      {.name = "nbody",
       .buffers = {{n, bothSigns},
                   {n, {Fill::Kind::Floats, -2, 1}},
                   {n, {Fill::Kind::Floats, -1, 3}},
                   {n, unit},
                   {n, zero},
                   {n, zero},
                   {n, zero}},
       .result = 4,
       .agreement = near(1e-2),
       .rows = n,
       .values = {n},
       .groups = {n / 256, 1, 1},
       .groupSize = {256, 1, 1}},
      [=](auto &stream, auto &...buffer) { kernels::nbody(stream, khal::threads(n), buffer...); },
      KHAL_BENCH_PEERS(nbody), [=](auto peer, auto *...buffer) { peer(buffer..., n); });
}

Case matmulNaive(u32 n) {
  return on<float, float, float>(
      {.name = "matmul_naive",
       .buffers = {{n * n, bothSigns}, {n * n, bothSigns}, {n * n, zero}},
       .result = 2,
       .agreement = near(1e-3),
       .rows = n,
       .values = {n},
       .groups = {n / 64, n, 1},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &a, auto &b, auto &c) {
        kernels::matmul_naive(stream, khal::threads(n, n), a, b, c, n);
      },
      KHAL_BENCH_PEERS(matmul_naive), [=](auto peer, auto *...buffer) { peer(buffer..., n); });
}

Case matmulTiled(u32 n) {
  return on<float, float, float>(
      {.name = "matmul_tiled",
       .buffers = {{n * n, bothSigns}, {n * n, bothSigns}, {n * n, zero}},
       .result = 2,
       .agreement = near(1e-3),
       .rows = n / 16,
       .values = {n},
       .groups = {n / 16, n / 16, 1},
       .groupSize = {16, 16, 1}},
      [=](auto &stream, auto &a, auto &b, auto &c) {
        kernels::matmul_tiled(stream, khal::threads(n, n), a, b, c, n);
      },
      KHAL_BENCH_PEERS(matmul_tiled), [=](auto peer, auto *...buffer) { peer(buffer..., n); });
}

Case mandelbrot(u32 width) {
  const i32 most = 100;
  return on<i32>(
      {.name = "mandelbrot",
       .buffers = {{width * width, zero}},
       .agreement = mostly,
       .rows = width,
       .values = {width, static_cast<u32>(most)},
       .groups = {width / 64, width, 1},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &counts) {
        kernels::mandelbrot(stream, khal::threads(width, width), counts, width, most);
      },
      KHAL_BENCH_PEERS(mandelbrot), [=](auto peer, i32 *counts) { peer(counts, width, most); });
}

Case blackScholes(u32 n) {
  const float rate = 0.02f, volatility = 0.3f;
  return on<float, float, float, float>(
      {.name = "black_scholes",
       .buffers = {{n, {Fill::Kind::Floats, 5, 30}},
                   {n, {Fill::Kind::Floats, 1, 100}},
                   {n, {Fill::Kind::Floats, 0.25f, 10}},
                   {n, zero}},
       .result = 3,
       .agreement = near(1e-3),
       .rows = n,
       .values = {word(rate), word(volatility)},
       .groups = {n / 256, 1, 1},
       .groupSize = {256, 1, 1}},
      [=](auto &stream, auto &...buffer) {
        kernels::black_scholes(stream, khal::threads(n), buffer..., rate, volatility);
      },
      KHAL_BENCH_PEERS(black_scholes),
      [=](auto peer, auto *...buffer) { peer(buffer..., rate, volatility); });
}

Case stencil2d(u32 side) {
  return on<float, float>(
      {.name = "stencil2d",
       .buffers = {{side * side, unit}, {side * side, zero}},
       .result = 1,
       .agreement = near(1e-5),
       .rows = side,
       .values = {side, side},
       .groups = {side / 64, side, 1},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &from, auto &to) {
        kernels::stencil2d(stream, khal::threads(side, side), from, to, side, side);
      },
      KHAL_BENCH_PEERS(stencil2d),
      [=](auto peer, float *from, float *to) { peer(from, to, side, side); });
}

Case stencil3d(u32 n) {
  return on<float, float>(
      {.name = "stencil3d",
       .buffers = {{n * n * n, unit}, {n * n * n, zero}},
       .result = 1,
       .agreement = near(1e-5),
       .rows = n,
       .values = {n},
       .groups = {n / 64, n, n},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &from, auto &to) {
        kernels::stencil3d(stream, khal::threads(n, n, n), from, to, n);
      },
      KHAL_BENCH_PEERS(stencil3d), [=](auto peer, float *from, float *to) { peer(from, to, n); });
}

Case sobel(u32 side) {
  return on<float, float>(
      {.name = "sobel",
       .buffers = {{side * side, unit}, {side * side, zero}},
       .result = 1,
       .agreement = near(1e-4),
       .rows = side,
       .values = {side, side},
       .groups = {side / 64, side, 1},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &from, auto &to) {
        kernels::sobel(stream, khal::threads(side, side), from, to, side, side);
      },
      KHAL_BENCH_PEERS(sobel),
      [=](auto peer, float *from, float *to) { peer(from, to, side, side); });
}

Case histogram(u32 chunks) {
  const u32 chunk = 1u << 16;
  return on<u32, u32>(
      {.name = "histogram",
       .buffers = {{chunks * chunk, bits}, {chunks * 256, zero}},
       .result = 1,
       .agreement = equal,
       .rows = chunks,
       .values = {chunk},
       .groups = {chunks, 1, 1},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &words, auto &bins) {
        kernels::histogram(stream, khal::groups(chunks), words, bins, chunk);
      },
      KHAL_BENCH_PEERS(histogram),
      [=](auto peer, u32 *words, u32 *bins) { peer(words, bins, chunk); });
}

Case reduction(u32 chunks) {
  const u32 chunk = 1u << 14;
  return on<float, float>(
      {.name = "reduction",
       .buffers = {{chunks * chunk, unit}, {chunks, zero}},
       .result = 1,
       .agreement = near(1e-3),
       .rows = chunks,
       .values = {chunk},
       .groups = {chunks, 1, 1},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &values, auto &sums) {
        kernels::reduction(stream, khal::groups(chunks), values, sums, chunk);
      },
      KHAL_BENCH_PEERS(reduction),
      [=](auto peer, float *values, float *sums) { peer(values, sums, chunk); });
}

Case scan(u32 rows) {
  return on<u32, u32>(
      {.name = "scan",
       .buffers = {{rows * 256, bits}, {rows * 256, zero}},
       .result = 1,
       .agreement = equal,
       .rows = rows,
       .groups = {rows, 1, 1},
       .groupSize = {256, 1, 1}},
      [=](auto &stream, auto &values, auto &sums) {
        kernels::scan(stream, khal::groups(rows), values, sums);
      },
      KHAL_BENCH_PEERS(scan), [=](auto peer, u32 *values, u32 *sums) { peer(values, sums); });
}

Case softmax(u32 rows) {
  const u32 columns = 2048;
  return on<float, float>(
      {.name = "softmax",
       .buffers = {{rows * columns, unit}, {rows * columns, zero}},
       .result = 1,
       .agreement = near(1e-4),
       .rows = rows,
       .values = {columns},
       .groups = {rows, 1, 1},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &from, auto &to) {
        kernels::softmax(stream, khal::groups(rows), from, to, columns);
      },
      KHAL_BENCH_PEERS(softmax),
      [=](auto peer, float *from, float *to) { peer(from, to, columns); });
}

Case matmulInt8(u32 n) {
  return on<i8, i8, i32>(
      {.name = "matmul_int8",
       .buffers = {{n * n, bits}, {n * n, bits}, {n * n, zero}},
       .result = 2,
       .agreement = equal,
       .rows = n,
       .values = {n},
       .groups = {n / 64, n, 1},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &a, auto &b, auto &c) {
        kernels::matmul_int8(stream, khal::threads(n, n), a, b, c, n);
      },
      KHAL_BENCH_PEERS(matmul_int8), [=](auto peer, auto *...buffer) { peer(buffer..., n); });
}

Case sha256(u32 blocks) {
  return on<u32, u32>(
      {.name = "sha256",
       .buffers = {{blocks * 16, bits}, {blocks * 8, zero}},
       .result = 1,
       .agreement = equal,
       .rows = blocks,
       .groups = {blocks / 64, 1, 1},
       .groupSize = {64, 1, 1}},
      [=](auto &stream, auto &from, auto &to) {
        kernels::sha256(stream, khal::threads(blocks), from, to);
      },
      KHAL_BENCH_PEERS(sha256), [=](auto peer, u32 *from, u32 *to) { peer(from, to); });
}

} // namespace

std::vector<Case> allCases(u32 divide) {
  return {triad((1u << 24) / divide), nbody(16384 / divide),     matmulNaive(1024 / divide),
          matmulTiled(1024 / divide), mandelbrot(2048 / divide), blackScholes((4u << 20) / divide),
          stencil2d(4096 / divide),   stencil3d(256 / divide),   sobel(4096 / divide),
          histogram(64 / divide),     reduction(1024 / divide),  scan((1u << 16) / divide),
          softmax(4096 / divide),     matmulInt8(1024 / divide), sha256((1u << 18) / divide)};
}

std::vector<Bytes> contents(const Case &one) {
  std::vector<Bytes> all;
  std::mt19937 random(7);
  for (std::size_t number = 0; number < one.buffers.size(); ++number) {
    const auto &[count, fill] = one.buffers[number];
    Bytes bytes(count * one.elementBytes[number]);
    for (std::size_t at = 0; fill.kind != Fill::Kind::Zero && at + 4 <= bytes.size(); at += 4) {
      u32 value = static_cast<u32>(random());
      if (fill.kind == Fill::Kind::Floats)
        value = word(fill.low + (fill.high - fill.low) * static_cast<float>(value >> 8) * 0x1p-24f);
      std::memcpy(&bytes[at], &value, 4);
    }
    all.push_back(std::move(bytes));
  }
  return all;
}

} // namespace bench
