//===- main.cpp - a program that uses an installed khal -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include <khal/khal.hpp>

#include "scale.khal.hpp"
#include "shift.khal.hpp"

#include <cstdio>

int main() {
  const khal::Device device;
  khal::Stream stream(device);
  khal::Buffer<unsigned> values = device.upload<unsigned>({1, 2, 3});
  kernels::scale(stream, khal::threads(3), values);
  kernels::shift(stream, khal::threads(3), values);
  for (unsigned value : values.download())
    std::printf("%u ", value);
  std::printf("on %s\n", device.info().id.c_str());
}
