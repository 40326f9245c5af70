//===- Stream.cpp - work in order in a CUDA stream --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cuda/Stream.h"

#include "core/Text.h"
#include "cuda/Device.h"
#include "cuda/Memory.h"

#include <algorithm>
#include <cmath>

namespace khal::detail::cuda {

namespace {

/// Launches between two events.
constexpr Ticket launches_per_mark = 32;

DeviceAddress address_of(const Memory &memory) {
  return static_cast<const CudaMemory &>(memory).address();
}

bool in_host(const Memory &memory) {
  return static_cast<const CudaMemory &>(memory).place() == Place::host;
}

/// Pinned host memory.
class Chunk final : public StagingChunk {
public:
  Chunk(std::shared_ptr<CudaDevice> device, std::byte *host)
      : StagingChunk(host), device_(std::move(device)) {}
  ~Chunk() override {
    try {
      const Current current = device_->current();
      device_->api().mem_free_host(host());
    } catch (const Error &) {
      // The device is lost, or the driver has ended with the process.
    }
  }

private:
  std::shared_ptr<CudaDevice> device_;
};

} // namespace

class Event {
public:
  explicit Event(CudaDevice &device, unsigned flags = event_disable_timing) : device_(device) {
    device.api().check(device.api().event_create(&handle_, flags), "making an event");
  }
  ~Event() {
    try {
      const Current current = device_.current();
      device_.api().event_destroy(handle_);
    } catch (const Error &) {
      // The device is lost, or the driver has ended with the process.
    }
  }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  EventHandle handle() const noexcept { return handle_; }

private:
  CudaDevice &device_;
  EventHandle handle_ = nullptr;
};

CudaStream::CudaStream(std::shared_ptr<CudaDevice> device) : StagedStream(device), cuda_(*device) {
  const Current current = cuda_.current();
  cuda_.api().check(cuda_.api().stream_create(&handle_, stream_non_blocking), "making a stream");
}

CudaStream::CudaStream(std::shared_ptr<CudaDevice> device, StreamHandle foreign)
    : StagedStream(device), cuda_(*device), handle_(foreign), owned_(false) {}

CudaStream::~CudaStream() {
  try {
    wait_for(last_);
    const Current current = cuda_.current();
    if (owned_)
      cuda_.api().stream_destroy(handle_);
  } catch (const Error &) {
    // The device is lost, or the driver has ended with the process.
  }
}

/// Lets go of the memory in use up to ticket `done`. The caller holds mutex_.
void CudaStream::release_done(Ticket done) {
  done_ = std::max(done_, done);
  while (!uses_.empty() && uses_.front().ticket <= done)
    uses_.pop_front();
  while (!marks_.empty() && marks_.front().ticket <= done) {
    idle_events_.push_back(std::move(marks_.front().event));
    marks_.pop_front();
  }
}

/// Records an event after the work put in last. The caller holds mutex_ and the context is current.
void CudaStream::mark() {
  const Api &api = cuda_.api();
  while (!marks_.empty() && api.event_query(marks_.front().event->handle()) == success)
    release_done(marks_.front().ticket);
  // An event that another thread still waits for can't be recorded anew.
  std::shared_ptr<Event> event;
  while (!event && !idle_events_.empty()) {
    if (idle_events_.back().use_count() == 1)
      event = std::move(idle_events_.back());
    idle_events_.pop_back();
  }
  if (!event)
    event = std::make_shared<Event>(cuda_);
  api.check(api.event_record(event->handle(), handle_), "recording an event");
  marks_.push_back({last_, std::move(event)});
}

/// Gives what was just put into the stream its ticket. The context is current.
Ticket CudaStream::put_in(std::span<Memory *const> used, Marking marking) {
  const std::lock_guard lock(mutex_);
  ++last_;
  for (Memory *memory : used)
    uses_.push_back({last_, memory->shared_from_this()});
  if (marking == Marking::always || last_ % launches_per_mark == 0)
    mark();
  return last_;
}

void CudaStream::enqueue_launch(const KernelLaunch &launch) {
  Kernel &kernel = cuda_.kernel(launch.kernel);
  addresses_.clear();
  for (const BufferArgument &argument : launch.buffers)
    addresses_.push_back(address_of(*argument.memory) + argument.offset);
  parameters_.clear();
  for (DeviceAddress &address : addresses_)
    parameters_.push_back(&address);
  if (!launch.block.empty())
    parameters_.push_back(const_cast<std::byte *>(launch.block.data()));

  const std::uint32_t *group = launch.kernel.group_size;
  const Result result = cuda_.api().launch_kernel(
      kernel.function(), launch.groups[0], launch.groups[1], launch.groups[2], group[0], group[1],
      group[2], launch.shared_bytes, handle_, parameters_.data(), nullptr);
  if (result != success)
    cuda_.api().check(result, text("launching ", describe(launch.kernel)).c_str());
}

/// Between any two places; the driver sees from the addresses where they are.
void CudaStream::copy_bytes(DeviceAddress target, DeviceAddress source, std::uint64_t bytes) {
  cuda_.api().check(cuda_.api().memcpy_any(target, source, bytes, handle_), "copying a buffer");
}

void CudaStream::enqueue_write(Memory &target, std::uint64_t offset, const std::byte *pinned,
                               std::uint64_t bytes) {
  if (in_host(target)) {
    copy_bytes(address_of(target) + offset, reinterpret_cast<DeviceAddress>(pinned), bytes);
    return;
  }
  cuda_.api().check(
      cuda_.api().memcpy_host_to_device(address_of(target) + offset, pinned, bytes, handle_),
      "copying to the device");
}

void CudaStream::enqueue_copy(Memory &target, std::uint64_t target_offset, Memory &source,
                              std::uint64_t source_offset, std::uint64_t bytes) {
  if (in_host(target) || in_host(source)) {
    copy_bytes(address_of(target) + target_offset, address_of(source) + source_offset, bytes);
    return;
  }
  cuda_.api().check(cuda_.api().memcpy_device_to_device(address_of(target) + target_offset,
                                                        address_of(source) + source_offset, bytes,
                                                        handle_),
                    "copying a buffer");
}

void CudaStream::enqueue_fill(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                              std::uint32_t word) {
  cuda_.api().check(cuda_.api().memset_words(address_of(target) + offset, word, bytes / 4, handle_),
                    "filling a buffer");
}

/// The driver takes numbers of groups from the host alone.
Ticket CudaStream::launch_from_buffer(const KernelLaunch &launch) {
  KernelLaunch known = launch;
  std::array<std::uint32_t, 3> found{};
  const Ticket ticket =
      read(*launch.groups_in.memory, launch.groups_in.offset, found.data(), sizeof(found));
  known.groups = check_groups(launch.kernel, found, cuda_.info());
  known.groups_in = {};
  return known.groups[0] == 0 ? ticket : this->launch(known);
}

Ticket CudaStream::launch(const KernelLaunch &launch) {
  if (launch.groups_in)
    return launch_from_buffer(launch);
  const Current current = cuda_.current();
  enqueue_launch(launch);
  used_.clear();
  for (const BufferArgument &argument : launch.buffers)
    used_.push_back(argument.memory);
  return put_in(used_, Marking::now_and_then);
}

Ticket CudaStream::note_foreign_work(std::span<Memory *const> used) {
  const Current current = cuda_.current();
  return put_in(used, Marking::always);
}

Ticket CudaStream::copy(Memory &target, std::uint64_t target_offset, Memory &source,
                        std::uint64_t source_offset, std::uint64_t bytes) {
  const Current current = cuda_.current();
  enqueue_copy(target, target_offset, source, source_offset, bytes);
  return put_in({&target, &source}, Marking::now_and_then);
}

Ticket CudaStream::replay(GraphExecHandle graph, const std::vector<std::shared_ptr<void>> &kept) {
  const Current current = cuda_.current();
  cuda_.api().check(cuda_.api().graph_launch(graph, handle_), "replaying a graph");
  {
    const std::lock_guard lock(mutex_);
    for (const std::shared_ptr<void> &thing : kept)
      uses_.push_back({last_ + 1, thing});
  }
  return put_in({}, Marking::now_and_then);
}

std::unique_ptr<StagingChunk> CudaStream::make_chunk(std::uint64_t bytes) {
  const Current current = cuda_.current();
  void *host = nullptr;
  cuda_.api().check(cuda_.api().mem_host_alloc(&host, bytes, host_alloc_portable),
                    "getting pinned host memory");
  return std::make_unique<Chunk>(std::static_pointer_cast<CudaDevice>(device()),
                                 static_cast<std::byte *>(host));
}

Ticket CudaStream::copy_in(Memory &target, std::uint64_t offset, StagingChunk &chunk,
                           std::uint64_t chunk_offset, std::uint64_t bytes) {
  const Current current = cuda_.current();
  enqueue_write(target, offset, chunk.host() + chunk_offset, bytes);
  return put_in({&target}, Marking::always);
}

Ticket CudaStream::copy_out(Memory &source, std::uint64_t offset, StagingChunk &chunk,
                            std::uint64_t chunk_offset, std::uint64_t bytes) {
  const Current current = cuda_.current();
  std::byte *const target = chunk.host() + chunk_offset;
  const DeviceAddress from = address_of(source) + offset;
  if (in_host(source))
    copy_bytes(reinterpret_cast<DeviceAddress>(target), from, bytes);
  else
    cuda_.api().check(cuda_.api().memcpy_device_to_host(target, from, bytes, handle_),
                      "copying from the device");
  return put_in({&source}, Marking::always);
}

Ticket CudaStream::fill_words(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                              std::uint32_t word) {
  const Current current = cuda_.current();
  enqueue_fill(target, offset, bytes, word);
  return put_in({&target}, Marking::now_and_then);
}

/// The first event that tells that `ticket` is reached; there is one, or it's recorded now. The
/// caller holds mutex_, `ticket` is above done_, and the context is current.
const CudaStream::Mark &CudaStream::mark_for(Ticket ticket) {
  if (marks_.empty() || marks_.back().ticket < ticket)
    mark();
  return *std::find_if(marks_.begin(), marks_.end(),
                       [&](const Mark &candidate) { return candidate.ticket >= ticket; });
}

std::optional<Ticket> CudaStream::after(StreamImpl &other, Ticket ticket) {
  auto *const stream = dynamic_cast<CudaStream *>(&other); // maybe another GPU's
  if (!stream)
    return std::nullopt;
  std::shared_ptr<Event> event;
  {
    const Current current = stream->cuda_.current();
    const std::lock_guard lock(stream->mutex_);
    if (ticket > stream->done_)
      event = stream->mark_for(ticket).event;
  }
  if (!event)
    return last_ticket();
  const Current current = cuda_.current();
  cuda_.api().check(cuda_.api().stream_wait_event(handle_, event->handle(), 0),
                    "waiting for another stream");
  return put_in({}, Marking::now_and_then);
}

Ticket CudaStream::call(std::function<void()> function) {
  const Current current = cuda_.current();
  auto data = std::make_unique<std::function<void()>>(std::move(function));
  const HostFunction run = [](void *data) {
    const std::unique_ptr<std::function<void()>> own(static_cast<std::function<void()> *>(data));
    (*own)();
  };
  cuda_.api().check(cuda_.api().launch_host_func(handle_, run, data.get()),
                    "putting in a function of the host's");
  static_cast<void>(data.release()); // the driver's until it's called
  return put_in({}, Marking::always);
}

namespace {

/// An event that keeps the time when it happened.
class ClockReading final : public Timestamp {
public:
  explicit ClockReading(std::shared_ptr<CudaDevice> device)
      : device_(std::move(device)), event_(*device_, event_default) {}

  EventHandle handle() const noexcept { return event_.handle(); }

  std::optional<std::chrono::nanoseconds> since(const Timestamp &earlier) const override {
    const Current current = device_->current();
    float milliseconds = 0;
    device_->api().check(
        device_->api().event_elapsed_time(
            &milliseconds, static_cast<const ClockReading &>(earlier).handle(), handle()),
        "reading the device's time");
    return std::chrono::nanoseconds(std::llround(double{milliseconds} * 1e6));
  }

private:
  std::shared_ptr<CudaDevice> device_;
  Event event_;
};

} // namespace

std::pair<Ticket, std::shared_ptr<Timestamp>> CudaStream::stamp() {
  const Current current = cuda_.current();
  auto reading = std::make_shared<ClockReading>(std::static_pointer_cast<CudaDevice>(device()));
  cuda_.api().check(cuda_.api().event_record(reading->handle(), handle_), "recording an event");
  return {put_in({}, Marking::always), std::move(reading)};
}

void CudaStream::wait_for(Ticket ticket) {
  const Current current = cuda_.current();
  Mark mark;
  {
    const std::lock_guard lock(mutex_);
    if (ticket <= done_)
      return;
    mark = mark_for(ticket);
  }
  cuda_.api().check(cuda_.api().event_synchronize(mark.event->handle()), "waiting for the device");
  const std::lock_guard lock(mutex_);
  release_done(mark.ticket);
}

bool CudaStream::reached(Ticket ticket) {
  const Current current = cuda_.current();
  const std::lock_guard lock(mutex_);
  if (ticket <= done_)
    return true;
  const Mark mark = mark_for(ticket);
  const Result result = cuda_.api().event_query(mark.event->handle());
  if (result == error_not_ready)
    return false;
  cuda_.api().check(result, "asking how far the device has come");
  release_done(mark.ticket);
  return true;
}

Ticket CudaStream::last_ticket() const noexcept {
  const std::lock_guard lock(mutex_);
  return last_;
}

} // namespace khal::detail::cuda
