//===- Functions.h - maths functions: kernels, references and limits --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_MATHS_FUNCTIONS_H
#define KHAL_TEST_MATHS_FUNCTIONS_H

#include <khal/khal.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

/// khalc's --fp.
enum class Mode { byDefault, strict, fast };
inline constexpr std::array modes{Mode::byDefault, Mode::strict, Mode::fast};

/// What a limit may depend on.
struct Circumstances {
  double x = 0;
  bool isStrict = false;
  bool fusesFma = true;    ///< whether the device has fused multiply-adds
  bool losesLanes = false; ///< whether it loses values in loops that lanes leave one by one
};

/// What results of type T are compared with.
template <class T> using Exact = std::conditional_t<std::is_same_v<T, float>, double, __float128>;

/// A function of one or two T. Those of one take no notice of `y`.
template <class T> struct FunctionOf {
  /// By mode: out[i] = f(x[i], y[i]) on the stream.
  using Launch = void (*)(khal::Stream &, const khal::Buffer<T> &x, const khal::Buffer<T> &y,
                          khal::Buffer<T> &out);
  std::array<Launch, modes.size()> launch;
  void (*exact)(std::span<const T> x, std::span<const T> y, std::span<Exact<T>> out);
  /// The error that tests allow, in units in the last place; not for Mode::fast.
  double (*limit)(const Circumstances &);
};

struct Function {
  const char *name;
  bool takesTwo;
  FunctionOf<float> ofFloat;
  FunctionOf<double> ofDouble;
};

/// All of sweep.def.
const std::vector<Function> &functions();

/// x[i] = the float whose bits are first + i * step.
void makeFloats(khal::Stream &stream, std::uint32_t first, std::uint32_t step,
                khal::Buffer<float> &x);

#endif // KHAL_TEST_MATHS_FUNCTIONS_H
