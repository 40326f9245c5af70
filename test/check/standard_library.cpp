// Headers that are pure computation work; what they do on failure ends the work-item.
// RUN: %khal-opt --abi=host --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=nvptx --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=shader --emit-ir %s | FileCheck %s
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <khal/kernel.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
using namespace khal;

[[khal::kernel(64)]] void kernel(khal::span<int> a) {
  std::array<int, 16> v;
  for (int i = 0; i < 16; ++i)
    v[i] = a[i];
  std::sort(v.begin(), v.end());
  a[0] = v.at(a[1] & 15) + std::accumulate(v.begin(), v.end(), 0) + std::bit_cast<int>(1.0f);
  std::optional<int> maybe;
  if (a[2])
    maybe = a[3];
  a[4] = maybe.value();
  auto [low, high] = std::minmax(a[5], a[6]);
  a[7] = std::get<0>(std::tuple(low, high)) + std::popcount(static_cast<unsigned>(a[8]));
  std::swap(a[9], a[10]);
  a[11] = static_cast<int>(std::sqrt(static_cast<float>(a[12])));
  std::span<int> view(a.data(), 4);
  a[13] = *std::max_element(view.begin(), view.end()) + std::numeric_limits<int>::max();
}

// CHECK: declare {{.*}}@_ZSt24__throw_out_of_range_fmtPKcz
// CHECK-NOT: define {{.*}}__throw
