//===- reference.hpp - the filter chain on the host, one pixel after the other ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_EXAMPLES_PHOTO_REFERENCE_HPP
#define KHAL_EXAMPLES_PHOTO_REFERENCE_HPP

#include "picture.hpp"

/// What the kernels must give, stage by stage.
struct Stages {
  std::vector<std::uint8_t> grey, blurred, edges, equalised;
};

Stages filter_on_host(const Picture &picture);

#endif // KHAL_EXAMPLES_PHOTO_REFERENCE_HPP
