//===- main.cpp - runs the kernel that the debugger test steps through ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "kernel.khal.hpp"

#include <khal/khal.hpp>

#include <cstdio>
#include <vector>

int main() {
  khal::Device device = khal::open("cpu");
  const std::vector<std::uint32_t> numbers = {7, 11, 13, 17, 19, 23, 29, 31};
  khal::Buffer<std::uint32_t> in = device.upload(numbers);
  khal::Buffer<std::uint32_t> out = device.zeros<std::uint32_t>(numbers.size());
  khal::Stream stream(device);
  kernels::doubled(stream, khal::threads(numbers.size()), out, in);
  stream.wait();
  std::printf("last: %u\n", out.download().back());
}
