//===- khal/host/device.hpp - devices ---------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_HOST_DEVICE_HPP
#define KHAL_HOST_DEVICE_HPP

#include "khal/abi.h"
#include "khal/host/error.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace khal {

template <class T> class Buffer;
class Stream;

namespace detail {
class DeviceImpl;
class StreamImpl;
class Memory;
class Timestamp;
/// Where a buffer's memory lies: in the device's, or where the host reaches it too.
enum class Place { device, host };
} // namespace detail

enum class Backend { cpu, vulkan, cuda };

/// "cpu", "vulkan", "cuda".
std::string_view to_string(Backend backend) noexcept;

/// What a launch on a device may ask for.
struct DeviceLimits {
  std::array<std::uint32_t, 3> max_group_size{}; ///< work-items of a group, in each dimension
  std::uint32_t max_group_items = 0;             ///< work-items of a group, all dimensions together
  std::array<std::uint32_t, 3> max_groups{};     ///< groups of a launch, in each dimension
  std::uint32_t max_shared_bytes = 0;            ///< work-group memory of one group
  std::uint64_t max_buffer_bytes = 0;            ///< one buffer
};

struct DeviceInfo {
  std::string id; ///< what khal::open() and KHAL_DEVICE take: "vulkan:0"
  Backend backend = Backend::cpu;
  std::string name;                ///< as the vendor calls it
  std::string driver;              ///< driver and API, with versions
  std::uint64_t memory_bytes = 0;  ///< memory that buffers come from
  bool shares_host_memory = false; ///< buffers lie in the host's memory: transfers are cheap
  std::uint32_t units = 0;         ///< CPU threads or multiprocessors; 0 when the API doesn't tell
  std::uint32_t subgroup_size = 0; ///< work-items that run in step; 0 when there are no subgroups
  std::uint64_t features = 0;      ///< khal::abi::Feature bits that kernels may use
  DeviceLimits limits;
  bool validated = false; ///< the Vulkan validation layer watches this device
};

/// The names of khal::abi::Feature bits, in the order of their bits: {"int8", "float64"}.
std::vector<std::string> feature_names(std::uint64_t features);

/// A backend that offers no device, and why, in one line that says what to do.
struct MissingBackend {
  Backend backend;
  std::string reason;
};

/// A device's memory as this process uses it.
struct MemoryStatistics {
  std::uint64_t buffers = 0;          ///< live ones, and dropped ones that queued work still uses
  std::uint64_t buffer_bytes = 0;     ///< in those, as asked for
  std::uint64_t high_water_bytes = 0; ///< the most that buffer_bytes has been
  std::uint64_t reserved_bytes = 0; ///< taken from the driver, for these and for the runtime itself
  std::uint64_t free_bytes = 0;     ///< of those, in no buffer
  std::uint64_t largest_free_bytes = 0; ///< the largest part of free_bytes in one piece

  /// From 0, all free memory in one piece, towards 1, in many small ones.
  double fragmentation() const noexcept {
    return free_bytes == 0
               ? 0.0
               : 1.0 - static_cast<double>(largest_free_bytes) / static_cast<double>(free_bytes);
  }
};

/// A handle of a device; cheap to copy, and all handles of one device are equal. May be used from
/// many threads at a time.
class Device {
public:
  /// The device that the environment variable KHAL_DEVICE names ("vulkan:0", "cuda", "cpu"), else
  /// the best there is: CUDA, then Vulkan on a GPU, then the CPU.
  /// \throws Error no_device when KHAL_DEVICE names one that isn't there.
  Device();

  /// Every device there is, best first. Never empty: the CPU is always there.
  static std::vector<Device> all();

  /// The backends without a device, and why.
  static std::vector<MissingBackend> missing();

  const DeviceInfo &info() const noexcept;

  /// A buffer of `count` elements whose values aren't set yet.
  /// \throws Error out_of_memory, or bad_argument above limits.max_buffer_bytes.
  template <class T> Buffer<T> buffer(std::size_t count) const;

  /// The same in memory that the host reaches too, on every device: Buffer::host() is never empty.
  /// On a device with memory of its own (not DeviceInfo::shares_host_memory) it lies in the host's,
  /// where the device's driver keeps it in place: kernels reach it over the bus, which pays for what
  /// is read or written once, and copy_from between it and the device's own buffers is done by the
  /// device at the bus's full speed, in a stream. The system has less memory of this kind.
  /// \throws Error out_of_memory, or bad_argument above limits.max_buffer_bytes.
  template <class T> Buffer<T> host_buffer(std::size_t count) const;

  /// A buffer of `count` elements with all bytes zero.
  template <class T> Buffer<T> zeros(std::size_t count) const;

  /// A buffer that holds a copy of `values`: a vector, array, span, …
  template <std::ranges::contiguous_range R>
    requires std::ranges::sized_range<R>
  Buffer<std::ranges::range_value_t<R>> upload(const R &values) const;

  /// The same for values written out: dev.upload<float>({1, 2, 3}).
  template <class T> Buffer<T> upload(std::initializer_list<T> values) const;

  MemoryStatistics memory() const;

  /// Gives memory that no buffer is in back to the driver, for other programs. Done by itself
  /// before an Error out_of_memory.
  void trim() const;

  friend bool operator==(const Device &, const Device &) noexcept = default;

  /// Internal: made by Device::all(), open() and Stream::device().
  explicit Device(std::shared_ptr<detail::DeviceImpl> impl) noexcept : impl_(std::move(impl)) {}
  const std::shared_ptr<detail::DeviceImpl> &impl() const noexcept { return impl_; }

private:
  std::shared_ptr<detail::DeviceImpl> impl_;
};

/// Opens a device by its id: "cuda:1", "vulkan:0", "cpu"; without a number, the first of the
/// backend.
/// \throws Error no_device, with the ids that there are.
Device open(std::string_view id);

} // namespace khal

#endif // KHAL_HOST_DEVICE_HPP
