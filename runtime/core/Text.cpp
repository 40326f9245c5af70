//===- Text.cpp - words for messages ----------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Text.h"

#include "khal/host/device.hpp"

#include <iomanip>

namespace khal {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
  case ErrorCode::no_device:
    return "no_device";
  case ErrorCode::bad_argument:
    return "bad_argument";
  case ErrorCode::unsupported:
    return "unsupported";
  case ErrorCode::out_of_memory:
    return "out_of_memory";
  case ErrorCode::build_failed:
    return "build_failed";
  case ErrorCode::device_lost:
    return "device_lost";
  case ErrorCode::validation:
    return "validation";
  case ErrorCode::backend:
    return "backend";
  }
  return "unknown";
}

std::string_view to_string(Backend backend) noexcept {
  switch (backend) {
#define KHAL_BACKEND(NAME)                                                                         \
  case Backend::NAME:                                                                              \
    return #NAME;
#include "core/Backends.def"
#undef KHAL_BACKEND
  }
  return "unknown";
}

std::vector<std::string> feature_names(std::uint64_t features) {
  static constexpr struct {
    abi::Feature feature;
    const char *name;
  } table[] = {
      {abi::feature_int8, "int8"},
      {abi::feature_int16, "int16"},
      {abi::feature_int64, "int64"},
      {abi::feature_float16, "float16"},
      {abi::feature_float64, "float64"},
      {abi::feature_storage8, "storage8"},
      {abi::feature_storage16, "storage16"},
      {abi::feature_atomic_int64, "atomic_int64"},
      {abi::feature_atomic_float32, "atomic_float32"},
      {abi::feature_subgroups, "subgroups"},
      {abi::feature_vulkan_memory_model, "vulkan_memory_model"},
      {abi::feature_uniform8, "uniform8"},
      {abi::feature_uniform16, "uniform16"},
      {abi::feature_shared_atomic_int64, "shared_atomic_int64"},
      {abi::feature_special_float16, "special_float16"},
      {abi::feature_special_float32, "special_float32"},
      {abi::feature_special_float64, "special_float64"},
      {abi::feature_subnormal16, "subnormal16"},
      {abi::feature_subnormal32, "subnormal32"},
      {abi::feature_subnormal64, "subnormal64"},
      {abi::feature_subgroup_int64, "subgroup_int64"},
      {abi::feature_dot_product, "dot_product"},
      {abi::feature_debug_info, "debug_info"},
      {abi::feature_uniform_block, "uniform_block"},
  };
  std::vector<std::string> names;
  for (const auto &entry : table) {
    if (features & entry.feature)
      names.emplace_back(entry.name);
    features &= ~std::uint64_t{entry.feature};
  }
  for (unsigned bit = 0; bit < 64; ++bit) // bits of a later khalc
    if (features >> bit & 1)
      names.push_back("feature" + std::to_string(bit));
  return names;
}

namespace detail {

std::string describe(const abi::Kernel &kernel) {
  return text("kernel ", kernel.name, " (", kernel.file, ":", kernel.line, ")");
}

std::string describe_argument(const abi::Kernel &kernel, std::size_t index) {
  if (index < kernel.buffer_count && kernel.buffers[index].name && *kernel.buffers[index].name)
    return text("argument ", kernel.buffers[index].name);
  return text("buffer argument ", index);
}

std::string describe(const std::array<std::uint64_t, 3> &extent) {
  return text(extent[0], " x ", extent[1], " x ", extent[2]);
}

std::string describe_bytes(std::uint64_t bytes) {
  static constexpr const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  unsigned unit = 0;
  for (; amount >= 1024 && unit + 1 < std::size(units); ++unit)
    amount /= 1024;
  std::ostringstream out;
  out << std::setprecision(unit == 0 ? 4 : 3 + (amount >= 1000)) << amount << ' ' << units[unit];
  return out.str();
}

std::string join(const std::vector<std::string> &words, const char *separator) {
  std::string joined;
  for (const std::string &word : words)
    joined += (joined.empty() ? "" : separator) + word;
  return joined;
}

} // namespace detail
} // namespace khal
