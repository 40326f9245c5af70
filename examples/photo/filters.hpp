//===- filters.hpp - the numbers that the filters are made of ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_EXAMPLES_PHOTO_FILTERS_HPP
#define KHAL_EXAMPLES_PHOTO_FILTERS_HPP

/// How much red, green and blue count for grey, in 256ths.
inline constexpr unsigned grey_red = 77, grey_green = 150, grey_blue = 29;

/// A Gaussian of standard deviation 1.5, in 256ths, from its middle outwards.
inline constexpr int blur_radius = 4;
inline constexpr unsigned blur_weights[blur_radius + 1] = {68, 54, 28, 10, 2};
static_assert(blur_weights[0] +
                  2 * (blur_weights[1] + blur_weights[2] + blur_weights[3] + blur_weights[4]) ==
              256);

#endif // KHAL_EXAMPLES_PHOTO_FILTERS_HPP
