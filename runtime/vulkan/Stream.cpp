//===- Stream.cpp - work in order on a queue --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Stream.h"

#include "core/Text.h"
#include "vulkan/Device.h"
#include "vulkan/Memory.h"

#include <algorithm>
#include <cmath>

namespace khal::detail::vulkan {

namespace {

/// So many batches may wait for the device before the host waits too.
constexpr std::size_t max_in_flight = 256;

class Chunk final : public StagingChunk {
public:
  explicit Chunk(std::unique_ptr<DeviceBuffer> buffer)
      : StagingChunk(buffer->mapped()), buffer_(std::move(buffer)) {}
  VkBuffer handle() const noexcept { return buffer_->handle(); }

private:
  std::unique_ptr<DeviceBuffer> buffer_;
};

VkBuffer buffer_of(const StagingChunk &chunk) {
  return static_cast<const Chunk &>(chunk).handle();
}

} // namespace

VulkanStream::VulkanStream(std::shared_ptr<VulkanDevice> device)
    : StagedStream(device), vulkan_(*device), queue_(device->next_queue()),
      timeline_(std::make_shared<Timeline>(*device)) {}

VulkanStream::~VulkanStream() {
  try {
    wait_for(last_);
  } catch (...) {
    // The device is lost, or validation complained to the wrong one: nothing is left to wait for.
  }
}

/// Takes back what is done, and waits when too much isn't. Asking the device costs as much as
/// recording a launch, so that isn't done while there are commands that can be used again.
void VulkanStream::make_room() {
  std::optional<Ticket> oldest;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty() && in_flight_.size() < max_in_flight)
      return;
    while (!in_flight_.empty() && timeline_->reached(in_flight_.front().ticket))
      release_done(in_flight_.front().ticket);
    if (in_flight_.size() >= max_in_flight)
      oldest = in_flight_.front().ticket;
  }
  if (oldest)
    timeline_->wait(*oldest);
}

std::unique_ptr<Commands> VulkanStream::idle_commands() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty())
    return std::make_unique<Commands>(vulkan_, Commands::Use::once);
  std::unique_ptr<Commands> commands = std::move(idle_.back());
  idle_.pop_back();
  return commands;
}

Ticket VulkanStream::hand_over(VkCommandBuffer commands, Batch batch,
                               std::span<const Timeline::Point> points) {
  batch.ticket = last_ticket() + 1;
  // The batch counts as in flight before another thread can hear of its ticket.
  const std::lock_guard lock(mutex_);
  timeline_->submit(queue_, commands, points, batch.ticket);
  last_ = batch.ticket;
  in_flight_.push_back(std::move(batch));
  return last_;
}

template <class Fill>
Ticket VulkanStream::submit(const Fill &fill, std::span<const Timeline::Point> points) {
  vulkan_.instance().throw_validation_messages();
  make_room();
  std::unique_ptr<Commands> commands = idle_commands();
  commands->begin();
  fill(*commands);
  commands->end();
  for (const Timeline::Point &point : points)
    commands->keep(point.timeline);
  const VkCommandBuffer handle = commands->handle();
  const Ticket ticket = hand_over(handle, {0, std::move(commands), nullptr}, points);
  vulkan_.instance().throw_validation_messages();
  return ticket;
}

Ticket VulkanStream::replay(std::shared_ptr<Commands> commands) {
  vulkan_.instance().throw_validation_messages();
  make_room();
  const VkCommandBuffer handle = commands->handle();
  const Ticket ticket = hand_over(handle, {0, nullptr, std::move(commands)}, {});
  vulkan_.instance().throw_validation_messages();
  return ticket;
}

/// Takes back the batches up to ticket `done`. The caller holds mutex_.
void VulkanStream::release_done(Ticket done) {
  while (!in_flight_.empty() && in_flight_.front().ticket <= done) {
    if (std::unique_ptr<Commands> &commands = in_flight_.front().commands) {
      commands->let_go();
      idle_.push_back(std::move(commands));
    }
    in_flight_.pop_front();
  }
}

void VulkanStream::wait_for(Ticket ticket) {
  bool known = false;
  {
    const std::lock_guard lock(mutex_);
    known = in_flight_.empty() || in_flight_.front().ticket > ticket;
  }
  if (!known) {
    timeline_->wait(ticket);
    const std::lock_guard lock(mutex_);
    release_done(ticket);
  }
  vulkan_.instance().throw_validation_messages();
}

bool VulkanStream::reached(Ticket ticket) {
  vulkan_.instance().throw_validation_messages();
  return timeline_->reached(ticket);
}

std::optional<Ticket> VulkanStream::after(StreamImpl &other, Ticket ticket) {
  if (other.device() != device())
    return std::nullopt;
  auto &stream = static_cast<VulkanStream &>(other);
  const auto nothing = [](Commands &) {};
  if (&stream.queue_ == &queue_) // a batch begins after all that its queue was given before
    return submit(nothing);
  if (!stream.timeline_->can_be_awaited())
    return std::nullopt;
  const Timeline::Point points[] = {{stream.timeline_, ticket}};
  return submit(nothing, points);
}

namespace {

/// Whether work was done in spite of an error that a wait for it ended with.
bool is_only_complaint(const std::exception_ptr &error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error &known) {
    return known.code() == ErrorCode::validation;
  } catch (...) {
    return false;
  }
}

} // namespace

Ticket VulkanStream::call(std::function<void()> function) {
  const Ticket before = last_ticket();
  if (!timeline_->can_be_awaited()) {
    wait_for(before);
    function();
    return before;
  }
  if (!calls_)
    calls_ = std::make_shared<Timeline>(vulkan_);
  const Ticket turn = ++last_call_;
  when_done(before, [this, turn, function = std::move(function)](std::exception_ptr error) {
    if (!error || is_only_complaint(error))
      function();
    try {
      calls_->signal(turn);
    } catch (...) {
      error = std::current_exception();
    }
    if (error)
      note_failed_call(error);
  });
  const Timeline::Point points[] = {{calls_, turn}};
  return submit([](Commands &) {}, points);
}

/// A query that the device writes its clock to.
class VulkanStream::ClockReading final : public Timestamp {
public:
  explicit ClockReading(std::shared_ptr<VulkanDevice> device) : device_(std::move(device)) {
    VkQueryPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = 1;
    check(device_->fn().CreateQueryPool(device_->handle(), &info, nullptr, &pool_),
          "making a query for the time");
  }
  ~ClockReading() override { device_->fn().DestroyQueryPool(device_->handle(), pool_, nullptr); }

  VkQueryPool query() const noexcept { return pool_; }

  std::optional<std::chrono::nanoseconds> since(const Timestamp &earlier) const override {
    const std::uint32_t bits = device_->physical().timestamp_bits;
    std::uint64_t ticks = value() - static_cast<const ClockReading &>(earlier).value();
    if (bits < 64) // the clock runs over
      ticks &= (std::uint64_t{1} << bits) - 1;
    const double period = device_->physical().limits.timestampPeriod;
    return std::chrono::nanoseconds(std::llround(static_cast<double>(ticks) * period));
  }

private:
  std::uint64_t value() const {
    std::uint64_t ticks = 0;
    check(device_->fn().GetQueryPoolResults(device_->handle(), pool_, 0, 1, sizeof(ticks), &ticks,
                                            sizeof(ticks), VK_QUERY_RESULT_64_BIT),
          "reading the device's time");
    return ticks;
  }

  std::shared_ptr<VulkanDevice> device_;
  VkQueryPool pool_ = VK_NULL_HANDLE;
};

namespace {

class NoClock final : public Timestamp {
public:
  std::optional<std::chrono::nanoseconds> since(const Timestamp &) const override {
    return std::nullopt;
  }
};

} // namespace

std::pair<Ticket, std::shared_ptr<Timestamp>> VulkanStream::stamp() {
  if (vulkan_.physical().timestamp_bits == 0)
    return {last_ticket(), std::make_shared<NoClock>()};
  auto reading = std::make_shared<ClockReading>(std::static_pointer_cast<VulkanDevice>(device()));
  const Ticket ticket = submit([&](Commands &commands) {
    commands.keep(reading);
    commands.write_time(reading->query());
  });
  return {ticket, std::move(reading)};
}

Ticket VulkanStream::last_ticket() const noexcept {
  const std::lock_guard lock(mutex_);
  return last_;
}

Ticket VulkanStream::launch(const KernelLaunch &launch) {
  return submit([&](Commands &commands) { commands.launch(launch); });
}

Ticket VulkanStream::copy(Memory &target, std::uint64_t target_offset, Memory &source,
                          std::uint64_t source_offset, std::uint64_t bytes) {
  return submit([&](Commands &commands) {
    commands.keep(target.shared_from_this());
    if (host_reads(target))
      commands.show_to_host();
    commands.keep(source.shared_from_this());
    commands.copy(buffer_of(target), target_offset, buffer_of(source), source_offset, bytes);
  });
}

std::unique_ptr<StagingChunk> VulkanStream::make_chunk(std::uint64_t bytes) {
  return std::make_unique<Chunk>(
      std::make_unique<DeviceBuffer>(vulkan_, bytes, DeviceBuffer::Kind::staging));
}

Ticket VulkanStream::copy_in(Memory &target, std::uint64_t offset, StagingChunk &chunk,
                             std::uint64_t chunk_offset, std::uint64_t bytes) {
  return submit([&](Commands &commands) {
    commands.keep(target.shared_from_this());
    if (host_reads(target))
      commands.show_to_host();
    commands.copy(buffer_of(target), offset, buffer_of(chunk), chunk_offset, bytes);
  });
}

Ticket VulkanStream::copy_out(Memory &source, std::uint64_t offset, StagingChunk &chunk,
                              std::uint64_t chunk_offset, std::uint64_t bytes) {
  return submit([&](Commands &commands) {
    commands.keep(source.shared_from_this());
    commands.show_to_host();
    commands.copy(buffer_of(chunk), chunk_offset, buffer_of(source), offset, bytes);
  });
}

Ticket VulkanStream::fill_words(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                                std::uint32_t word) {
  return submit([&](Commands &commands) {
    commands.keep(target.shared_from_this());
    if (host_reads(target))
      commands.show_to_host();
    commands.fill(buffer_of(target), offset, bytes, word);
  });
}

} // namespace khal::detail::vulkan
