//===- Backend.h - what a backend gives the runtime -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backend is a probe function (core/Backends.def lists them) that finds devices, and three
// classes: a DeviceImpl, a Memory and a StreamImpl. The core checks arguments, keeps track of what
// uses which memory and does the typed side; a backend only does what it is told, and may trust it.
//
// Order and lifetime: a stream numbers what it is given with tickets, 1, 2, 3 …, and does it in
// that order. Whatever is in flight holds a reference to the memory that it uses, so a buffer can
// be dropped at any time. Each memory knows the last ticket of each stream that used it, so that
// functions without a stream can wait for exactly that.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_BACKEND_H
#define KHAL_RUNTIME_CORE_BACKEND_H

#include "khal/host/launch.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace khal::detail {

using Ticket = std::uint64_t;

class Follower;
class GraphImpl;
struct GraphNode;

/// A reading of a device's clock, at a point of a stream's work.
class Timestamp {
public:
  virtual ~Timestamp() = default;
  /// The time since `earlier`, a reading in the same stream. Both have been reached. Nothing when
  /// the device has no clock.
  virtual std::optional<std::chrono::nanoseconds> since(const Timestamp &earlier) const = 0;
};

/// One device allocation, or a part of one. Thread-safe.
class Memory : public std::enable_shared_from_this<Memory> {
public:
  Memory(std::shared_ptr<DeviceImpl> device, std::uint64_t bytes);
  virtual ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  const std::shared_ptr<DeviceImpl> &device() const noexcept { return device_; }
  /// As asked for; what is behind it may be larger, never smaller than 16 bytes.
  std::uint64_t bytes() const noexcept { return bytes_; }

  /// Where the host can read and write the memory itself, coherently with the device whenever no
  /// work is in flight; null when it can't.
  virtual std::byte *mapped() const noexcept { return nullptr; }

  /// Counts it among the device's buffers.
  void count();

  /// Notes that `stream` uses the memory until it reaches `ticket`.
  void note_use(StreamImpl &stream, Ticket ticket);

  /// Waits until no stream uses the memory. \throws what the streams fail with.
  void wait_for_uses();

private:
  struct Use {
    std::weak_ptr<StreamImpl> stream;
    Ticket ticket;
  };
  const std::shared_ptr<DeviceImpl> device_;
  const std::uint64_t bytes_;
  bool counted_ = false;
  std::mutex mutex_;
  std::vector<Use> uses_; ///< guarded by mutex_; at most one for each stream
};

/// Three u32 in a buffer: the groups of a launch, known when its turn has come.
struct GroupsInBuffer {
  Memory *memory = nullptr;
  std::uint64_t offset = 0; ///< a multiple of 4
  explicit operator bool() const noexcept { return memory != nullptr; }
};

/// The groups that were found in a buffer, within the device's limits; none in the first dimension
/// when there is nothing to do. \throws Error bad_argument
std::array<std::uint32_t, 3> check_groups(const abi::Kernel &kernel,
                                          const std::array<std::uint32_t, 3> &found,
                                          const DeviceInfo &device);

/// A launch whose arguments the core has checked: right device, within all limits, at least one
/// group.
struct KernelLaunch {
  const abi::Kernel &kernel;
  std::array<std::uint32_t, 3> groups; ///< unless they are in a buffer
  GroupsInBuffer groups_in;
  std::span<const BufferArgument> buffers;
  std::span<const std::byte> block;             ///< copied before launch() returns
  std::span<const std::uint32_t> shared_counts; ///< elements of each shared span
  std::uint32_t shared_bytes;                   ///< that they take together, see khal/abi.h
};

/// The backend's side of a Stream. The functions that put work in are called by one thread at a
/// time; those marked so by any thread.
class StreamImpl : public std::enable_shared_from_this<StreamImpl> {
public:
  explicit StreamImpl(std::shared_ptr<DeviceImpl> device);
  virtual ~StreamImpl();
  StreamImpl(const StreamImpl &) = delete;
  StreamImpl &operator=(const StreamImpl &) = delete;

  const std::shared_ptr<DeviceImpl> &device() const noexcept { return device_; }

  /// Each queues its work and gives its ticket; each throws what earlier work failed with. Ranges
  /// are in bytes, inside the memory and not empty.
  virtual Ticket launch(const KernelLaunch &launch) = 0;
  /// `source` may change as soon as the call returns.
  virtual Ticket write(Memory &target, std::uint64_t offset, const void *source,
                       std::uint64_t bytes) = 0;
  /// Returns when `target` is filled.
  virtual Ticket read(Memory &source, std::uint64_t offset, void *target, std::uint64_t bytes) = 0;
  /// The ranges don't overlap; both memories are this device's.
  virtual Ticket copy(Memory &target, std::uint64_t target_offset, Memory &source,
                      std::uint64_t source_offset, std::uint64_t bytes) = 0;
  /// Repeats `pattern`; `bytes` is a multiple of its size.
  virtual Ticket fill(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                      std::span<const std::byte> pattern) = 0;

  /// What is put in from now on waits for the work of `other` up to `ticket`, which has been put in
  /// already. Nothing when the device can't do that: the streams are of different backends or
  /// devices that don't know each other.
  virtual std::optional<Ticket> after(StreamImpl &other, Ticket ticket) = 0;
  /// `function` throws nothing, and may run in any thread.
  virtual Ticket call(std::function<void()> function) = 0;
  virtual std::pair<Ticket, std::shared_ptr<Timestamp>> stamp() = 0;

  /// Waits until the work up to `ticket` is done, and lets go of the memory that it used. Any
  /// thread. \throws what that work failed with.
  virtual void wait_for(Ticket ticket) = 0;
  /// Whether the work up to `ticket` is done. Any thread. \throws what that work failed with.
  virtual bool reached(Ticket ticket) = 0;
  /// The ticket of the work put in last. Any thread.
  virtual Ticket last_ticket() const noexcept = 0;
  /// Whether what is put in is only noted, for a graph.
  virtual bool is_recorder() const noexcept { return false; }

  /// Calls `function` from a thread of its own when the work up to `ticket` is done, with what it
  /// failed with or null. Any thread.
  void when_done(Ticket ticket, std::function<void(std::exception_ptr)> function);

  /// What a function of the user's threw is kept for the next wait. Any thread.
  void note_failed_call(std::exception_ptr error) noexcept;
  void throw_failed_call();

private:
  const std::shared_ptr<DeviceImpl> device_;
  std::mutex mutex_;
  std::exception_ptr failed_call_;     ///< guarded by mutex_
  std::unique_ptr<Follower> follower_; ///< made when first needed; guarded by mutex_
};

/// How good a device is as the default one; later is better. Ties go to the backend that comes
/// first in Backends.def.
enum class Preference { software_gpu, cpu, integrated_gpu, discrete_gpu };

/// The backend's side of a Device; there is one for each device in a process. Made by the probe,
/// which only looks: the device is opened by the first allocation or stream. All functions may be
/// called by any thread.
class DeviceImpl : public std::enable_shared_from_this<DeviceImpl> {
public:
  DeviceImpl(DeviceInfo info, Preference preference)
      : info_(std::move(info)), preference_(preference) {}
  virtual ~DeviceImpl() = default;
  DeviceImpl(const DeviceImpl &) = delete;
  DeviceImpl &operator=(const DeviceImpl &) = delete;

  const DeviceInfo &info() const noexcept { return info_; }
  Preference preference() const noexcept { return preference_; }

  /// Memory of at least `bytes` and 16 bytes, aligned for every element type. When there is none
  /// left, waits for work that still holds some and tries again. In Place::host it is mapped.
  std::shared_ptr<Memory> allocate(std::uint64_t bytes, Place place);
  std::shared_ptr<StreamImpl> create_stream();
  /// Counts a stream that was made otherwise among the device's.
  void know(const std::shared_ptr<StreamImpl> &stream);
  std::unique_ptr<GraphImpl> create_graph();
  /// Builds a kernel, unless that has been done.
  void prepare(const abi::Kernel &kernel);

  /// Runs `work` with a stream of the device's own and waits for what it put in.
  void with_own_stream(const std::function<Ticket(StreamImpl &)> &work);

  /// Memory counted as MemoryStatistics tells of it.
  MemoryStatistics memory();
  void count_memory(std::uint64_t bytes) noexcept;
  void uncount_memory(std::uint64_t bytes) noexcept;
  /// Gives unused memory back to the driver.
  void trim();

  /// Opens the device, unless that has been done; what makes memory and streams does it by itself.
  void ensure_open() { open_once(); }

  /// Lets go of what the device holds of itself, so that it can end when its last user does.
  void close();

protected:
  /// Opens the device; called once, before the two below. May throw, and is then tried again.
  virtual void open() = 0;
  /// \throws Error out_of_memory
  virtual std::shared_ptr<Memory> make_memory(std::uint64_t bytes, Place place) = 0;
  virtual std::shared_ptr<StreamImpl> make_stream() = 0;
  virtual std::unique_ptr<GraphImpl> make_graph() = 0;
  virtual void build(const abi::Kernel &kernel) = 0;
  /// Adds what the backend has reserved; `statistics` has the buffers. Without an allocator of its
  /// own a backend reserves just those.
  virtual void add_reserved(MemoryStatistics &statistics) {
    statistics.reserved_bytes = statistics.buffer_bytes;
  }
  virtual void trim_reserved() noexcept {}

private:
  void open_once();
  std::shared_ptr<Memory> make_memory_after_tidying(std::uint64_t bytes, Place place);
  void wait_for_all_streams();

  const DeviceInfo info_;
  const Preference preference_;
  std::once_flag opened_;
  std::atomic<std::uint64_t> buffers_{0};
  std::atomic<std::uint64_t> buffer_bytes_{0};
  std::atomic<std::uint64_t> high_water_bytes_{0};
  std::mutex own_stream_mutex_;
  std::shared_ptr<StreamImpl> own_stream_; ///< made when first needed
  std::mutex streams_mutex_;
  std::vector<std::weak_ptr<StreamImpl>> streams_;
};

/// What a backend's probe finds: devices, best first, or the reason why there are none.
struct ProbeResult {
  std::vector<std::shared_ptr<DeviceImpl>> devices;
  std::string missing; ///< one line that says what to do; only when `devices` is empty
};

/// Whether the endless repetition of `pattern` also repeats every four bytes.
bool repeats_by_words(std::span<const std::byte> pattern);

/// Repeats `pattern` in host memory; `bytes` is a multiple of its size.
void fill_host(std::byte *target, std::uint64_t bytes, std::span<const std::byte> pattern);

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_BACKEND_H
