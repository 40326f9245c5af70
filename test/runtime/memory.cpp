//===- memory.cpp - tests of where buffers come from ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include "core/Suballocator.h"

#include <map>
#include <random>

namespace test {
namespace {

using khal::Buffer;
using khal::ErrorCode;
using khal::MemoryStatistics;
using khal::Slice;
using khal::Stream;
using khal::Workspace;
using khal::detail::Backing;
using khal::detail::Suballocator;

constexpr std::uint64_t block_bytes = 1u << 20;

/// Counts what is taken from "the driver", and refuses above a limit.
struct Driver {
  struct Allocation final : Backing {
    Allocation(Driver &owner, std::uint64_t size) : driver(owner), bytes(size) {}
    ~Allocation() override {
      driver.reserved -= bytes;
      --driver.allocations;
    }
    Driver &driver;
    const std::uint64_t bytes;
  };
  std::unique_ptr<Backing> allocate(std::uint64_t bytes) {
    if (reserved + bytes > limit)
      throw khal::Error(ErrorCode::out_of_memory, "no more");
    auto allocation = std::make_unique<Allocation>(*this, bytes);
    reserved += bytes;
    ++allocations;
    return allocation;
  }
  Suballocator::Source source() {
    return [this](std::uint64_t bytes) { return allocate(bytes); };
  }
  std::uint64_t reserved = 0, limit = std::uint64_t{1} << 40;
  int allocations = 0;
};

/// Ranges that are live, which must not share a byte.
class Live {
public:
  void add(const Suballocator::Range &range) {
    const auto &allocation = static_cast<const Driver::Allocation &>(*range.backing);
    EXPECT_LE(range.offset + range.bytes, allocation.bytes);
    auto &ranges = ranges_[range.backing];
    const auto next = ranges.lower_bound(range.offset);
    if (next != ranges.end()) {
      EXPECT_LE(range.offset + range.bytes, next->first);
    }
    if (next != ranges.begin()) {
      EXPECT_LE(std::prev(next)->second, range.offset);
    }
    ranges.emplace(range.offset, range.offset + range.bytes);
  }
  void remove(const Suballocator::Range &range) {
    auto &ranges = ranges_[range.backing];
    ranges.erase(range.offset);
    if (ranges.empty())
      ranges_.erase(range.backing);
  }

private:
  std::map<const Backing *, std::map<std::uint64_t, std::uint64_t>> ranges_;
};

TEST(Suballocators, GiveRangesThatNeverOverlap) {
  Driver driver;
  Suballocator ranges(driver.source(), block_bytes);
  Live live;
  std::vector<Suballocator::Range> held;
  std::mt19937 random(1);
  for (int turn = 0; turn < 30'000; ++turn) {
    if (held.size() < 20 || (held.size() < 600 && random() % 2)) {
      const std::uint64_t bytes = 1 + random() % (std::uint64_t{1} << random() % 20);
      const std::uint64_t alignment = std::uint64_t{16} << random() % 6;
      const Suballocator::Range range = ranges.take(bytes, alignment);
      ASSERT_GE(range.bytes, bytes);
      ASSERT_EQ(range.offset % alignment, 0u);
      live.add(range);
      held.push_back(range);
    } else {
      std::swap(held[random() % held.size()], held.back());
      live.remove(held.back());
      ranges.give_back(held.back());
      held.pop_back();
    }
    if (turn % 100 == 0) {
      const Suballocator::Statistics statistics = ranges.statistics();
      std::uint64_t used = 0;
      for (const Suballocator::Range &range : held)
        used += range.bytes;
      ASSERT_EQ(statistics.reserved_bytes, driver.reserved);
      ASSERT_EQ(statistics.reserved_bytes - statistics.free_bytes, used);
      ASSERT_LE(statistics.largest_free_bytes, statistics.free_bytes);
    }
  }
  for (const Suballocator::Range &range : held)
    ranges.give_back(range);
  EXPECT_EQ(ranges.statistics().free_bytes, driver.reserved);
  ranges.trim();
  EXPECT_EQ(driver.reserved, 0u);
  EXPECT_EQ(driver.allocations, 0);
}

TEST(Suballocators, JoinWhatIsGivenBack) {
  Driver driver;
  Suballocator ranges(driver.source(), block_bytes);
  std::vector<Suballocator::Range> held;
  for (std::uint64_t i = 0; i < block_bytes / Suballocator::smallest_chunk; ++i)
    held.push_back(ranges.take(Suballocator::smallest_chunk, 256));
  EXPECT_EQ(driver.allocations, 1);
  EXPECT_EQ(ranges.statistics().free_bytes, 0u);
  for (std::size_t i = 0; i < held.size(); i += 2)
    ranges.give_back(held[i]);
  EXPECT_EQ(ranges.statistics().free_bytes, block_bytes / 2);
  EXPECT_EQ(ranges.statistics().largest_free_bytes, Suballocator::smallest_chunk);
  for (std::size_t i = 1; i < held.size(); i += 2)
    ranges.give_back(held[i]);
  EXPECT_EQ(ranges.statistics().largest_free_bytes, block_bytes);
  EXPECT_EQ(driver.allocations, 1); // one block stays
  ranges.trim();
  EXPECT_EQ(driver.allocations, 0);
}

TEST(Suballocators, GiveLargeRangesAnAllocationEach) {
  Driver driver;
  Suballocator ranges(driver.source(), block_bytes);
  const Suballocator::Range large = ranges.take(block_bytes / 4 + 1, 256);
  EXPECT_EQ(driver.reserved, block_bytes / 4 + 1);
  ranges.give_back(large);
  EXPECT_EQ(driver.allocations, 0);
}

TEST(Suballocators, StayWholeWhenTheDriverRefuses) {
  Driver driver;
  driver.limit = 2 * block_bytes;
  Suballocator ranges(driver.source(), block_bytes);
  Live live;
  std::vector<Suballocator::Range> held;
  const auto use_up = [&](std::uint64_t bytes) {
    try {
      for (;;) {
        held.push_back(ranges.take(bytes, 16));
        live.add(held.back());
      }
    } catch (const khal::Error &error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    }
  };
  for (const std::uint64_t bytes : {block_bytes / 4, std::uint64_t{100'000}, std::uint64_t{20'000},
                                    std::uint64_t{3000}, std::uint64_t{64}})
    use_up(bytes);
  EXPECT_EQ(ranges.statistics().free_bytes, 0u);
  for (const Suballocator::Range &range : held)
    ranges.give_back(range);
  ranges.trim();
  EXPECT_EQ(driver.reserved, 0u);
}

class MemoryUse : public OnDevice {};

TEST_P(MemoryUse, IsCounted) {
  const MemoryStatistics before = device.memory();
  {
    const Buffer<std::uint8_t> a = device.buffer<std::uint8_t>(1000);
    const Buffer<std::uint8_t> b = device.buffer<std::uint8_t>(100'000);
    const MemoryStatistics now = device.memory();
    EXPECT_EQ(now.buffers, before.buffers + 2);
    EXPECT_EQ(now.buffer_bytes, before.buffer_bytes + 101'000);
    EXPECT_GE(now.high_water_bytes, now.buffer_bytes);
    EXPECT_GE(now.reserved_bytes, now.buffer_bytes);
    EXPECT_LE(now.largest_free_bytes, now.free_bytes);
    EXPECT_GE(now.fragmentation(), 0);
    EXPECT_LT(now.fragmentation(), 1);
  }
  const MemoryStatistics after = device.memory();
  EXPECT_EQ(after.buffers, before.buffers);
  EXPECT_EQ(after.buffer_bytes, before.buffer_bytes);
  EXPECT_GE(after.high_water_bytes, before.buffer_bytes + 101'000);
}

TEST_P(MemoryUse, IsTrimmed) {
  {
    const Buffer<std::uint8_t> small = device.buffer<std::uint8_t>(50'000);
    device.trim(); // leaves what is in use
    EXPECT_GE(device.memory().reserved_bytes, 50'000u);
  }
  Buffer<u32> kept = device.upload(counted<u32>(1000));
  device.trim();
  device.trim();
  EXPECT_EQ(kept.download(), counted<u32>(1000));
}

TEST_P(MemoryUse, OfARefusedBufferIsNotCounted) {
  const MemoryStatistics before = device.memory();
  expect_error(ErrorCode::bad_argument, {"at most"}, [&] {
    (void)device.buffer<std::uint8_t>(device.info().limits.max_buffer_bytes + 1);
  });
  const MemoryStatistics after = device.memory();
  EXPECT_EQ(after.buffers, before.buffers);
  EXPECT_EQ(after.high_water_bytes, before.high_water_bytes);
}

TEST_P(MemoryUse, EndsAtOnceWhenABufferIsReleased) {
  Stream stream(device);
  Buffer<u32> x = device.zeros<u32>(64);
  const std::uint64_t before = device.memory().buffers;
  for (int i = 0; i < 10; ++i)
    spin(stream, khal::threads(64), x, 50'000);
  x.release();
  EXPECT_TRUE(stream.done());
  EXPECT_EQ(x.size(), 0u);
  EXPECT_EQ(device.memory().buffers, before - 1);
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { (void)x.download(); });
  x.release(); // of nothing does nothing
  // A slice keeps the memory.
  Buffer<u32> y = device.upload(counted<u32>(64));
  const Slice<u32> slice = y.slice(3, 2);
  y.release();
  EXPECT_EQ(slice.download(), (std::vector<u32>{3, 4}));
}

TEST_P(MemoryUse, IsSharedWithTheHostWithoutCopies) {
  Buffer<u32> x = device.upload(counted<u32>(64));
  const std::span<u32> host = x.host();
  if (!device.info().shares_host_memory) {
    EXPECT_TRUE(host.empty());
    return;
  }
  ASSERT_EQ(host.size(), 64u);
  host[5] = 1000;
  Stream stream(device);
  step(stream, khal::threads(64), x, 1);
  const std::span<const u32> part = std::as_const(x).slice(5, 2).host(); // waits
  EXPECT_EQ(part[0], 3001u);
  EXPECT_EQ(part[1], 19u);
  EXPECT_EQ(part.data(), host.data() + 5);
}

TEST_P(MemoryUse, OfAWorkspaceIsTakenAndGivenBackTogether) {
  Workspace space(device, 100'000);
  Stream stream(device);
  const std::uint64_t buffers = device.memory().buffers;
  for (u32 round = 0; round < 5; ++round) {
    Slice<u32> a = space.take<u32>(100);
    Slice<std::uint8_t> b = space.take<std::uint8_t>(77);
    Slice<u32> c = space.take<u32>(100);
    EXPECT_EQ(c.offset() % 256, 0u);
    a.upload(stream, counted<u32>(100, round));
    b.fill(stream, 0xff);
    c.copy_from(stream, a);
    step(stream, khal::threads(100), c, 1);
    EXPECT_EQ(c.download()[99], (99 + round) * 3 + 1);
    EXPECT_EQ(a.download()[99], 99 + round);
    space.reset();
    EXPECT_EQ(space.used_bytes(), 0u);
  }
  EXPECT_EQ(device.memory().buffers, buffers);
  EXPECT_GE(space.high_water_bytes(), 977u);
  EXPECT_LE(space.high_water_bytes(), 1500u);
}

TEST_P(MemoryUse, OfAWorkspaceHasAnEnd) {
  Workspace space(device, 1000);
  struct Odd {
    char bytes[7];
  };
  Slice<Odd> first = space.take<Odd>(3);
  EXPECT_EQ(first.size(), 3u);
  const std::size_t used = space.used_bytes();
  expect_error(ErrorCode::out_of_memory, {"Workspace", "reset"},
               [&] { (void)space.take<u32>(300); });
  expect_error(ErrorCode::out_of_memory, {"Workspace"},
               [&] { (void)space.take<double>(std::numeric_limits<std::size_t>::max()); });
  EXPECT_EQ(space.used_bytes(), used);
  EXPECT_EQ(space.take<u32>(100).size(), 100u);
}

KHAL_ON_EVERY_DEVICE(MemoryUse);

} // namespace
} // namespace test
