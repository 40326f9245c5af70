//===- main.cpp - a photograph's edges, found on any device -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "../common/example.hpp"

#include "photo.khal.hpp"
#include "picture.hpp"
#include "reference.hpp"

#include <filesystem>

namespace {

/// From Debian's package mate-backgrounds.
constexpr char default_photo[] = "/usr/share/backgrounds/mate/nature/TwoWings.jpg";

Picture load(const std::string &path, Size drawn) {
  if (path == "drawn" || (path == default_photo && !std::filesystem::exists(path))) {
    std::printf("  from  a drawn picture of %u x %u (Debian's mate-backgrounds has photographs)\n",
                drawn.width, drawn.height);
    return draw_picture(drawn.width, drawn.height);
  }
  Picture picture = read_picture(path);
  std::printf("  from  %s, %u x %u\n", path.c_str(), picture.width, picture.height);
  return picture;
}

std::size_t differences(const std::vector<std::uint8_t> &a, const std::vector<std::uint8_t> &b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    count += a[i] != b[i];
  return count;
}

} // namespace

int main(int argc, char **argv) {
  return example::run(
      argc, argv, "photo: grey, Gaussian blur, Sobel edges, histogram equalisation",
      {{"input", default_photo, "a PNG or JPEG file, or \"drawn\""},
       {"width", "2560", "of the drawn picture"},
       {"height", "1600", "of the drawn picture"},
       {"output", "edges.png", "the PNG file to write"}},
      [](example::Context &context) {
        const Picture picture = load(context.text("input"), {context.number("width", 16, 16384),
                                                             context.number("height", 16, 16384)});
        const Size size{picture.width, picture.height};
        const std::size_t pixels = picture.pixels.size();
        khal::Stream &stream = context.stream;
        const khal::Buffer<khal::uchar4> colour = context.device.upload(picture.pixels);
        auto bytes = [&](std::size_t count) { return context.device.buffer<std::uint8_t>(count); };
        khal::Buffer<std::uint8_t> greyed = bytes(pixels), blurred = bytes(pixels);
        khal::Buffer<std::uint8_t> edged = bytes(pixels), equalised = bytes(pixels);
        khal::Buffer<std::uint8_t> table = bytes(256);
        khal::Buffer<std::uint32_t> counts = context.device.buffer<std::uint32_t>(256);

        const khal::Grid line = khal::threads(pixels);
        const khal::Grid square = khal::threads(size.width, size.height);
        const double seconds = context.time([&] {
          kernels::grey(stream, line, colour, greyed);
          kernels::blur(stream, square, greyed, blurred, size);
          kernels::edges(stream, square, blurred, edged, size);
          counts.fill(stream, 0);
          kernels::histogram(stream, khal::groups(64), edged, counts);
          kernels::equalising_table(stream, khal::groups(1), counts, table);
          equalised.copy_from(stream, edged);
          kernels::apply_table(stream, line, equalised, table);
        });
        const std::vector<std::uint8_t> result = equalised.download();
        std::printf("  did   the chain in %.3f ms, %.0f megapixels/s\n", seconds * 1e3,
                    static_cast<double>(pixels) / seconds * 1e-6);
        write_grey_png(context.text("output"), size.width, size.height, result);
        std::printf("  wrote %s\n", context.text("output").c_str());

        const Stages host = filter_on_host(picture);
        auto compare = [&](const char *stage, const std::vector<std::uint8_t> &ours,
                           const std::vector<std::uint8_t> &theirs) {
          const std::size_t wrong = differences(ours, theirs);
          context.check(std::string(stage) + ": " + std::to_string(pixels - wrong) + " of " +
                            std::to_string(pixels) + " pixels equal the host's, bit for bit",
                        wrong == 0);
        };
        compare("grey", greyed.download(), host.grey);
        compare("blur", blurred.download(), host.blurred);
        compare("edges", edged.download(), host.edges);
        compare("equalised", result, host.equalised);
        compare(
            "file",
            [&] {
              const Picture file = read_picture(context.text("output"));
              std::vector<std::uint8_t> grey;
              for (const khal::uchar4 &pixel : file.pixels)
                grey.push_back(pixel.x);
              grey.resize(pixels);
              return grey;
            }(),
            host.equalised);
      });
}
