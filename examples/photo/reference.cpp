//===- reference.cpp - the filter chain on the host, one pixel after the other ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "reference.hpp"

#include "filters.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

using Bytes = std::vector<std::uint8_t>;

class Filter {
public:
  explicit Filter(const Picture &picture)
      : width(static_cast<int>(picture.width)), height(static_cast<int>(picture.height)) {}

  Bytes grey(const Picture &picture) const {
    Bytes result(picture.pixels.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto &c = picture.pixels[i];
      result[i] = static_cast<std::uint8_t>(
          (grey_red * c.x + grey_green * c.y + grey_blue * c.z + 128) >> 8);
    }
    return result;
  }

  /// Straight from the definition: every pixel of a square, weighted by both distances.
  Bytes blur(const Bytes &picture) const {
    return each([&](int x, int y) {
      unsigned sum = 0;
      for (int dy = -blur_radius; dy <= blur_radius; ++dy)
        for (int dx = -blur_radius; dx <= blur_radius; ++dx)
          sum +=
              blur_weights[std::abs(dx)] * blur_weights[std::abs(dy)] * at(picture, x + dx, y + dy);
      return (sum + 32768) >> 16;
    });
  }

  Bytes edges(const Bytes &picture) const {
    constexpr int weights[3] = {1, 2, 1};
    return each([&](int x, int y) {
      int across = 0, down = 0;
      for (int i = -1; i <= 1; ++i) {
        across += weights[i + 1] * (at(picture, x + 1, y + i) - at(picture, x - 1, y + i));
        down += weights[i + 1] * (at(picture, x + i, y + 1) - at(picture, x + i, y - 1));
      }
      // Exact: a double holds the square and rounds its root correctly.
      const double root = std::sqrt(static_cast<double>(across * across + down * down));
      return std::min(static_cast<unsigned>(root), 255u);
    });
  }

  Bytes equalise(const Bytes &picture) const {
    std::array<std::uint64_t, 256> counts{}, table{};
    for (std::uint8_t value : picture)
      ++counts[value];
    const std::uint8_t lowest = *std::min_element(picture.begin(), picture.end());
    const std::uint64_t range = picture.size() - counts[lowest];
    std::uint64_t below = 0;
    for (unsigned value = 0; value < 256; ++value) {
      below += counts[value];
      const std::uint64_t rank = below > counts[lowest] ? below - counts[lowest] : 0;
      table[value] = range == 0 ? value : (rank * 255 + range / 2) / range;
    }
    Bytes result(picture.size());
    std::transform(picture.begin(), picture.end(), result.begin(),
                   [&](std::uint8_t value) { return static_cast<std::uint8_t>(table[value]); });
    return result;
  }

private:
  int at(const Bytes &picture, int x, int y) const {
    x = std::clamp(x, 0, width - 1);
    y = std::clamp(y, 0, height - 1);
    return picture[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(x)];
  }

  template <class Pixel> Bytes each(Pixel pixel) const {
    Bytes result;
    result.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        result.push_back(static_cast<std::uint8_t>(pixel(x, y)));
    return result;
  }

  int width, height;
};

} // namespace

Stages filter_on_host(const Picture &picture) {
  const Filter filter(picture);
  Stages stages;
  stages.grey = filter.grey(picture);
  stages.blurred = filter.blur(stages.grey);
  stages.edges = filter.edges(stages.blurred);
  stages.equalised = filter.equalise(stages.edges);
  return stages;
}
