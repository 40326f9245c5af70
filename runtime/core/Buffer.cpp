//===- Buffer.cpp - memory operations ---------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Backend.h"
#include "core/Text.h"
#include "khal/host/workspace.hpp"

#include <algorithm>
#include <cstring>

namespace khal::detail {

namespace {

[[noreturn]] void bad(const std::string &sentence) {
  throw Error(ErrorCode::bad_argument, sentence);
}

void require(const Memory *memory) {
  if (!memory)
    bad("this khal::Buffer or khal::Slice has no memory: it was moved from or never made; make one "
        "with Device::buffer, zeros or upload");
}

/// The stream's implementation, of the same device as the memory.
StreamImpl &require(const Stream &stream, const Memory &memory) {
  if (!stream.impl())
    bad("this khal::Stream was moved from: use the one that it was moved to, or make a new one");
  if (stream.impl()->device() != memory.device())
    bad(text("the stream is of ", stream.impl()->device()->info().id, ", but the buffer of ",
             memory.device()->info().id, ": use a stream of the buffer's device"));
  return *stream.impl();
}

} // namespace

// Doubles what is there, so that long fills are long copies.
void fill_host(std::byte *target, std::uint64_t bytes, std::span<const std::byte> pattern) {
  if (pattern.size() == 1) {
    std::memset(target, std::to_integer<int>(pattern[0]), bytes);
    return;
  }
  std::memcpy(target, pattern.data(), pattern.size());
  for (std::uint64_t done = pattern.size(); done < bytes;) {
    const std::uint64_t more = std::min(done, bytes - done);
    std::memcpy(target + done, target, more);
    done += more;
  }
}

std::shared_ptr<Memory> allocate(const Device &device, std::size_t count, std::size_t element_size,
                                 Place place) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(std::uint64_t{count}, std::uint64_t{element_size}, &bytes))
    bad(text("a buffer of ", count, " elements of ", element_size,
             " bytes is larger than any memory"));
  return device.impl()->allocate(bytes, place);
}

void write(Memory *memory, std::uint64_t offset, const void *source, std::uint64_t bytes,
           Stream *stream) {
  require(memory);
  if (stream) {
    StreamImpl &queue = require(*stream, *memory);
    if (bytes > 0)
      memory->note_use(queue, queue.write(*memory, offset, source, bytes));
    return;
  }
  if (bytes == 0)
    return;
  memory->wait_for_uses();
  if (std::byte *mapped = memory->mapped()) {
    std::memcpy(mapped + offset, source, bytes);
    return;
  }
  memory->device()->with_own_stream(
      [&](StreamImpl &own) { return own.write(*memory, offset, source, bytes); });
}

void read(Memory *memory, std::uint64_t offset, void *target, std::uint64_t bytes) {
  require(memory);
  if (bytes == 0)
    return;
  memory->wait_for_uses();
  if (const std::byte *mapped = memory->mapped()) {
    std::memcpy(target, mapped + offset, bytes);
    return;
  }
  memory->device()->with_own_stream(
      [&](StreamImpl &own) { return own.read(*memory, offset, target, bytes); });
}

namespace {

/// From one device to another: through the host, a piece at a time.
void copy_between_devices(Memory &target, std::uint64_t target_offset, Memory &source,
                          std::uint64_t source_offset, std::uint64_t bytes) {
  std::vector<std::byte> piece(std::min<std::uint64_t>(bytes, 16u << 20));
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t count = std::min<std::uint64_t>(bytes - done, piece.size());
    read(&source, source_offset + done, piece.data(), count);
    write(&target, target_offset + done, piece.data(), count, nullptr);
    done += count;
  }
}

} // namespace

void copy(Memory *target, std::uint64_t target_offset, Memory *source, std::uint64_t source_offset,
          std::uint64_t bytes, Stream *stream) {
  require(target);
  require(source);
  StreamImpl *queue = stream ? &require(*stream, *target) : nullptr;
  if (target == source && target_offset < source_offset + bytes &&
      source_offset < target_offset + bytes)
    bad("copy_from: source and target overlap in one buffer; copy by way of another buffer");
  if (bytes == 0)
    return;
  if (target->device() != source->device()) {
    if (queue)
      bad(text("copy_from: the source is on ", source->device()->info().id, " and the stream on ",
               target->device()->info().id,
               ": a copy between devices can't be queued; call copy_from without the stream"));
    copy_between_devices(*target, target_offset, *source, source_offset, bytes);
    return;
  }
  if (queue) {
    const Ticket ticket = queue->copy(*target, target_offset, *source, source_offset, bytes);
    target->note_use(*queue, ticket);
    source->note_use(*queue, ticket);
    return;
  }
  target->wait_for_uses();
  source->wait_for_uses();
  if (target->mapped() && source->mapped()) {
    std::memcpy(target->mapped() + target_offset, source->mapped() + source_offset, bytes);
    return;
  }
  target->device()->with_own_stream([&](StreamImpl &own) {
    return own.copy(*target, target_offset, *source, source_offset, bytes);
  });
}

void fill(Memory *memory, std::uint64_t offset, std::uint64_t bytes, const void *pattern,
          std::size_t pattern_bytes, Stream *stream) {
  require(memory);
  const std::span repeated(static_cast<const std::byte *>(pattern), pattern_bytes);
  if (stream) {
    StreamImpl &queue = require(*stream, *memory);
    if (bytes > 0)
      memory->note_use(queue, queue.fill(*memory, offset, bytes, repeated));
    return;
  }
  if (bytes == 0)
    return;
  memory->wait_for_uses();
  if (std::byte *mapped = memory->mapped()) {
    fill_host(mapped + offset, bytes, repeated);
    return;
  }
  memory->device()->with_own_stream(
      [&](StreamImpl &own) { return own.fill(*memory, offset, bytes, repeated); });
}

void check_slice(std::size_t first, std::size_t count, std::size_t size) {
  if (first > size || count > size - first)
    bad(text("slice(", first, ", ", count, ") reaches beyond the ", size,
             " elements that there are"));
}

void check_same_count(const char *what, std::size_t given, std::size_t size) {
  if (given != size)
    bad(text(what, ": ", given, " elements for a buffer or slice of ", size,
             ": the counts must be the same; use slice(first, count) for a part"));
}

void *map(Memory *memory) {
  require(memory);
  memory->wait_for_uses();
  return memory->mapped();
}

void wait_for_uses(Memory *memory) {
  memory->wait_for_uses();
}

void close(DeviceImpl &device) {
  device.close();
}

Device device_of(Memory *memory) {
  require(memory);
  return Device(memory->device());
}

} // namespace khal::detail

namespace khal {

std::size_t Workspace::reserve(std::size_t count, std::size_t element_size, std::size_t step) {
  const std::size_t begin = (used_ + step - 1) / step * step;
  const std::size_t all = memory_.size();
  if (begin > all || count > (all - begin) / element_size)
    throw Error(ErrorCode::out_of_memory,
                detail::text("khal::Workspace: ", count, " elements of ", element_size,
                             " bytes don't fit: ", used_, " of its ", all,
                             " bytes are in use; reset() it, or make a larger one"));
  used_ = begin + count * element_size;
  high_water_ = std::max(high_water_, used_);
  return begin;
}

} // namespace khal
