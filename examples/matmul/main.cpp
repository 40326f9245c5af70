//===- main.cpp - matrix products checked against double precision ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "../common/example.hpp"

#include "matmul.khal.hpp"

#include <cmath>
#include <limits>

namespace {

/// The product in double precision, and for each element the sum of the terms' magnitudes.
struct Reference {
  std::vector<double> product, magnitude;
};

Reference multiply(const std::vector<float> &a, const std::vector<float> &b,
                   const MatmulSizes &sizes) {
  const std::size_t elements = std::size_t{sizes.m} * sizes.n;
  Reference result{std::vector<double>(elements), std::vector<double>(elements)};
  for (std::size_t row = 0; row < sizes.m; ++row)
    for (std::size_t i = 0; i < sizes.k; ++i)
      for (std::size_t column = 0; column < sizes.n; ++column) {
        const double term = double{a[row * sizes.k + i]} * double{b[i * sizes.n + column]};
        result.product[row * sizes.n + column] += term;
        result.magnitude[row * sizes.n + column] += std::abs(term);
      }
  return result;
}

/// The largest error as a share of what rounding k products and k sums in any order may cause.
double worst_share(const std::vector<float> &result, const Reference &reference, std::uint32_t k) {
  const double allowed = 0.5 * (k + 1) * double{std::numeric_limits<float>::epsilon()};
  example::Worst worst;
  for (std::size_t i = 0; i < result.size(); ++i)
    worst.add(std::abs(double{result[i]} - reference.product[i]) /
              (allowed * reference.magnitude[i]));
  return worst.value();
}

} // namespace

int main(int argc, char **argv) {
  return example::run(
      argc, argv, "matmul: c = a * b, naive and in 16 x 16 tiles",
      {{"m", "509", "rows of a and c"},
       {"k", "383", "columns of a, rows of b"},
       {"n", "449", "columns of b and c"}},
      [](example::Context &context) {
        const MatmulSizes sizes{context.number("m", 1, 16384), context.number("k", 1, 16384),
                                context.number("n", 1, 16384)};
        std::vector<float> a(std::size_t{sizes.m} * sizes.k), b(std::size_t{sizes.k} * sizes.n);
        example::Random random(2);
        for (float &value : a)
          value = random.unit();
        for (float &value : b)
          value = random.unit();
        const Reference reference = multiply(a, b, sizes);

        const khal::Buffer<float> deviceA = context.device.upload(a);
        const khal::Buffer<float> deviceB = context.device.upload(b);
        const khal::Grid grid = khal::threads(sizes.n, sizes.m);
        auto measure = [&](const char *name, auto kernel) {
          khal::Buffer<float> deviceC = context.device.zeros<float>(std::size_t{sizes.m} * sizes.n);
          const double seconds =
              context.time([&] { kernel(context.stream, grid, deviceA, deviceB, deviceC, sizes); });
          const double share = worst_share(deviceC.download(), reference, sizes.k);
          std::printf("  did   %s: %u x %u x %u in %.3f ms, %.1f GFLOP/s\n", name, sizes.m, sizes.k,
                      sizes.n, seconds * 1e3, 2.0 * sizes.m * sizes.k * sizes.n / seconds * 1e-9);
          char text[120];
          std::snprintf(text, sizeof text,
                        "%s: against double precision, the worst error is %.2g of the allowed",
                        name, share);
          context.check(text, share <= 1);
        };
        measure("naive", [](auto &...arguments) { kernels::matmul_naive(arguments...); });
        measure("tiled", [](auto &...arguments) { kernels::matmul_tiled(arguments...); });
      });
}
