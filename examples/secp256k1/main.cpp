//===- main.cpp - checks the device's points against published ones ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For learning and testing: the time that a multiplication takes depends on the scalar, which real
// signing must not let happen.
//
//===---------------------------------------------------------------------------------------------===//

#include "../common/example.hpp"

#include "multiply.khal.hpp"
#include "vectors.hpp"

#include <iterator>

using secp256k1::Number;
using secp256k1::Point;

namespace {

Number from_hex(std::string_view text) {
  Number number{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::uint32_t digit = 0;
    std::from_chars(&text[i], &text[i] + 1, digit, 16);
    const std::size_t place = text.size() - 1 - i;
    number.limb[place / 8] |= digit << (place % 8 * 4);
  }
  return number;
}

} // namespace

int main(int argc, char **argv) {
  return example::run(
      argc, argv, "secp256k1: multiples of the curve's base point",
      {{"count", "1024", "how many scalars, published ones first"}}, [](example::Context &context) {
        const std::uint32_t count = context.number("count", 1, 1u << 20);
        std::vector<Number> scalars;
        for (const secp256k1::Vector &vector : secp256k1::vectors)
          scalars.push_back(from_hex(vector.k));
        const std::size_t known = std::size(secp256k1::vectors);
        example::Random random(5);
        while (scalars.size() < count || scalars.size() < known) {
          Number scalar{};
          for (std::uint32_t &limb : scalar.limb)
            limb = static_cast<std::uint32_t>(random.bits());
          scalar.limb[7] >>= 1; // below the curve's order
          scalars.push_back(scalar);
        }

        const khal::Buffer<Number> deviceScalars = context.device.upload(scalars);
        khal::Buffer<Point> devicePoints = context.device.buffer<Point>(scalars.size());
        const double seconds = context.time([&] {
          kernels::secp256k1::multiply_base(context.stream, khal::threads(scalars.size()),
                                            deviceScalars, devicePoints);
        });
        const std::vector<Point> points = devicePoints.download();
        std::printf("  did   %zu multiplications in %.3f ms, %.0f a second\n", points.size(),
                    seconds * 1e3, static_cast<double>(points.size()) / seconds);

        std::size_t right = 0;
        for (std::size_t i = 0; i < known; ++i)
          right += points[i] ==
                   Point{from_hex(secp256k1::vectors[i].x), from_hex(secp256k1::vectors[i].y)};
        context.check(std::to_string(right) + " of " + std::to_string(known) +
                          " published test vectors",
                      right == known);

        const std::size_t others = points.size() - known;
        std::size_t onCurve = 0, same = 0;
        for (std::size_t i = known; i < points.size(); ++i) {
          onCurve += secp256k1::is_on_curve(points[i]);
          same += points[i] == secp256k1::multiple_of_base(scalars[i]);
        }
        context.check(std::to_string(onCurve) + " of " + std::to_string(others) +
                          " random multiples are on the curve",
                      onCurve == others);
        context.check(std::to_string(same) + " of " + std::to_string(others) +
                          " random multiples are the host's",
                      same == others);
      });
}
