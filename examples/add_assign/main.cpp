//===- main.cpp - adds one buffer to another, on any device -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "../common/example.hpp"

#include "add.khal.hpp"

int main(int argc, char **argv) {
  return example::run(argc, argv, "add_assign: a[i] += b[i] over floats",
                      {{"size", "4000000", "how many floats"}}, [](example::Context &context) {
                        const std::uint32_t size = context.number("size", 1, 1u << 28);
                        std::vector<float> a(size), b(size);
                        example::Random random(1);
                        for (std::uint32_t i = 0; i < size; ++i) {
                          a[i] = random.unit();
                          b[i] = random.unit();
                        }

                        khal::Buffer<float> deviceA = context.device.upload(a);
                        const khal::Buffer<float> deviceB = context.device.upload(b);
                        kernels::add_assign(context.stream, khal::threads(size), deviceA, deviceB);
                        context.stream.wait();
                        const std::vector<float> result = deviceA.download();

                        // One addition of two floats has one right answer.
                        std::uint32_t wrong = 0;
                        for (std::uint32_t i = 0; i < size; ++i)
                          wrong += result[i] != a[i] + b[i];

                        const double seconds = context.time([&] {
                          kernels::add_assign(context.stream, khal::threads(size), deviceA,
                                              deviceB);
                        });
                        std::printf("  did   %u additions in %.3f ms, %.1f GB/s\n", size,
                                    seconds * 1e3, 3.0 * sizeof(float) * size / seconds * 1e-9);
                        context.check(std::to_string(size - wrong) + " of " + std::to_string(size) +
                                          " sums equal the host's, bit for bit",
                                      wrong == 0);
                      });
}
