//===- Staging.h - transfers by way of memory that host and device share ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For backends whose buffers the host can't reach: a stream that moves data through a small ring of
// chunks which both sides can. The host fills or empties one chunk while the device copies another.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_STAGING_H
#define KHAL_RUNTIME_CORE_STAGING_H

#include "core/Backend.h"

namespace khal::detail {

/// Memory that the host can write and read, and the device copy from and to.
class StagingChunk {
public:
  explicit StagingChunk(std::byte *host) : host_(host) {}
  virtual ~StagingChunk() = default;
  StagingChunk(const StagingChunk &) = delete;
  StagingChunk &operator=(const StagingChunk &) = delete;

  std::byte *host() const noexcept { return host_; }

private:
  std::byte *const host_;
};

/// Implements write, read and fill over copies from and to chunks.
class StagedStream : public StreamImpl {
public:
  static constexpr std::uint64_t chunk_bytes = 2u << 20;
  static constexpr std::size_t chunk_count = 4;

  using StreamImpl::StreamImpl;

  Ticket write(Memory &target, std::uint64_t offset, const void *source, std::uint64_t bytes) final;
  Ticket read(Memory &source, std::uint64_t offset, void *target, std::uint64_t bytes) final;
  Ticket fill(Memory &target, std::uint64_t offset, std::uint64_t bytes,
              std::span<const std::byte> pattern) final;

protected:
  virtual std::unique_ptr<StagingChunk> make_chunk(std::uint64_t bytes) = 0;
  virtual Ticket copy_in(Memory &target, std::uint64_t offset, StagingChunk &chunk,
                         std::uint64_t chunk_offset, std::uint64_t bytes) = 0;
  virtual Ticket copy_out(Memory &source, std::uint64_t offset, StagingChunk &chunk,
                          std::uint64_t chunk_offset, std::uint64_t bytes) = 0;
  /// `offset` and `bytes` are multiples of 4.
  virtual Ticket fill_words(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                            std::uint32_t word) = 0;

private:
  struct Slot {
    std::unique_ptr<StagingChunk> chunk;
    std::uint64_t used = 0; ///< bytes from its start that are spoken for
    Ticket last = 0;        ///< when they are free again
  };
  struct Part {
    Slot &slot;
    std::uint64_t offset;
    std::byte *host() const { return slot.chunk->host() + offset; }
  };
  /// `bytes` of a chunk, at most chunk_bytes; waits until they are free.
  Part acquire(std::uint64_t bytes);
  Ticket fill_staged(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                     std::span<const std::byte> pattern);

  std::array<Slot, chunk_count> slots_;
  std::size_t current_ = 0;
};

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_STAGING_H
