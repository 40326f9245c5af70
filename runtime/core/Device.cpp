//===- Device.cpp - what all backends' devices, streams and memory do alike -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Graph.h"
#include "core/Text.h"

#include <algorithm>

namespace khal::detail {

Memory::Memory(std::shared_ptr<DeviceImpl> device, std::uint64_t bytes)
    : device_(std::move(device)), bytes_(bytes) {}

Memory::~Memory() {
  if (counted_)
    device_->uncount_memory(bytes_);
}

void Memory::count() {
  device_->count_memory(bytes_);
  counted_ = true;
}

void Memory::note_use(StreamImpl &stream, Ticket ticket) {
  const std::lock_guard lock(mutex_);
  std::erase_if(uses_, [](const Use &use) { return use.stream.expired(); });
  const std::weak_ptr<StreamImpl> user = stream.weak_from_this();
  for (Use &use : uses_)
    if (!use.stream.owner_before(user) && !user.owner_before(use.stream)) {
      use.ticket = std::max(use.ticket, ticket);
      return;
    }
  uses_.push_back({user, ticket});
}

void Memory::wait_for_uses() {
  std::vector<Use> uses;
  {
    const std::lock_guard lock(mutex_);
    uses = uses_;
  }
  // A stream that is gone has waited for its work.
  for (const Use &use : uses)
    if (const std::shared_ptr<StreamImpl> stream = use.stream.lock())
      stream->wait_for(use.ticket);
}

void DeviceImpl::open_once() {
  std::call_once(opened_, [this] { open(); });
}

std::shared_ptr<Memory> DeviceImpl::allocate(std::uint64_t bytes, Place place) {
  if (bytes > info_.limits.max_buffer_bytes)
    throw Error(ErrorCode::bad_argument,
                text("a buffer of ", describe_bytes(bytes), " is larger than ", info_.id, " (",
                     info_.name, ") can make: ", describe_bytes(info_.limits.max_buffer_bytes),
                     " at most; split the data over several buffers"));
  open_once();
  std::shared_ptr<Memory> memory;
  try {
    memory = make_memory(bytes, place);
  } catch (const Error &error) {
    if (error.code() != ErrorCode::out_of_memory)
      throw;
  }
  if (!memory)
    memory = make_memory_after_tidying(bytes, place);
  memory->count();
  return memory;
}

std::shared_ptr<Memory> DeviceImpl::make_memory_after_tidying(std::uint64_t bytes, Place place) {
  // Buffers that were dropped while work used them may still hold memory.
  wait_for_all_streams();
  trim_reserved();
  return make_memory(bytes, place);
}

void DeviceImpl::count_memory(std::uint64_t bytes) noexcept {
  ++buffers_;
  const std::uint64_t now = buffer_bytes_ += bytes;
  std::uint64_t highest = high_water_bytes_;
  while (now > highest && !high_water_bytes_.compare_exchange_weak(highest, now)) {
  }
}

void DeviceImpl::uncount_memory(std::uint64_t bytes) noexcept {
  --buffers_;
  buffer_bytes_ -= bytes;
}

MemoryStatistics DeviceImpl::memory() {
  open_once();
  MemoryStatistics statistics;
  statistics.buffers = buffers_;
  statistics.buffer_bytes = buffer_bytes_;
  statistics.high_water_bytes = high_water_bytes_;
  add_reserved(statistics);
  return statistics;
}

void DeviceImpl::trim() {
  open_once();
  trim_reserved();
}

std::shared_ptr<StreamImpl> DeviceImpl::create_stream() {
  open_once();
  std::shared_ptr<StreamImpl> stream = make_stream();
  know(stream);
  return stream;
}

void DeviceImpl::know(const std::shared_ptr<StreamImpl> &stream) {
  const std::lock_guard lock(streams_mutex_);
  std::erase_if(streams_, [](const auto &known) { return known.expired(); });
  streams_.push_back(stream);
}

std::unique_ptr<GraphImpl> DeviceImpl::create_graph() {
  open_once();
  return make_graph();
}

void DeviceImpl::prepare(const abi::Kernel &kernel) {
  open_once();
  build(kernel);
}

void DeviceImpl::wait_for_all_streams() {
  std::vector<std::weak_ptr<StreamImpl>> streams;
  {
    const std::lock_guard lock(streams_mutex_);
    streams = streams_;
  }
  for (const auto &known : streams)
    if (const std::shared_ptr<StreamImpl> stream = known.lock())
      stream->wait_for(stream->last_ticket());
}

void DeviceImpl::with_own_stream(const std::function<Ticket(StreamImpl &)> &work) {
  std::shared_ptr<StreamImpl> stream;
  Ticket ticket;
  {
    const std::lock_guard lock(own_stream_mutex_);
    if (!own_stream_)
      own_stream_ = create_stream();
    stream = own_stream_;
    ticket = work(*stream);
  }
  stream->wait_for(ticket);
}

void DeviceImpl::close() {
  const std::lock_guard lock(own_stream_mutex_);
  own_stream_.reset();
}

} // namespace khal::detail

namespace khal {

MemoryStatistics Device::memory() const {
  return impl_->memory();
}

void Device::trim() const {
  impl_->trim();
}

} // namespace khal
