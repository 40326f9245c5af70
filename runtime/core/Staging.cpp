//===- Staging.cpp - transfers by way of memory that host and device share --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Staging.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace khal::detail {

namespace {

/// Transfers in a chunk begin at multiples of this, which suits every device's copies.
constexpr std::uint64_t part_alignment = 64;

} // namespace

bool repeats_by_words(std::span<const std::byte> pattern) {
  const std::size_t size = pattern.size();
  for (std::size_t i = 0; i < size; ++i)
    if (pattern[i] != pattern[(i + 4) % size])
      return false;
  return true;
}

StagedStream::Part StagedStream::acquire(std::uint64_t bytes) {
  if (slots_[current_].used + bytes > chunk_bytes) {
    current_ = (current_ + 1) % chunk_count;
    wait_for(slots_[current_].last);
    slots_[current_].used = 0;
  }
  Slot &slot = slots_[current_];
  if (!slot.chunk)
    slot.chunk = make_chunk(chunk_bytes);
  const Part part{slot, slot.used};
  slot.used += (bytes + part_alignment - 1) / part_alignment * part_alignment;
  return part;
}

Ticket StagedStream::write(Memory &target, std::uint64_t offset, const void *source,
                           std::uint64_t bytes) {
  const auto *from = static_cast<const std::byte *>(source);
  Ticket ticket = 0;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t count = std::min(bytes - done, chunk_bytes);
    const Part part = acquire(count);
    std::memcpy(part.host(), from + done, count);
    ticket = copy_in(target, offset + done, *part.slot.chunk, part.offset, count);
    part.slot.last = ticket;
    done += count;
  }
  return ticket;
}

Ticket StagedStream::read(Memory &source, std::uint64_t offset, void *target, std::uint64_t bytes) {
  struct Pending {
    const std::byte *from;
    std::byte *to;
    std::uint64_t bytes;
    Ticket ticket;
  };
  std::deque<Pending> pending;
  const auto finish_first = [&] {
    const Pending &first = pending.front();
    wait_for(first.ticket);
    std::memcpy(first.to, first.from, first.bytes);
    pending.pop_front();
  };
  auto *to = static_cast<std::byte *>(target);
  Ticket ticket = 0;
  for (std::uint64_t done = 0; done < bytes;) {
    // Fewer than there are chunks, so that acquire() never gives one that isn't emptied yet.
    if (pending.size() + 1 == chunk_count)
      finish_first();
    const std::uint64_t count = std::min(bytes - done, chunk_bytes);
    const Part part = acquire(count);
    ticket = copy_out(source, offset + done, *part.slot.chunk, part.offset, count);
    part.slot.last = ticket;
    pending.push_back({part.host(), to + done, count, ticket});
    done += count;
  }
  while (!pending.empty())
    finish_first();
  return ticket;
}

Ticket StagedStream::fill(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                          std::span<const std::byte> pattern) {
  if (!repeats_by_words(pattern))
    return fill_staged(target, offset, bytes, pattern);
  // Up to three bytes, whole words, up to three bytes.
  std::byte values[4];
  const auto values_from = [&](std::uint64_t first) {
    for (std::size_t i = 0; i < 4; ++i)
      values[i] = pattern[(first + i) % pattern.size()];
  };
  const std::uint64_t head = std::min((4 - offset % 4) % 4, bytes);
  const std::uint64_t body = (bytes - head) / 4 * 4;
  const std::uint64_t tail = bytes - head - body;
  Ticket ticket = 0;
  if (head > 0) {
    values_from(0);
    ticket = write(target, offset, values, head);
  }
  values_from(head);
  if (body > 0) {
    std::uint32_t word = 0;
    std::memcpy(&word, values, 4);
    ticket = fill_words(target, offset + head, body, word);
  }
  if (tail > 0)
    ticket = write(target, offset + head + body, values, tail);
  return ticket;
}

Ticket StagedStream::fill_staged(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                                 std::span<const std::byte> pattern) {
  Ticket ticket = 0;
  if (pattern.size() > chunk_bytes) {
    for (std::uint64_t done = 0; done < bytes; done += pattern.size())
      ticket = write(target, offset + done, pattern.data(), pattern.size());
    return ticket;
  }
  const std::uint64_t repeated = std::min(bytes, chunk_bytes / pattern.size() * pattern.size());
  const Part part = acquire(repeated);
  fill_host(part.host(), repeated, pattern);
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t count = std::min(bytes - done, repeated);
    ticket = copy_in(target, offset + done, *part.slot.chunk, part.offset, count);
    part.slot.last = ticket;
    done += count;
  }
  return ticket;
}

} // namespace khal::detail
