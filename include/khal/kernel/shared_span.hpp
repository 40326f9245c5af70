//===- khal/kernel/shared_span.hpp - work-group memory of a length given at launch ------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_SHARED_SPAN_HPP
#define KHAL_KERNEL_SHARED_SPAN_HPP

#include "span.hpp"

namespace khal {

/// As a kernel's parameter: memory that the work-items of a work-group share, of as many elements
/// as the host says with khal::shared(n). Its contents aren't set when a kernel begins. Has all
/// that a span has, and is one for a function that takes one. Elements are of a trivial type
/// aligned to 16 bytes at most.
template <class T> class shared_span : public span<T> {
  static_assert(!detail::is_same<T, const T>,
                "khal: nothing could write the elements of a shared_span<const T>");

public:
  using span<T>::span;
};

} // namespace khal

#endif // KHAL_KERNEL_SHARED_SPAN_HPP
