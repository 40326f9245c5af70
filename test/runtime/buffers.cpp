//===- buffers.cpp - tests of buffers and slices ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include <khal/khal.hpp>

#include <cstdlib>
#include <thread>

namespace test {
namespace {

using khal::Buffer;
using khal::ErrorCode;
using khal::Slice;

struct Odd {
  char c[3];
  bool operator==(const Odd &) const = default;
};
struct Particle {
  khal::float3 position;
  float mass;
  std::uint16_t kind;
};

/// Around the sizes of words, work-groups and staging chunks.
const std::size_t sizes[] = {0,
                             1,
                             2,
                             3,
                             5,
                             16,
                             63,
                             64,
                             1023,
                             4097,
                             65537,
                             (2u << 20) - 1,
                             2u << 20,
                             (2u << 20) + 1,
                             (9u << 20) + 3};

void recorded_copies(Stream &stream, Buffer<u32> &outside, Buffer<u32> &inside) {
  inside.copy_from(stream, outside);
  step(stream, khal::threads(inside.size()), inside, 2);
  outside.copy_from(stream, inside);
}

class Buffers : public OnDevice {};

TEST_P(Buffers, ComeBackAsTheyWent) {
  for (const std::size_t size : sizes) {
    const std::vector<std::uint8_t> values = counted<std::uint8_t>(size, 7);
    const Buffer<std::uint8_t> buffer = device.upload(values);
    EXPECT_EQ(buffer.size(), size);
    EXPECT_EQ(buffer.download(), values) << size;
  }
}

TEST_P(Buffers, HoldAnyTriviallyCopyableType) {
  std::vector<Particle> particles(33);
  for (std::size_t i = 0; i < particles.size(); ++i)
    particles[i] = {{float(i), 2, 3}, float(i) * 0.5f, std::uint16_t(i)};
  const std::vector<Particle> back = device.upload(particles).download();
  ASSERT_EQ(back.size(), particles.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].position.x, particles[i].position.x);
    EXPECT_EQ(back[i].mass, particles[i].mass);
    EXPECT_EQ(back[i].kind, particles[i].kind);
  }
  const bool flags[] = {true, false, true};
  EXPECT_EQ(device.upload(flags).download(), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(device.upload<double>({1, 2.5}).download(), (std::vector<double>{1, 2.5}));
}

TEST_P(Buffers, BeginWithZeros) {
  for (const std::size_t size : sizes)
    EXPECT_EQ(device.zeros<std::uint8_t>(size).download(), std::vector<std::uint8_t>(size)) << size;
}

TEST_P(Buffers, DownloadIntoTheCallersMemory) {
  const Buffer<int> buffer = device.upload(counted<int>(100));
  std::array<int, 100> target{};
  buffer.download(target);
  EXPECT_TRUE(std::ranges::equal(target, counted<int>(100)));
  std::array<int, 99> small{};
  expect_error(ErrorCode::bad_argument, {"download", "99", "100", "slice"},
               [&] { buffer.download(small); });
}

TEST_P(Buffers, AreUploadedAgainInWholeOrInPart) {
  Buffer<int> buffer = device.zeros<int>(10);
  buffer.slice(3, 4).upload(counted<int>(4, 1));
  EXPECT_EQ(buffer.download(), (std::vector<int>{0, 0, 0, 1, 2, 3, 4, 0, 0, 0}));
  buffer.upload(counted<int>(10));
  EXPECT_EQ(buffer.slice(8).download(), (std::vector<int>{8, 9}));
  expect_error(ErrorCode::bad_argument, {"upload", "3 elements", "10"},
               [&] { buffer.upload(counted<int>(3)); });
}

/// Fills elements 3 to size - 2 and looks at all of them.
template <class T> void check_fill(const khal::Device &device, std::size_t size, const T &value) {
  std::vector<T> expected(size);
  Buffer<T> buffer = device.upload(expected);
  std::fill(expected.begin() + 3, expected.end() - 2, value);
  buffer.slice(3, size - 5).fill(value);
  EXPECT_TRUE(buffer.download() == expected) << size << " elements of " << sizeof(T);
  khal::Stream stream(device);
  std::fill(expected.begin() + 1, expected.end() - 1, T{});
  buffer.slice(1, size - 2).fill(stream, T{});
  EXPECT_TRUE(buffer.download() == expected) << size << " elements of " << sizeof(T);
}

TEST_P(Buffers, FillWithAnyPattern) {
  for (const std::size_t size :
       {std::size_t{6}, std::size_t{7}, std::size_t{8}, std::size_t{1000}, std::size_t{1500001}}) {
    check_fill<std::uint8_t>(device, size, 0xa5);
    check_fill<std::uint16_t>(device, size, 0xbeef);
    check_fill<std::uint32_t>(device, size, 0xdeadbeef);
    check_fill<double>(device, size, 0.1);
    check_fill<Odd>(device, size, {{'a', 'b', 'c'}});
    check_fill<Odd>(device, size, {{'x', 'x', 'x'}});
    check_fill<std::array<float, 3>>(device, size, {1, 2, 3});
  }
}

TEST_P(Buffers, FillWithElementsLargerThanAStagingChunk) {
  struct Huge {
    std::uint8_t bytes[(2u << 20) + 100];
  };
  const auto value = std::make_unique<Huge>();
  for (std::size_t i = 0; i < sizeof(Huge); ++i)
    value->bytes[i] = std::uint8_t(i * 7);
  Buffer<Huge> buffer = device.buffer<Huge>(2);
  buffer.fill(*value);
  const std::vector<Huge> back = buffer.download();
  EXPECT_TRUE(std::ranges::equal(back[1].bytes, value->bytes));
}

TEST_P(Buffers, CopyOnADevice) {
  const std::vector<std::uint8_t> values = counted<std::uint8_t>(3000);
  const Buffer<std::uint8_t> source = device.upload(values);
  Buffer<std::uint8_t> target = device.zeros<std::uint8_t>(3000);
  target.slice(1, 2001).copy_from(source.slice(7, 2001));
  std::vector<std::uint8_t> expected(3000);
  std::copy(values.begin() + 7, values.begin() + 2008, expected.begin() + 1);
  EXPECT_EQ(target.download(), expected);

  khal::Stream stream(device);
  target.copy_from(stream, source);
  target.slice(0, 10).copy_from(stream, target.slice(100, 10));
  std::vector<std::uint8_t> moved = values;
  std::copy(values.begin() + 100, values.begin() + 110, moved.begin());
  EXPECT_EQ(target.download(), moved);

  expect_error(ErrorCode::bad_argument, {"overlap"},
               [&] { target.slice(0, 10).copy_from(target.slice(9, 10)); });
  expect_error(ErrorCode::bad_argument, {"copy_from", "10", "9"},
               [&] { target.slice(0, 9).copy_from(target.slice(20, 10)); });
}

TEST_P(Buffers, CopyBetweenDevices) {
  const std::vector<int> values = counted<int>(5'000'000);
  const Buffer<int> here = device.upload(values);
  for (const khal::Device &other : khal::Device::all()) {
    Buffer<int> there = other.buffer<int>(values.size());
    there.copy_from(here);
    EXPECT_EQ(there.download(), values) << other.info().id;
    if (other == device)
      continue;
    khal::Stream stream(other);
    expect_error(ErrorCode::bad_argument, {device.info().id, other.info().id, "without the stream"},
                 [&] { there.copy_from(stream, here); });
  }
}

TEST_P(Buffers, SlicesStayInBounds) {
  Buffer<int> buffer = device.upload(counted<int>(10));
  EXPECT_EQ(buffer.slice(10, 0).size(), 0u);
  EXPECT_EQ(buffer.slice(2, 6).slice(1, 3).download(), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(buffer.slice(2).slice(7).download(), (std::vector<int>{9}));
  expect_error(ErrorCode::bad_argument, {"slice(11, 0)", "10"}, [&] { buffer.slice(11); });
  expect_error(ErrorCode::bad_argument, {"slice(5, 6)", "10"}, [&] { buffer.slice(5, 6); });
  expect_error(ErrorCode::bad_argument, {"slice"},
               [&] { buffer.slice(1, std::numeric_limits<std::size_t>::max()); });
  expect_error(ErrorCode::bad_argument, {"slice(2, 5)", "6"},
               [&] { buffer.slice(2, 6).slice(2, 5); });
}

TEST_P(Buffers, SlicesKeepTheMemory) {
  Slice<const int> slice;
  expect_error(ErrorCode::bad_argument, {"never made"}, [&] { (void)slice.device(); });
  {
    Buffer<int> buffer = device.upload(counted<int>(1000));
    slice = buffer.slice(500, 3);
  }
  EXPECT_EQ(slice.download(), (std::vector<int>{500, 501, 502}));
  EXPECT_EQ(slice.device(), device);
}

TEST_P(Buffers, SayThatTheyWereMovedFrom) {
  Buffer<int> buffer = device.upload(counted<int>(4));
  Buffer<int> target = std::move(buffer);
  EXPECT_EQ(target.download(), counted<int>(4));
  EXPECT_EQ(buffer.size(), 0u); // NOLINT(bugprone-use-after-move): what it's about
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { (void)buffer.download(); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { buffer.fill(1); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { buffer.upload({}); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { (void)buffer.device(); });
  Buffer<int> unmade;
  expect_error(ErrorCode::bad_argument, {"never made"}, [&] { (void)unmade.download(); });
  buffer = std::move(target);
  EXPECT_EQ(buffer.download(), counted<int>(4));
}

TEST_P(Buffers, TooLargeIsAnError) {
  expect_error(ErrorCode::bad_argument, {device.info().id, "at most"}, [&] {
    (void)device.buffer<std::uint8_t>(device.info().limits.max_buffer_bytes + 1);
  });
  expect_error(ErrorCode::bad_argument, {"larger than any memory"},
               [&] { (void)device.buffer<double>(std::numeric_limits<std::size_t>::max() / 4); });
}

TEST_P(Buffers, UsedUpMemoryIsAnErrorAndComesBack) {
  if (device.info().shares_host_memory || std::getenv("KHAL_VULKAN_STAGING"))
    GTEST_SKIP() << "the system lends more host memory than there is";
  std::vector<Buffer<std::uint8_t>> hoard;
  const std::size_t piece = device.info().limits.max_buffer_bytes / 2;
  expect_error(ErrorCode::out_of_memory, {device.info().id, "free buffers"}, [&] {
    for (int i = 0; i < 4096; ++i)
      hoard.push_back(device.buffer<std::uint8_t>(piece));
  });
  hoard.clear();
  EXPECT_EQ(device.upload(counted<int>(1000)).download(), counted<int>(1000));
}

TEST_P(Buffers, ThereMayBeMany) {
  // More than the allocations that Vulkan grants a program at least (4096).
  std::vector<Buffer<u32>> buffers;
  for (u32 i = 0; i < 6000; ++i)
    buffers.push_back(device.upload<u32>({i, i + 1, i + 2}));
  // Holes of odd sizes, filled again.
  for (u32 i = 0; i < 6000; i += 3)
    buffers[i] = {};
  for (u32 i = 0; i < 6000; i += 3)
    buffers[i] = device.upload(counted<u32>(1 + i % 100, i));
  for (u32 i = 0; i < 6000; i += 7)
    EXPECT_EQ(buffers[i].slice(0, 1).download()[0], i);
}

TEST_P(Buffers, AreMadeAndUsedByManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (u32 t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (u32 i = 0; i < 20; ++i) {
        const std::vector<u32> values = counted<u32>(1000 + t * 100 + i, t * 1000);
        Buffer<u32> copy = device.buffer<u32>(values.size());
        copy.copy_from(device.upload(values));
        right += copy.download() == values;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 8 * 20);
}

TEST_P(Buffers, OfTheHostCanBeReachedOnEveryDevice) {
  Buffer<u32> shared = device.host_buffer<u32>(1000);
  ASSERT_EQ(shared.host().size(), 1000u);
  std::iota(shared.host().begin(), shared.host().end(), 7u);
  Stream stream(device);
  step(stream, khal::threads(1000), shared, 5); // a kernel reads and writes it in place
  for (u32 i = 0; i < 1000; ++i)
    ASSERT_EQ(std::as_const(shared).host()[i], (i + 7) * 3 + 5);
  EXPECT_EQ(shared.slice(10, 2).host()[1], 18u * 3 + 5);
  EXPECT_EQ(shared.download()[999], 1006u * 3 + 5);
}

TEST_P(Buffers, OfTheHostAreCopiedFromAndToInAStream) {
  Stream stream(device);
  Buffer<u32> in = device.host_buffer<u32>(100'000), out = device.host_buffer<u32>(100'001);
  Buffer<u32> middle = device.buffer<u32>(100'000);
  std::iota(in.host().begin(), in.host().end(), 0u);
  middle.copy_from(stream, in);
  step(stream, khal::threads(100'000), middle, 1);
  out.fill(stream, 9);
  out.slice(1).copy_from(stream, middle);
  stream.wait();
  const std::span<const u32> result = std::as_const(out).host();
  EXPECT_EQ(result[0], 9u);
  for (u32 i = 0; i < 100'000; ++i)
    ASSERT_EQ(result[i + 1], i * 3 + 1);
  // Other ways in and out go too.
  in.upload(stream, counted<u32>(100'000, 5));
  stream.wait();
  EXPECT_EQ(in.host()[99'999], 100'004u);
  in.fill(3);
  middle.copy_from(in);
  EXPECT_EQ(middle.download()[50'000], 3u);
  khal::Graph graph(device, [&](Stream &recorded) { recorded_copies(recorded, in, middle); });
  std::iota(in.host().begin(), in.host().end(), 1u);
  graph.replay(stream);
  stream.wait();
  EXPECT_EQ(in.host()[41], 42u * 3 + 2);
}

TEST_P(Buffers, OfTheHostAreCountedAndGivenBack) {
  const khal::MemoryStatistics before = device.memory();
  {
    const Buffer<u32> shared = device.host_buffer<u32>(1 << 20);
    EXPECT_EQ(device.memory().buffer_bytes, before.buffer_bytes + (4u << 20));
  }
  EXPECT_EQ(device.memory().buffers, before.buffers);
  expect_error(ErrorCode::bad_argument, {device.info().id},
               [&] { device.host_buffer<u32>(std::size_t{1} << 60); });
}

KHAL_ON_EVERY_DEVICE(Buffers);

} // namespace
} // namespace test
