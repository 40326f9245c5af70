//===- Sweep.cpp - the worst errors of maths functions on a device ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// maths_sweep [STEP]: runs every function on the device that KHAL_DEVICE names, for every STEP-th
// float there is and as many random doubles, and prints a row of docs/maths.md for each: the worst
// error in units in the last place. STEP 1 takes all 2^32. Fails when a function is off by more than
// sweep.def allows. Subnormal arguments and results aren't counted: devices may take them for zero.
//
//===-------------------------------------------------------------------------------------------===//
#include "sweep.khal.hpp"

#include <khal/kernel.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <quadmath.h>
#include <random>
#include <vector>

namespace {

using Quad = __float128;

/// The error of `got` in units of T's last place at `right`, which is of a wider type.
template <class T, class Exact> double units(T got, Exact right) {
  if (right != right)
    return got != got ? 0 : std::numeric_limits<double>::infinity();
  const Exact most = std::numeric_limits<T>::max(), size = right < 0 ? -right : right;
  if (size < std::numeric_limits<T>::min()) // flushed or not, it is small
    return std::abs(got) <= std::numeric_limits<T>::min()
               ? 0
               : std::abs(got) / std::numeric_limits<T>::min();
  if (std::isinf(got) || size > most) {
    const bool agree = (std::isinf(got) || std::abs(got) == std::numeric_limits<T>::max()) &&
                       size > most * (1 - 4 * std::numeric_limits<T>::epsilon()) &&
                       std::signbit(got) == (right < 0);
    return agree ? 0 : std::numeric_limits<double>::infinity();
  }
  if (got != got)
    return std::numeric_limits<double>::infinity();
  int exponent;
  std::frexp(static_cast<T>(size), &exponent);
  const double unit = std::ldexp(1.0, exponent - std::numeric_limits<T>::digits);
  const Exact error = Exact(got) - right;
  return static_cast<double>((error < 0 ? -error : error) / unit);
}

/// The worst error, and the error that was most beyond its limit with the arguments it was for.
template <class T> struct Worst {
  double error = 0;
  double excess = 0; ///< an error as a part of its limit
  T x = 0, y = 0;
};

/// Batches of numbers of every kind: any bits for one-operand functions of float; random bits and
/// random moderate numbers, by turns, for all others.
class Sweep {
public:
  explicit Sweep(std::uint64_t step) : step(step) {}

  khal::Device device;
  khal::Stream stream{device};
  bool failed = false;

  template <class Launch, class Exact, class Limit>
  Worst<float> everyFloat(Launch launch, Exact exact, Limit limit) {
    Worst<float> worst;
    std::vector<float> x;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += step) {
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      if (value == 0 || std::abs(value) >= std::numeric_limits<float>::min() || value != value)
        x.push_back(value);
      if (x.size() == batch || bits + step >= std::uint64_t{1} << 32) {
        compare<float>(x, x, worst, launch, exact, limit);
        x.clear();
      }
    }
    return worst;
  }

  template <class T, class Launch, class Exact, class Limit>
  Worst<T> random(Launch launch, Exact exact, Limit limit) {
    Worst<T> worst;
    std::mt19937_64 bits(1);
    const auto number = [&](std::uint64_t turn) {
      if (turn == 0) {
        const std::uint64_t raw = bits();
        T value;
        std::memcpy(&value, &raw, sizeof value);
        return std::abs(value) < std::numeric_limits<T>::min() ? T(0) : value;
      }
      const double scale = turn == 1 ? 2 : turn == 2 ? 40 : 1000;
      return static_cast<T>((static_cast<double>(bits() >> 11) * 0x1p-52 - 1) * scale);
    };
    std::uint64_t left = std::min<std::uint64_t>((std::uint64_t{1} << 32) / step, 20'000'000);
    while (left > 0) {
      const std::uint64_t count = std::min<std::uint64_t>(left, batch);
      std::vector<T> x, y;
      for (std::uint64_t i = 0; i < count; ++i) {
        x.push_back(number(i % 4));
        y.push_back(number(i / 4 % 4));
      }
      compare<T>(x, y, worst, launch, exact, limit);
      left -= count;
    }
    return worst;
  }

  template <class T> void report(const char *name, const Worst<T> &worst) {
    const bool isGood = worst.excess <= 1;
    failed |= !isGood;
    std::printf(" %.2f |%s", worst.error, isGood ? "" : " <!-- too much -->");
    if (!isGood)
      std::fprintf(stderr, "%s is off by %g of what is allowed at %.17g (%a), %.17g\n", name,
                   worst.excess, static_cast<double>(worst.x), static_cast<double>(worst.x),
                   static_cast<double>(worst.y));
  }

private:
  static constexpr std::size_t batch = 1 << 20;

  template <class T, class Launch, class Exact, class Limit>
  void compare(const std::vector<T> &x, const std::vector<T> &y, Worst<T> &worst, Launch launch,
               Exact exact, Limit limit) {
    const khal::Buffer<T> deviceX = device.upload(x), deviceY = device.upload(y);
    khal::Buffer<T> out = device.zeros<T>(x.size());
    launch(deviceX, deviceY, out);
    stream.wait();
    const std::vector<T> got = out.download();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double error = units(got[i], exact(x[i], y[i]));
      worst.error = std::max(worst.error, error);
      const double excess = error / limit(static_cast<double>(x[i]));
      if (excess > worst.excess) {
        worst.excess = excess;
        worst.x = x[i];
        worst.y = y[i];
      }
    }
  }

  std::uint64_t step;
};

} // namespace

int main(int argc, char **argv) {
  Sweep sweep(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1021);
  const auto grid = khal::groups(1024);
  constexpr bool isStrict = KHAL_SWEEP_STRICT;
  const bool fusesFma = sweep.device.info().name.find("llvmpipe") == std::string::npos;
  std::printf("| function | float | double |\n|---|---|---|\n");
#define SWEEP_1(name, exact, exact64, limit, limit64)                                              \
  std::printf("| `" #name "` |");                                                                  \
  sweep.report(#name, sweep.everyFloat(                                                            \
                          [&](const auto &x, const auto &, auto &out) {                            \
                            kernels::sweep::name(sweep.stream, grid, x, out);                      \
                          },                                                                       \
                          [](double x, double) -> double { return exact; },                        \
                          [&]([[maybe_unused]] double x) -> double { return limit; }));            \
  sweep.report(#name, sweep.random<double>(                                                        \
                          [&](const auto &x, const auto &, auto &out) {                            \
                            kernels::sweep::name##_64(sweep.stream, grid, x, out);                 \
                          },                                                                       \
                          [](Quad x, Quad) -> Quad { return exact64; },                            \
                          [](double) -> double { return limit64; }));                              \
  std::printf("\n");                                                                               \
  std::fflush(stdout);
#define SWEEP_2(name, exact, exact64, limit, limit64)                                              \
  std::printf("| `" #name "` |");                                                                  \
  sweep.report(#name, sweep.random<float>(                                                         \
                          [&](const auto &x, const auto &y, auto &out) {                           \
                            kernels::sweep::name(sweep.stream, grid, x, y, out);                   \
                          },                                                                       \
                          [](double x, double y) -> double { return exact; },                      \
                          [](double) -> double { return limit; }));                                \
  sweep.report(#name, sweep.random<double>(                                                        \
                          [&](const auto &x, const auto &y, auto &out) {                           \
                            kernels::sweep::name##_64(sweep.stream, grid, x, y, out);              \
                          },                                                                       \
                          [](Quad x, Quad y) -> Quad { return exact64; },                          \
                          [](double) -> double { return limit64; }));                              \
  std::printf("\n");                                                                               \
  std::fflush(stdout);
#include "sweep.def"
  return sweep.failed;
}
