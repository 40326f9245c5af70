//===- khal/host/buffer.hpp - device memory of a C++ type -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_HOST_BUFFER_HPP
#define KHAL_HOST_BUFFER_HPP

#include "khal/host/stream.hpp"

#include <span>
#include <utility>

namespace khal {

namespace detail {

/// Untyped memory operations, all in bytes. `memory` may be null (Error bad_argument: moved from or
/// never made). With a stream the work is queued in it; without, it is done on return, after all
/// queued work that uses the memory.
std::shared_ptr<Memory> allocate(const Device &device, std::size_t count, std::size_t element_size,
                                 Place place = Place::device);
void write(Memory *memory, std::uint64_t offset, const void *source, std::uint64_t bytes,
           Stream *stream);
void read(Memory *memory, std::uint64_t offset, void *target, std::uint64_t bytes);
void copy(Memory *target, std::uint64_t target_offset, Memory *source, std::uint64_t source_offset,
          std::uint64_t bytes, Stream *stream);
void fill(Memory *memory, std::uint64_t offset, std::uint64_t bytes, const void *pattern,
          std::size_t pattern_bytes, Stream *stream);
void check_slice(std::size_t first, std::size_t count, std::size_t size);
void check_same_count(const char *what, std::size_t given, std::size_t size);
Device device_of(Memory *memory);
/// Where the host can use the memory itself, after all queued work that uses it; null if nowhere.
void *map(Memory *memory);
void wait_for_uses(Memory *memory);
/// Lets go of what a device holds of itself, for devices that a program has brought.
void close(DeviceImpl &device);

/// Makes buffers of memory that a program has brought.
struct BufferAccess {
  template <class T> static Buffer<T> make(std::shared_ptr<Memory> memory, std::size_t count);
};

} // namespace detail

/// A part of a buffer, accepted wherever a buffer is; Slice<const T> for reading only. Like
/// std::span, it is cheap to copy and `const` doesn't reach the elements; unlike std::span, it
/// keeps the memory alive. A slice made by default belongs to no buffer and can only be assigned
/// to.
template <class T> class Slice {
  using Value = std::remove_const_t<T>;
  static_assert(std::is_trivially_copyable_v<Value>,
                "khal: elements must be trivially copyable: they travel to the device as bytes");

public:
  Slice() = default;
  Slice(Buffer<Value> &buffer) noexcept : memory_(buffer.shared_memory()), count_(buffer.size()) {}
  Slice(const Buffer<Value> &buffer) noexcept
    requires std::is_const_v<T>
      : memory_(buffer.shared_memory()), count_(buffer.size()) {}
  Slice(const Slice<Value> &other) noexcept
    requires std::is_const_v<T>
      : memory_(other.shared_memory()), first_(other.first()), count_(other.size()) {}

  std::size_t size() const noexcept { return count_; }
  std::size_t size_bytes() const noexcept { return count_ * sizeof(T); }
  bool empty() const noexcept { return count_ == 0; }

  /// Where the slice begins in its buffer, in elements.
  std::size_t first() const noexcept { return first_; }

  Device device() const { return detail::device_of(memory()); }

  /// `count` elements from the slice's element `first`.
  /// \throws Error bad_argument when that is more than the slice has.
  Slice slice(std::size_t first, std::size_t count) const {
    detail::check_slice(first, count, count_);
    return Slice(memory_, first_ + first, count);
  }

  /// All elements from `first` on.
  Slice slice(std::size_t first) const {
    detail::check_slice(first, 0, count_);
    return Slice(memory_, first_ + first, count_ - first);
  }

  /// Copies host values to the device; as many as the slice has elements. With a stream, the work
  /// waits its turn in it; `values` may be changed as soon as the call returns.
  void upload(std::span<const Value> values) const
    requires(!std::is_const_v<T>)
  {
    detail::check_same_count("upload", values.size(), count_);
    detail::write(memory(), offset(), values.data(), size_bytes(), nullptr);
  }
  void upload(Stream &stream, std::span<const Value> values) const
    requires(!std::is_const_v<T>)
  {
    detail::check_same_count("upload", values.size(), count_);
    detail::write(memory(), offset(), values.data(), size_bytes(), &stream);
  }

  /// Copies the elements to the host, after all work that uses the memory.
  std::vector<Value> download() const {
    if constexpr (std::is_same_v<Value, bool>) { // std::vector<bool> holds bits, not elements
      const std::unique_ptr<bool[]> values(new bool[count_]);
      detail::read(memory(), offset(), values.get(), size_bytes());
      return std::vector<bool>(values.get(), values.get() + count_);
    } else {
      std::vector<Value> values(count_);
      detail::read(memory(), offset(), values.data(), size_bytes());
      return values;
    }
  }
  /// The same, into memory of the caller's; as many as the slice has elements.
  void download(std::span<Value> values) const {
    detail::check_same_count("download", values.size(), count_);
    detail::read(memory(), offset(), values.data(), size_bytes());
  }

  /// Copies the elements of another slice or buffer of the same size; both may be of one buffer,
  /// but must not overlap. Between devices, the data goes through the host, and not in a stream.
  void copy_from(const Slice<const Value> &source) const
    requires(!std::is_const_v<T>)
  {
    detail::check_same_count("copy_from", source.size(), count_);
    detail::copy(memory(), offset(), source.memory(), source.offset(), size_bytes(), nullptr);
  }
  void copy_from(Stream &stream, const Slice<const Value> &source) const
    requires(!std::is_const_v<T>)
  {
    detail::check_same_count("copy_from", source.size(), count_);
    detail::copy(memory(), offset(), source.memory(), source.offset(), size_bytes(), &stream);
  }

  /// The elements themselves, where the host reaches them: on a device that shares the host's memory
  /// (DeviceInfo::shares_host_memory), and of a Device::host_buffer. No copy is made. Waits for all queued work that uses the memory; the span may be used until
  /// more is put in. Empty for other buffers.
  std::span<T> host() const {
    auto *const data = static_cast<std::byte *>(detail::map(memory()));
    return data ? std::span<T>(reinterpret_cast<T *>(data + offset()), count_) : std::span<T>();
  }

  /// Sets every element to `value`.
  void fill(const Value &value) const
    requires(!std::is_const_v<T>)
  {
    detail::fill(memory(), offset(), size_bytes(), &value, sizeof(T), nullptr);
  }
  void fill(Stream &stream, const Value &value) const
    requires(!std::is_const_v<T>)
  {
    detail::fill(memory(), offset(), size_bytes(), &value, sizeof(T), &stream);
  }

  /// Internal.
  detail::Memory *memory() const noexcept { return memory_.get(); }
  const std::shared_ptr<detail::Memory> &shared_memory() const noexcept { return memory_; }
  std::uint64_t offset() const noexcept { return std::uint64_t{first_} * sizeof(T); }

private:
  template <class U> friend class Buffer;
  friend class Workspace;
  Slice(std::shared_ptr<detail::Memory> memory, std::size_t first, std::size_t count) noexcept
      : memory_(std::move(memory)), first_(first), count_(count) {}

  std::shared_ptr<detail::Memory> memory_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

/// Device memory for `size()` elements of T, with T's C++ layout on every device. Made by
/// Device::buffer, zeros and upload; moved, not copied. What isn't const is changed only through a
/// Buffer or Slice that isn't const: a `const Buffer<T>&` can be read and given to kernels that
/// read.
///
/// A buffer may be destroyed while work in a stream still uses it: its memory goes when that work
/// is done. A moved-from or default-made buffer has size 0 and throws Error bad_argument when used.
///
/// Functions without a stream wait for all queued work that uses the buffer and are done on return;
/// those with one queue their work. Different threads may use one buffer when none of them writes
/// what another uses.
template <class T> class Buffer {
  static_assert(!std::is_const_v<T>,
                "khal: a Buffer owns memory that something must write: for a read-only view, use "
                "Slice<const T> or pass a const Buffer<T>&");
  static_assert(std::is_trivially_copyable_v<T>,
                "khal: elements must be trivially copyable: they travel to the device as bytes");

public:
  Buffer() = default;
  Buffer(Buffer &&other) noexcept
      : memory_(std::move(other.memory_)), count_(std::exchange(other.count_, 0)) {}
  Buffer &operator=(Buffer &&other) noexcept {
    memory_ = std::move(other.memory_);
    count_ = std::exchange(other.count_, 0);
    return *this;
  }

  std::size_t size() const noexcept { return count_; }
  std::size_t size_bytes() const noexcept { return count_ * sizeof(T); }
  bool empty() const noexcept { return count_ == 0; }
  Device device() const { return detail::device_of(memory()); }

  /// A part of the buffer, `count` elements from element `first`, or all from `first` on.
  /// \throws Error bad_argument when that is more than the buffer has.
  Slice<T> slice(std::size_t first, std::size_t count) { return all().slice(first, count); }
  Slice<T> slice(std::size_t first) { return all().slice(first); }
  Slice<const T> slice(std::size_t first, std::size_t count) const {
    return all().slice(first, count);
  }
  Slice<const T> slice(std::size_t first) const { return all().slice(first); }

  /// See the functions of the same names in Slice.
  void upload(std::span<const T> values) { all().upload(values); }
  void upload(Stream &stream, std::span<const T> values) { all().upload(stream, values); }
  std::vector<T> download() const { return all().download(); }
  void download(std::span<T> values) const { all().download(values); }
  void copy_from(const Slice<const T> &source) { all().copy_from(source); }
  void copy_from(Stream &stream, const Slice<const T> &source) { all().copy_from(stream, source); }
  void fill(const T &value) { all().fill(value); }
  void fill(Stream &stream, const T &value) { all().fill(stream, value); }
  std::span<T> host() { return all().host(); }
  std::span<const T> host() const { return all().host(); }

  /// Waits for queued work that uses the buffer and then gives its memory back, unless slices keep
  /// it. The buffer is then as if it were moved from.
  void release() {
    if (memory_)
      detail::wait_for_uses(memory_.get());
    memory_.reset();
    count_ = 0;
  }

  /// Internal.
  detail::Memory *memory() const noexcept { return memory_.get(); }
  const std::shared_ptr<detail::Memory> &shared_memory() const noexcept { return memory_; }
  std::uint64_t offset() const noexcept { return 0; }

private:
  friend class Device;
  friend struct detail::BufferAccess;
  Buffer(std::shared_ptr<detail::Memory> memory, std::size_t count) noexcept
      : memory_(std::move(memory)), count_(count) {}
  Slice<T> all() noexcept { return Slice<T>(memory_, 0, count_); }
  Slice<const T> all() const noexcept { return Slice<const T>(memory_, 0, count_); }

  std::shared_ptr<detail::Memory> memory_;
  std::size_t count_ = 0;
};

template <class T>
Buffer<T> detail::BufferAccess::make(std::shared_ptr<Memory> memory, std::size_t count) {
  return Buffer<T>(std::move(memory), count);
}

template <class T> Buffer<T> Device::buffer(std::size_t count) const {
  return Buffer<T>(detail::allocate(*this, count, sizeof(T)), count);
}

template <class T> Buffer<T> Device::host_buffer(std::size_t count) const {
  return Buffer<T>(detail::allocate(*this, count, sizeof(T), detail::Place::host), count);
}

template <class T> Buffer<T> Device::zeros(std::size_t count) const {
  Buffer<T> result = buffer<T>(count);
  const std::byte zero{};
  detail::fill(result.memory(), 0, result.size_bytes(), &zero, 1, nullptr);
  return result;
}

template <std::ranges::contiguous_range R>
  requires std::ranges::sized_range<R>
Buffer<std::ranges::range_value_t<R>> Device::upload(const R &values) const {
  using T = std::ranges::range_value_t<R>;
  auto result = buffer<T>(std::ranges::size(values));
  result.upload(std::span<const T>(std::ranges::data(values), std::ranges::size(values)));
  return result;
}

template <class T> Buffer<T> Device::upload(std::initializer_list<T> values) const {
  return upload(std::span<const T>(values.begin(), values.size()));
}

} // namespace khal

#endif // KHAL_HOST_BUFFER_HPP
