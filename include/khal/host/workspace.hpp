//===- khal/host/workspace.hpp - temporary memory given back at once --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   khal::Workspace space(dev, 64 << 20);
//   for (const Batch &batch : batches) {
//     khal::Slice<float> a = space.take<float>(batch.size), b = space.take<float>(batch.size);
//     …                                                   // work in one stream
//     space.reset();
//   }
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_HOST_WORKSPACE_HPP
#define KHAL_HOST_WORKSPACE_HPP

#include "khal/host/buffer.hpp"

#include <numeric>

namespace khal {

/// One piece of device memory from which temporary slices are taken, one after another, and given
/// back all at once: nothing is asked of the driver in between. Used by one thread at a time.
class Workspace {
public:
  /// \throws Error out_of_memory, or bad_argument above limits.max_buffer_bytes.
  Workspace(const Device &device, std::size_t bytes) : memory_(device.buffer<std::byte>(bytes)) {}

  /// `count` elements whose values aren't set. They begin at a multiple of 256 bytes, as far as
  /// their size allows.
  /// \throws Error out_of_memory when the rest of the workspace is smaller; nothing has changed then.
  template <class T> Slice<T> take(std::size_t count) {
    constexpr std::size_t common = std::lcm(sizeof(T), preferred_alignment);
    constexpr std::size_t step =
        common <= 16 * preferred_alignment ? common : std::lcm(sizeof(T), least_alignment);
    const std::size_t begin = reserve(count, sizeof(T), step);
    return Slice<T>(memory_.shared_memory(), begin / sizeof(T), count);
  }

  /// Takes back everything. What is taken from now on lies where slices from before lie: those must
  /// not be used any more, and work of other streams that uses them must have been waited for.
  void reset() noexcept { used_ = 0; }

  std::size_t size_bytes() const noexcept { return memory_.size(); }
  std::size_t used_bytes() const noexcept { return used_; }
  /// The most that has been used at a time.
  std::size_t high_water_bytes() const noexcept { return high_water_; }
  Device device() const { return memory_.device(); }

private:
  static constexpr std::size_t preferred_alignment = 256;
  static constexpr std::size_t least_alignment = 16;

  /// The offset of `count` elements.
  std::size_t reserve(std::size_t count, std::size_t element_size, std::size_t step);

  Buffer<std::byte> memory_;
  std::size_t used_ = 0;
  std::size_t high_water_ = 0;
};

} // namespace khal

#endif // KHAL_HOST_WORKSPACE_HPP
