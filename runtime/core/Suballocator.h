//===- Suballocator.h - many buffers in few allocations of the driver -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_SUBALLOCATOR_H
#define KHAL_RUNTIME_CORE_SUBALLOCATOR_H

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace khal::detail {

/// One allocation of the driver's; its destructor gives it back.
class Backing {
public:
  virtual ~Backing() = default;
};

/// Hands out ranges of few, large allocations:
///   - up to largest_small bytes from slabs of equal pieces, one kind of slab for each power of two;
///   - up to a quarter of a block from blocks that are halved until they fit (buddies: D. Knuth, The
///     Art of Computer Programming, vol. 1, 2.5);
///   - above that from an allocation each.
/// Every range begins at a multiple of the alignment asked for, which is a power of two no larger
/// than smallest_chunk. Thread-safe.
class Suballocator {
public:
  static constexpr std::uint64_t smallest_piece = 64;
  static constexpr std::uint64_t largest_small = 8 * 1024;
  static constexpr std::uint64_t smallest_chunk = 16 * 1024;
  static constexpr std::uint64_t slab_bytes = 64 * 1024;

  /// Gets an allocation, or throws Error out_of_memory.
  using Source = std::function<std::unique_ptr<Backing>(std::uint64_t bytes)>;

  /// `block_bytes`: a power of two, at least 4 · slab_bytes.
  Suballocator(Source source, std::uint64_t block_bytes);
  ~Suballocator();
  Suballocator(const Suballocator &) = delete;
  Suballocator &operator=(const Suballocator &) = delete;

  struct Block;
  struct Slab;
  struct Range {
    Backing *backing = nullptr;
    std::uint64_t offset = 0; ///< in the backing
    std::uint64_t bytes = 0;  ///< at least as asked for
    Block *block = nullptr;
    Slab *slab = nullptr; ///< null when it's a chunk or a block by itself
  };

  /// \throws what the source throws; nothing has changed then.
  Range take(std::uint64_t bytes, std::uint64_t alignment);
  void give_back(const Range &range) noexcept;

  /// Gives back to the driver what no range is in.
  void trim() noexcept;

  struct Statistics {
    std::uint64_t reserved_bytes = 0;     ///< in allocations of the driver's
    std::uint64_t free_bytes = 0;         ///< of those, in no range
    std::uint64_t largest_free_bytes = 0; ///< the largest range that fits without a new allocation
  };
  Statistics statistics() const;

private:
  static constexpr std::size_t small_classes = 8; ///< 64, 128, … 8192 bytes

  static std::size_t class_of(std::uint64_t bytes);
  unsigned order_of(std::uint64_t bytes) const;
  Range take_small(std::uint64_t bytes);
  Range take_chunk(std::uint64_t bytes);
  Range take_block(std::uint64_t bytes);
  Block &add_block(std::uint64_t bytes, bool shared);
  void give_back_chunk(Block &block, std::uint64_t offset, std::uint64_t bytes) noexcept;
  void drop_empty_slabs(std::size_t kind) noexcept;
  void drop(const Block &block) noexcept;

  const Source source_;
  const std::uint64_t block_bytes_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::array<std::list<Slab>, small_classes> slabs_; ///< those with free pieces come first
};

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_SUBALLOCATOR_H
