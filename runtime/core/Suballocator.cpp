//===- Suballocator.cpp - many buffers in few allocations of the driver -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Suballocator.h"

#include <algorithm>
#include <bit>

namespace khal::detail {

/// An allocation of the driver's. One that is shared is halved into chunks of smallest_chunk << order
/// bytes.
struct Suballocator::Block {
  std::unique_ptr<Backing> backing;
  std::uint64_t bytes = 0;
  std::uint64_t used = 0; ///< bytes in chunks that are handed out
  bool shared = false;
  std::vector<std::set<std::uint64_t>> free; ///< offsets of free chunks by order
};

/// A chunk cut into equal pieces.
struct Suballocator::Slab {
  Block *block;
  std::uint64_t offset;
  std::uint64_t piece_bytes;
  std::vector<std::uint32_t> free; ///< numbers of pieces
  std::list<Slab>::iterator self;

  std::size_t pieces() const { return slab_bytes / piece_bytes; }
  bool empty() const { return free.size() == pieces(); }
};

Suballocator::Suballocator(Source source, std::uint64_t block_bytes)
    : source_(std::move(source)), block_bytes_(block_bytes) {}

Suballocator::~Suballocator() = default;

std::size_t Suballocator::class_of(std::uint64_t bytes) {
  return static_cast<std::size_t>(std::countr_zero(bytes) - std::countr_zero(smallest_piece));
}

unsigned Suballocator::order_of(std::uint64_t bytes) const {
  return static_cast<unsigned>(std::countr_zero(bytes) - std::countr_zero(smallest_chunk));
}

Suballocator::Range Suballocator::take(std::uint64_t bytes, std::uint64_t alignment) {
  const std::lock_guard lock(mutex_);
  // Pieces and chunks lie at multiples of their own size.
  const std::uint64_t rounded = std::bit_ceil(std::max({bytes, alignment, smallest_piece}));
  if (rounded <= largest_small)
    return take_small(rounded);
  if (rounded <= block_bytes_ / 4)
    return take_chunk(std::max(rounded, smallest_chunk));
  return take_block(bytes);
}

Suballocator::Range Suballocator::take_small(std::uint64_t bytes) {
  std::list<Slab> &slabs = slabs_[class_of(bytes)];
  if (slabs.empty() || slabs.front().free.empty()) {
    std::list<Slab> made(1);
    Slab &slab = made.front();
    slab.piece_bytes = bytes;
    slab.free.resize(slab.pieces());
    for (std::uint32_t i = 0; i < slab.free.size(); ++i)
      slab.free[i] = static_cast<std::uint32_t>(slab.free.size()) - 1 - i;
    const Range chunk = take_chunk(slab_bytes);
    slab.block = chunk.block;
    slab.offset = chunk.offset;
    slab.self = made.begin();
    slabs.splice(slabs.begin(), made);
  }
  Slab &slab = slabs.front();
  const std::uint32_t piece = slab.free.back();
  slab.free.pop_back();
  if (slab.free.empty())
    slabs.splice(slabs.end(), slabs, slab.self);
  return {slab.block->backing.get(), slab.offset + piece * bytes, bytes, slab.block, &slab};
}

Suballocator::Range Suballocator::take_chunk(std::uint64_t bytes) {
  const unsigned order = order_of(bytes);
  // The smallest free chunk of all blocks, so that large ones stay whole.
  Block *best = nullptr;
  unsigned best_order = 0;
  for (const auto &block : blocks_)
    for (unsigned o = order; block->shared && o < block->free.size(); ++o)
      if (!block->free[o].empty()) {
        if (!best || o < best_order) {
          best = block.get();
          best_order = o;
        }
        break;
      }
  if (!best) {
    best = &add_block(block_bytes_, /*shared=*/true);
    best_order = order_of(block_bytes_);
  }
  auto node = best->free[best_order].extract(best->free[best_order].begin());
  const std::uint64_t offset = node.value();
  while (best_order > order) {
    --best_order;
    best->free[best_order].insert(offset + (smallest_chunk << best_order));
  }
  best->used += bytes;
  return {best->backing.get(), offset, bytes, best, nullptr};
}

Suballocator::Range Suballocator::take_block(std::uint64_t bytes) {
  Block &block = add_block(bytes, /*shared=*/false);
  block.used = bytes;
  return {block.backing.get(), 0, bytes, &block, nullptr};
}

Suballocator::Block &Suballocator::add_block(std::uint64_t bytes, bool shared) {
  auto block = std::make_unique<Block>();
  block->bytes = bytes;
  block->shared = shared;
  if (shared) {
    block->free.resize(order_of(bytes) + 1);
    block->free.back().insert(0);
  }
  blocks_.reserve(blocks_.size() + 1);
  block->backing = source_(bytes);
  blocks_.push_back(std::move(block));
  return *blocks_.back();
}

void Suballocator::give_back(const Range &range) noexcept {
  const std::lock_guard lock(mutex_);
  if (!range.slab) {
    give_back_chunk(*range.block, range.offset, range.bytes);
    return;
  }
  Slab &slab = *range.slab;
  std::list<Slab> &slabs = slabs_[class_of(slab.piece_bytes)];
  slab.free.push_back(static_cast<std::uint32_t>((range.offset - slab.offset) / slab.piece_bytes));
  if (!slab.empty()) {
    slabs.splice(slabs.begin(), slabs, slab.self);
    return;
  }
  // One empty slab stays, so that a buffer made and dropped in a loop is cheap.
  const bool another = std::any_of(slabs.begin(), slabs.end(), [&](const Slab &other) {
    return &other != &slab && !other.free.empty();
  });
  if (!another) {
    slabs.splice(slabs.begin(), slabs, slab.self);
    return;
  }
  give_back_chunk(*slab.block, slab.offset, slab_bytes);
  slabs.erase(slab.self);
}

void Suballocator::give_back_chunk(Block &block, std::uint64_t offset,
                                   std::uint64_t bytes) noexcept {
  block.used -= bytes;
  if (block.shared) {
    unsigned order = order_of(bytes);
    for (; order + 1 < block.free.size(); ++order) {
      const std::uint64_t buddy = offset ^ (smallest_chunk << order);
      if (block.free[order].erase(buddy) == 0)
        break;
      offset = std::min(offset, buddy);
    }
    block.free[order].insert(offset);
  }
  if (block.used > 0)
    return;
  const bool is_only_spare =
      block.shared && std::none_of(blocks_.begin(), blocks_.end(), [&](const auto &other) {
        return other.get() != &block && other->shared && other->used == 0;
      });
  if (!is_only_spare)
    drop(block);
}

void Suballocator::drop(const Block &block) noexcept {
  std::erase_if(blocks_, [&](const auto &known) { return known.get() == &block; });
}

void Suballocator::drop_empty_slabs(std::size_t kind) noexcept {
  std::list<Slab> &slabs = slabs_[kind];
  for (auto slab = slabs.begin(); slab != slabs.end();)
    if (slab->empty()) {
      give_back_chunk(*slab->block, slab->offset, slab_bytes);
      slab = slabs.erase(slab);
    } else {
      ++slab;
    }
}

void Suballocator::trim() noexcept {
  const std::lock_guard lock(mutex_);
  for (std::size_t kind = 0; kind < small_classes; ++kind)
    drop_empty_slabs(kind);
  std::erase_if(blocks_, [](const auto &block) { return block->used == 0; });
}

Suballocator::Statistics Suballocator::statistics() const {
  const std::lock_guard lock(mutex_);
  Statistics all;
  for (const auto &block : blocks_) {
    all.reserved_bytes += block->bytes;
    all.free_bytes += block->bytes - block->used;
    for (std::size_t order = 0; order < block->free.size(); ++order)
      if (!block->free[order].empty())
        all.largest_free_bytes = std::max(all.largest_free_bytes, smallest_chunk << order);
  }
  for (const std::list<Slab> &slabs : slabs_)
    for (const Slab &slab : slabs) {
      all.free_bytes += slab.free.size() * slab.piece_bytes;
      if (!slab.free.empty())
        all.largest_free_bytes = std::max(all.largest_free_bytes, slab.piece_bytes);
    }
  return all;
}

} // namespace khal::detail
