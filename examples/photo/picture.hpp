//===- picture.hpp - pictures in memory and in files ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_EXAMPLES_PHOTO_PICTURE_HPP
#define KHAL_EXAMPLES_PHOTO_PICTURE_HPP

#include <khal/kernel/vector.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// Red, green, blue and opacity, row by row.
struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<khal::uchar4> pixels;
};

/// Reads a PNG or JPEG file, told apart by how it begins.
/// \throws std::runtime_error that says what is wrong with it.
Picture read_picture(const std::string &path);

/// Writes a grey PNG file of 8 bits a pixel.
/// \throws std::runtime_error when it can't.
void write_grey_png(const std::string &path, std::uint32_t width, std::uint32_t height,
                    const std::vector<std::uint8_t> &pixels);

/// A picture to fall back on: hills with fine structure under a sky, always the same.
Picture draw_picture(std::uint32_t width, std::uint32_t height);

#endif // KHAL_EXAMPLES_PHOTO_PICTURE_HPP
