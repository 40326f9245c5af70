//===- main.cpp - runs kernels with and without a fault ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "kernels.khal.hpp"

#include <khal/khal.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

int main(int argc, char **argv) {
  const auto asked = [&](const char *fault) {
    return argc > 1 && std::strcmp(argv[1], fault) == 0;
  };
  khal::Device device = khal::open("cpu");
  khal::Stream stream(device);
  constexpr std::uint32_t count = 1000;
  const khal::Buffer<std::uint32_t> in = device.upload(std::vector<std::uint32_t>(count, 7));
  khal::Buffer<std::uint32_t> out = device.zeros<std::uint32_t>(count);
  kernels::shift(stream, khal::threads(count), out, in, asked("address") ? 1u : 0u);
  const khal::Buffer<std::int32_t> numbers =
      device.upload(std::vector<std::int32_t>(count, 1 << 20));
  khal::Buffer<std::int32_t> products = device.zeros<std::int32_t>(count);
  kernels::scale(stream, khal::threads(count), products, numbers, asked("undefined") ? 1 << 20 : 3);
  stream.wait();
  std::printf("done\n");
}
