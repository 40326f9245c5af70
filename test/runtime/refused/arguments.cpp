//===- arguments.cpp - calls that must not compile, one for each REFUSED ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without REFUSED everything here compiles. CMakeLists.txt says which words each case must fail with.
//
//===------------------------------------------------------------------------------------------===//
#include <khal/khal.hpp>

struct Cell {
  float value;
};

void kernel(khal::Stream &stream, khal::Grid grid, khal::Arg<float> written,
            khal::Arg<const float> read, khal::Ref<Cell> cell, float factor);

#ifndef REFUSED
#define REFUSED 0
#endif

void calls(const khal::Device &device, khal::Stream &s, std::vector<float> &values) {
  const khal::Grid grid = khal::threads(values.size());
  khal::Buffer<float> a = device.upload(values);
  const khal::Buffer<float> b = device.upload(values);
  khal::Buffer<Cell> cell = device.zeros<Cell>(1);
  const khal::Buffer<Cell> const_cell = device.zeros<Cell>(1);
  const khal::Slice<float> slice = a.slice(1, 2);
  const khal::Slice<const float> const_slice = b.slice(1, 2);
  khal::Buffer<int> ints = device.zeros<int>(1);

#if REFUSED == 0
  kernel(s, grid, a, b, cell, 1);
  kernel(s, grid, slice, const_slice, cell.slice(0, 1), 1);
  kernel(s, grid, a.slice(1), slice, cell, 1);
  kernel(s, grid, a, device.upload(values), cell, 1);
  khal::Slice<const float> view = a;
  view = b;
  view = slice;
#elif REFUSED == 1
  kernel(s, grid, b, b, cell, 1); // const buffer for a written one
#elif REFUSED == 2
  kernel(s, grid, const_slice, b, cell, 1); // slice of const elements for a written one
#elif REFUSED == 3
  kernel(s, grid, a, ints, cell, 1); // another element type
#elif REFUSED == 4
  kernel(s, grid, values, b, cell, 1); // host memory
#elif REFUSED == 5
  kernel(s, grid, device.upload(values), b, cell, 1); // a result that nobody could see
#elif REFUSED == 6
  kernel(s, grid, a, b, const_cell, 1); // const for a reference
#elif REFUSED == 7
  kernel(s, grid, a, b, cell); // too few
#elif REFUSED == 8
  kernel(s, grid, a, b, cell, 1, 2); // too many
#elif REFUSED == 9
  kernel(s, values.size(), a, b, cell, 1); // a number for a grid
#elif REFUSED == 10
  const_slice.fill(1); // writing what may only be read
#elif REFUSED == 11
  device.upload(std::vector<std::string>(1)); // not bytes
#elif REFUSED == 12
  khal::Buffer<const float> c; // nothing could ever write it
#elif REFUSED == 13
  b.fill(1); // a const buffer
#elif REFUSED == 14
  khal::Buffer<float> copy = a; // by accident
#endif
}
