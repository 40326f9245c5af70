//===- misuse.cpp - launches that must not compile ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MISUSE chooses one; CMakeLists.txt says what the compiler must answer. 0 is right.
//
//===---------------------------------------------------------------------------------------------===//

#include "forms.khal.hpp"

void misuse(khal::Stream &stream, khal::Buffer<float> &floats, khal::Buffer<double> &doubles,
            khal::Buffer<std::uint32_t> &words, const khal::Buffer<std::uint32_t> &constWords,
            khal::Buffer<std::int32_t> &integers) {
  using namespace kernels::forms;
  const khal::Grid grid = khal::groups(1);
#if MISUSE == 0
  spans(stream, grid, floats, doubles, words);
  handle(stream, grid, {integers, 1});
#elif MISUSE == 1  // another element type
  spans(stream, grid, floats, floats, words);
#elif MISUSE == 2  // a const buffer for one that is written
  spans(stream, grid, floats, doubles, constWords);
#elif MISUSE == 3  // a slice of const elements for one that is written
  spans(stream, grid, floats, doubles, constWords.slice(0, 1));
#elif MISUSE == 4  // too few arguments
  spans(stream, grid, floats, doubles);
#elif MISUSE == 5  // too many arguments
  spans(stream, grid, floats, doubles, words, words);
#elif MISUSE == 6  // host memory
  std::vector<std::uint32_t> host(1);
  spans(stream, grid, floats, doubles, host);
#elif MISUSE == 7  // no such instance
  instance<double, 1, ::forms::Twice, false>(stream, grid, doubles, 1.0);
#elif MISUSE == 8  // a temporary for one that is written
  spans(stream, grid, floats, doubles, khal::Buffer<std::uint32_t>());
#elif MISUSE == 9  // a struct of buffers with another element type
  handle(stream, grid, {floats, 1});
#elif MISUSE == 10 // a buffer for a value
  names(stream, grid, words, words, 1, words);
#elif MISUSE == 11 // no grid
  spans(stream, floats, doubles, words);
#elif MISUSE == 12 // a number for the length of a shared span
  tiled(stream, grid, 4, words);
#else
#error "no such misuse"
#endif
  (void)floats, (void)doubles, (void)words, (void)constWords, (void)integers;
}
