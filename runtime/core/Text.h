//===- Text.h - words for messages ------------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_TEXT_H
#define KHAL_RUNTIME_CORE_TEXT_H

#include "khal/abi.h"

#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace khal::detail {

/// Its arguments one after another, as << writes them.
template <class... Parts> std::string text(const Parts &...parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// "kernel sort::bitonic<float> (sort.cpp:12)"
std::string describe(const abi::Kernel &kernel);

/// "argument a", or "argument 3" when it has no name.
std::string describe_argument(const abi::Kernel &kernel, std::size_t index);

/// "64 x 1 x 1"
std::string describe(const std::array<std::uint64_t, 3> &extent);

/// "1.5 GiB"; exact bytes below 1 KiB.
std::string describe_bytes(std::uint64_t bytes);

/// "int8, float64"
std::string join(const std::vector<std::string> &words, const char *separator = ", ");

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_TEXT_H
