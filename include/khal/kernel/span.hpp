//===- khal/kernel/span.hpp - a global buffer with its length ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's view of a buffer that the host passes: an address and a count of elements. The count
// is 32 bits wide on every target, so that index arithmetic is the same everywhere.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_SPAN_HPP
#define KHAL_KERNEL_SPAN_HPP

#include "scalar.hpp"

namespace khal {

/// `span<T>` may be written through, `span<const T>` may not. Trivially copyable; does not own.
template <class T> class span {
public:
  using element_type = T;
  using value_type = detail::remove_const<T>;
  using size_type = u32;
  using pointer = T *;
  using reference = T &;
  using iterator = T *;

  constexpr span() = default;
  constexpr span(T *data, u32 size) : data_(data), size_(size) {}
  template <u32 N> constexpr span(T (&array)[N]) : data_(array), size_(N) {}
  /// A span that may be written is also one that may only be read.
  constexpr operator span<const T>() const
    requires(!detail::is_same<T, const T>)
  {
    return {data_, size_};
  }

  constexpr u32 size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T *data() const { return data_; }

  /// No check: `index` must be below size().
  constexpr T &operator[](u32 index) const { return data_[index]; }
  constexpr T &front() const { return data_[0]; }
  constexpr T &back() const { return data_[size_ - 1]; }

  constexpr T *begin() const { return data_; }
  constexpr T *end() const { return data_ + size_; }

  /// Elements from `offset` on; `offset` must not be above size().
  constexpr span subspan(u32 offset) const { return {data_ + offset, size_ - offset}; }
  /// `count` elements from `offset` on; they must lie inside.
  constexpr span subspan(u32 offset, u32 count) const { return {data_ + offset, count}; }
  constexpr span first(u32 count) const { return {data_, count}; }
  constexpr span last(u32 count) const { return {data_ + (size_ - count), count}; }

private:
  T *data_;
  u32 size_;
};

} // namespace khal

#endif // KHAL_KERNEL_SPAN_HPP
