//===- picture.cpp - pictures in memory and in files, by libpng and libjpeg -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "picture.hpp"

#include "../common/example.hpp"

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <jpeglib.h>
#include <png.h>

namespace {

struct CloseFile {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const std::string &path, const std::string &why) {
  throw std::runtime_error(path + ": " + why);
}

Picture read_png(const std::string &path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str()))
    fail(path, image.message);
  image.format = PNG_FORMAT_RGBA;
  Picture picture{image.width, image.height, {}};
  picture.pixels.resize(std::size_t{image.width} * image.height);
  if (!png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr))
    fail(path, image.message);
  return picture;
}

/// libjpeg reports errors by a function that must not return.
struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX];

  static void leave(j_common_ptr info) {
    auto *self = reinterpret_cast<JpegErrors *>(info->err);
    self->base.format_message(info, self->text);
    std::longjmp(self->back, 1);
  }
};

/// The part of reading that libjpeg may leave by a jump: nothing in it has a destructor, and what
/// it makes is its caller's. False after an error, which is then in `errors`.
bool read_jpeg_rows(std::FILE *file, jpeg_decompress_struct &info, JpegErrors &errors,
                    Picture &picture, std::vector<JSAMPLE> &row) {
  if (setjmp(errors.back))
    return false;
  jpeg_create_decompress(&info);
  jpeg_stdio_src(&info, file);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_EXT_RGBA;
  info.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&info);
  picture.width = info.output_width;
  picture.height = info.output_height;
  picture.pixels.resize(std::size_t{picture.width} * picture.height);
  row.resize(std::size_t{picture.width} * sizeof(khal::uchar4));
  while (info.output_scanline < info.output_height) {
    khal::uchar4 *target = &picture.pixels[std::size_t{info.output_scanline} * picture.width];
    JSAMPROW rows[] = {row.data()};
    jpeg_read_scanlines(&info, rows, 1);
    std::memcpy(target, row.data(), row.size());
  }
  jpeg_finish_decompress(&info);
  return true;
}

Picture read_jpeg(const std::string &path, std::FILE *file) {
  JpegErrors errors{};
  jpeg_decompress_struct info{};
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = JpegErrors::leave;
  Picture picture;
  std::vector<JSAMPLE> row;
  const bool done = read_jpeg_rows(file, info, errors, picture, row);
  jpeg_destroy_decompress(&info);
  if (!done)
    fail(path, errors.text);
  return picture;
}

} // namespace

Picture read_picture(const std::string &path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file)
    fail(path, std::strerror(errno));
  unsigned char begin[8] = {};
  const std::size_t size = std::fread(begin, 1, sizeof begin, file.get());
  if (size == sizeof begin && png_sig_cmp(begin, 0, sizeof begin) == 0)
    return read_png(path);
  if (size >= 2 && begin[0] == 0xff && begin[1] == 0xd8) {
    std::rewind(file.get());
    return read_jpeg(path, file.get());
  }
  fail(path, "neither a PNG nor a JPEG file");
}

void write_grey_png(const std::string &path, std::uint32_t width, std::uint32_t height,
                    const std::vector<std::uint8_t> &pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_GRAY;
  if (!png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr))
    fail(path, image.message);
}

Picture draw_picture(std::uint32_t width, std::uint32_t height) {
  Picture picture{width, height, {}};
  picture.pixels.reserve(std::size_t{width} * height);
  example::Random random(6);
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x) {
      // Triangle waves of three lengths make the skyline; grain and stripes lie on the hills.
      auto wave = [&](std::uint32_t length) {
        const std::uint32_t phase = x % length;
        return phase < length / 2 ? phase : length - phase;
      };
      const std::uint32_t skyline = height / 3 + wave(1733) / 4 + wave(397) / 5 + wave(61) / 6;
      const auto grain = static_cast<std::uint32_t>(random.bits() >> 60);
      if (y < skyline)
        picture.pixels.push_back({static_cast<std::uint8_t>(90 + 60 * y / height),
                                  static_cast<std::uint8_t>(140 + 60 * y / height),
                                  static_cast<std::uint8_t>(220 + grain / 4), 255});
      else
        picture.pixels.push_back({static_cast<std::uint8_t>(40 + (x * 3 + y * 5) % 53 + grain),
                                  static_cast<std::uint8_t>(80 + (y - skyline) % 97 + grain),
                                  static_cast<std::uint8_t>(30 + ((x ^ y) & 31) + grain), 255});
    }
  return picture;
}
