//===- khal/host/launch.hpp - the typed launch behind generated stubs -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generated stub takes khal::Arg<T> for each buffer (khal::Ref<T> for a `T&` parameter),
// khal::Shared for each shared_span and plain values for the rest, builds the argument block of khal/abi.h and calls khal::detail::launch():
//
//   void add_assign(khal::Stream &stream, khal::Grid grid, khal::Arg<float> a,
//                   khal::Arg<const float> b) {
//     khal::detail::Block<8> block;
//     block.put(0, a.length());
//     block.put(4, b.length());
//     const khal::detail::BufferArgument buffers[] = {a, b};
//     khal::detail::launch(stream, descriptor, grid, buffers, block.bytes());
//   }
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_HOST_LAUNCH_HPP
#define KHAL_HOST_LAUNCH_HPP

#include "khal/host/buffer.hpp"

#include <cstring>

namespace khal {

/// How many work-items a launch has; made by threads(), groups() or groups_from().
class Grid {
public:
  enum class Unit { threads, groups };
  constexpr Grid(Unit unit, std::uint64_t x, std::uint64_t y, std::uint64_t z)
      : unit_(unit), extent_{x, y, z} {}
  /// Internal: made by groups_from().
  Grid(detail::Memory *source, std::uint64_t offset, std::uint64_t count) noexcept
      : unit_(Unit::groups), extent_{count, 1, 1}, source_(source), offset_(offset),
        in_buffer_(true) {}

  constexpr Unit unit() const noexcept { return unit_; }
  constexpr const std::array<std::uint64_t, 3> &extent() const noexcept { return extent_; }

  /// Internal: whether the numbers are in a buffer, where (in bytes), and how many are there.
  constexpr bool in_buffer() const noexcept { return in_buffer_; }
  constexpr detail::Memory *source() const noexcept { return source_; }
  constexpr std::uint64_t offset() const noexcept { return offset_; }
  constexpr std::uint64_t source_count() const noexcept { return extent_[0]; }

private:
  Unit unit_;
  std::array<std::uint64_t, 3> extent_;
  detail::Memory *source_ = nullptr; ///< its buffer lives until the launch has been put in
  std::uint64_t offset_ = 0;
  bool in_buffer_ = false;
};

/// At least x · y · z work-items: each dimension is rounded up to whole groups of the kernel, so
/// the kernel must check its index against the size. With 0 in any dimension nothing runs.
constexpr Grid threads(std::uint64_t x, std::uint64_t y = 1, std::uint64_t z = 1) {
  return {Grid::Unit::threads, x, y, z};
}

/// Exactly x · y · z work-groups. With 0 in any dimension nothing runs.
constexpr Grid groups(std::uint64_t x, std::uint64_t y = 1, std::uint64_t z = 1) {
  return {Grid::Unit::groups, x, y, z};
}

/// As many work-groups as the first three elements of a buffer say, x, y and z, when the launch's turn
/// has come: earlier work in the stream may write them. With 0 in any of them nothing runs. Vulkan reads
/// them on the device, where nobody can check that they are within limits.max_groups: more than those
/// is as wrong as an access outside a buffer. On CUDA the call waits for the work before it, and graphs
/// can't be recorded with such a launch. The CPU and CUDA refuse too many groups.
inline Grid groups_from(const Slice<const std::uint32_t> &where) {
  return {where.memory(), where.offset(), where.size()};
}

/// The length of a kernel's shared_span parameter; made by shared().
class Shared {
public:
  constexpr Shared() = default;
  constexpr explicit Shared(std::uint64_t count) : count_(count) {}

  /// In elements.
  constexpr std::uint64_t size() const noexcept { return count_; }

  /// As it goes into the argument block. A length that doesn't fit is beyond every device: launch()
  /// refuses the largest that does.
  constexpr std::uint32_t length() const noexcept {
    constexpr std::uint32_t most = 0xffffffff;
    return count_ < most ? static_cast<std::uint32_t>(count_) : most;
  }

private:
  std::uint64_t count_ = 0;
};

/// `count` elements of work-group memory, for a kernel's shared_span parameter. The device's
/// limits.max_shared_bytes is for all work-group memory of a kernel together. On Vulkan, each length
/// is compiled for once.
constexpr Shared shared(std::uint64_t count) {
  return Shared(count);
}

namespace detail {

/// One buffer of a launch, in the flattened order of abi::Kernel::buffers. Doesn't own the memory:
/// the Buffer or Slice behind it lives until the call returns.
struct BufferArgument {
  Memory *memory = nullptr;       ///< null when moved from or never made; refused at launch
  std::uint64_t offset = 0;       ///< bytes
  std::uint64_t count = 0;        ///< elements
  std::uint32_t element_size = 0; ///< bytes
  std::uint32_t least_count = 0;  ///< elements that the parameter needs: 1 for `T&`
};

/// Puts a kernel into a stream; what generated stubs call. `kernel` must stay in place, unchanged,
/// for the rest of the program: its compiled form is kept by its address. `block` is the finished
/// argument block of kernel.block_size bytes, lengths included; it is copied.
///
/// \throws Error bad_argument: another device's buffer, a moved-from one, too few elements, more
///   elements than a u32 counts, a written buffer that overlaps another argument (unless the kernel
///   is may_alias), a grid beyond the device's limits;
///   unsupported: no compiled form that this device can run, and what it lacks, or more work-group
///   memory than it has;
///   build_failed: the driver refuses the code;
///   and whatever earlier work in the stream failed with.
void launch(Stream &stream, const abi::Kernel &kernel, const Grid &grid,
            std::span<const BufferArgument> buffers, std::span<const std::byte> block);

/// An argument block under construction, zero between its members.
template <std::size_t Size> class Block {
public:
  /// Puts a value's bytes at `offset`.
  template <class V> void put(std::size_t offset, const V &value) {
    static_assert(std::is_trivially_copyable_v<V>);
    std::memcpy(bytes_ + offset, &value, sizeof(V));
  }
  std::span<const std::byte> bytes() const { return {bytes_, Size}; }

private:
  alignas(abi::block_alignment) std::byte bytes_[Size == 0 ? 1 : Size]{};
};

template <class X> struct ElementOf {
  static constexpr bool known = false;
};
template <class U> struct ElementOf<Buffer<U>> {
  static constexpr bool known = true;
  using Type = U;
};
template <class U> struct ElementOf<Slice<U>> {
  static constexpr bool known = true;
  using Type = std::remove_const_t<U>;
};

/// Whether an argument expression of type X may stand for a kernel's buffer of T: the same
/// elements, and what is written isn't const. X is the type as in `X &&`: a reference for an
/// lvalue.
template <class X, class T> constexpr bool is_buffer_for() {
  using Plain = std::remove_cvref_t<X>;
  if constexpr (!ElementOf<Plain>::known)
    return false;
  else if constexpr (!std::is_same_v<typename ElementOf<Plain>::Type, std::remove_const_t<T>>)
    return false;
  else if constexpr (std::is_const_v<T>)
    return true;
  else if constexpr (std::is_same_v<Plain, Buffer<T>>)
    return std::is_lvalue_reference_v<X> && !std::is_const_v<std::remove_reference_t<X>>;
  else
    return std::is_same_v<Plain, Slice<T>>;
}

/// Fails to compile with the reason why an X can't stand for a kernel's buffer of T.
template <class X, class T> constexpr void explain_mismatch() {
  using Plain = std::remove_cvref_t<X>;
  if constexpr (!ElementOf<Plain>::known)
    static_assert(ElementOf<Plain>::known,
                  "khal: this parameter of the kernel is a buffer: pass a khal::Buffer or "
                  "khal::Slice (dev.upload(values) makes one of host values)");
  else if constexpr (!std::is_same_v<typename ElementOf<Plain>::Type, std::remove_const_t<T>>)
    static_assert(std::is_same_v<typename ElementOf<Plain>::Type, std::remove_const_t<T>>,
                  "khal: the element type differs: the kernel's parameter and this buffer must "
                  "hold the same type");
  else if constexpr (std::is_same_v<Plain, Buffer<std::remove_const_t<T>>> &&
                     !std::is_lvalue_reference_v<X> && !std::is_const_v<std::remove_reference_t<X>>)
    static_assert(std::is_lvalue_reference_v<X>,
                  "khal: this kernel writes the buffer: a temporary's result would be lost; give "
                  "the buffer a name");
  else
    static_assert(is_buffer_for<X, T>(),
                  "khal: this kernel writes the buffer: a const buffer or a slice of const "
                  "elements can't be passed");
}

} // namespace detail

/// A kernel's buffer parameter: takes a Buffer<T>, or a Slice<T> of one; for `Arg<const T>` const
/// ones too. Anything else fails to compile with the reason. Lives for one call only.
template <class T> class Arg {
public:
  template <class X>
    requires(!std::is_same_v<std::remove_cvref_t<X>, Arg>)
  Arg(X &&buffer) {
    if constexpr (detail::is_buffer_for<X, T>()) {
      argument_ = {buffer.memory(), buffer.offset(), buffer.size(), sizeof(T), 0};
    } else {
      detail::explain_mismatch<X, T>();
    }
  }

  /// In elements.
  std::uint64_t size() const noexcept { return argument_.count; }

  /// The element count as it goes into the argument block; launch() refuses one that doesn't fit.
  std::uint32_t length() const noexcept { return static_cast<std::uint32_t>(argument_.count); }

  operator detail::BufferArgument() const noexcept { return argument_; }

private:
  detail::BufferArgument argument_;
};

/// A kernel's `T&` parameter: as Arg, but the buffer must have an element.
template <class T> class Ref : public Arg<T> {
public:
  template <class X>
    requires(!std::is_same_v<std::remove_cvref_t<X>, Ref>)
  Ref(X &&buffer) : Arg<T>(std::forward<X>(buffer)) {}

  operator detail::BufferArgument() const noexcept {
    detail::BufferArgument argument = Arg<T>::operator detail::BufferArgument();
    argument.least_count = 1;
    return argument;
  }
};

/// Builds kernels for a device now, and not at their first launch: what drivers need seconds for
/// goes into a program's start or, since the results are kept on disk, into its installation.
/// \throws Error unsupported or build_failed as a launch would.
void warm_up(const Device &device, std::span<const abi::Kernel *const> kernels);

/// The same for the kernels that `put_in` launches in the stream that it's given. The launches are
/// checked, and not done.
void warm_up(const Device &device, const std::function<void(Stream &)> &put_in);

} // namespace khal

#endif // KHAL_HOST_LAUNCH_HPP
