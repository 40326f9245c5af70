//===- graphs.cpp - tests of recorded work ----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include "core/Graph.h"

namespace test {
namespace {

using khal::Buffer;
using khal::ErrorCode;
using khal::Graph;
using khal::Stream;

class Graphs : public OnDevice {
protected:
  Stream stream{device};
};

TEST_P(Graphs, DoNothingUntilTheyAreReplayed) {
  Buffer<u32> x = device.zeros<u32>(100);
  Graph graph(device, [&](Stream &recorded) {
    step(recorded, khal::threads(100), x, 1);
    EXPECT_EQ(recorded.device(), device);
  });
  EXPECT_EQ(graph.size(), 1u);
  EXPECT_EQ(graph.device(), device);
  EXPECT_EQ(x.download(), std::vector<u32>(100));
  graph.replay(stream);
  EXPECT_EQ(x.download(), std::vector<u32>(100, 1));
}

TEST_P(Graphs, KeepTheOrderOfWorkThatDepends) {
  Buffer<u32> x = device.zeros<u32>(100);
  Graph graph(device, [&](Stream &recorded) {
    for (u32 i = 0; i < 300; ++i)
      step(recorded, khal::threads(100), x, i);
  });
  u32 expected = 0;
  for (int replay = 0; replay < 10; ++replay) {
    graph.replay(stream);
    step(stream, khal::threads(100), x, 7); // in turn with other work
    for (u32 i = 0; i < 300; ++i)
      expected = expected * 3 + i;
    expected = expected * 3 + 7;
  }
  EXPECT_EQ(x.download(), std::vector<u32>(100, expected));
}

TEST_P(Graphs, HoldUploadsCopiesAndFills) {
  Buffer<u32> a = device.zeros<u32>(1000);
  Buffer<u32> b = device.zeros<u32>(1000);
  std::vector<u32> values = counted<u32>(500, 3);
  Graph graph(device, [&](Stream &recorded) {
    a.fill(recorded, 9);
    a.slice(100, 500).upload(recorded, values);
    step(recorded, khal::threads(1000), a, 1);
    b.copy_from(recorded, a);
    step(recorded, khal::threads(1000), b, 2);
    a.slice(0, 10).copy_from(recorded, b.slice(500, 10));
  });
  EXPECT_EQ(graph.size(), 6u);
  std::fill(values.begin(), values.end(), 0); // the graph has its own copy
  std::vector<u32> expected_a(1000);
  std::vector<u32> expected_b(1000);
  for (u32 i = 0; i < 1000; ++i) {
    expected_a[i] = (i >= 100 && i < 600 ? i - 100 + 3 : 9) * 3 + 1;
    expected_b[i] = expected_a[i] * 3 + 2;
  }
  std::copy_n(expected_b.begin() + 500, 10, expected_a.begin());
  for (int replay = 0; replay < 3; ++replay) {
    a.fill(0);
    b.fill(0);
    graph.replay(stream);
    EXPECT_EQ(a.download(), expected_a);
    EXPECT_EQ(b.download(), expected_b);
  }
}

/// A graph that fills elements 1 to size - 2.
template <class T> void check_fill(Stream &stream, std::size_t size, const T &value) {
  const khal::Device device = stream.device();
  std::vector<T> expected(size);
  Buffer<T> buffer = device.upload(expected);
  Graph graph(device, [&](Stream &recorded) { buffer.slice(1, size - 2).fill(recorded, value); });
  graph.replay(stream);
  std::fill(expected.begin() + 1, expected.end() - 1, value);
  EXPECT_TRUE(buffer.download() == expected) << size << " elements of " << sizeof(T);
}

TEST_P(Graphs, FillWithAnyPattern) {
  for (const std::size_t size : {3, 4, 5, 6, 7, 1000, 300'001}) {
    check_fill<std::uint8_t>(stream, size, 0xa5);
    check_fill<std::uint16_t>(stream, size, 0xbeef);
    check_fill<std::uint32_t>(stream, size, 0xdeadbeef);
    check_fill<double>(stream, size, 0.1);
    check_fill<std::array<std::uint8_t, 3>>(stream, size, {'a', 'b', 'c'});
    check_fill<std::array<std::uint8_t, 3>>(stream, size, {'x', 'x', 'x'});
    check_fill<std::array<float, 3>>(stream, size, {1, 2, 3});
  }
}

TEST_P(Graphs, PassLargeBlocksOffsetsAndManyBuffers) {
  Coefficients c{};
  Buffer<float> y = device.zeros<float>(2001);
  std::vector<Buffer<u32>> buffers;
  for (u32 i = 0; i < 20; ++i)
    buffers.push_back(device.upload(counted<u32>(32, i)));
  Graph graph(device, [&](Stream &recorded) {
    for (int i = 0; i < 2000; ++i) { // more than one chunk of blocks and one pool of sets
      c.c[0] = float(i);
      wide(recorded, khal::threads(1), y.slice(i, 1), c);
    }
    std::vector<khal::detail::BufferArgument> arguments;
    for (Buffer<u32> &buffer : buffers)
      arguments.push_back(khal::Arg<u32>(buffer));
    khal::detail::launch(recorded, sum20_kernel, khal::threads(32), arguments, {});
  });
  graph.replay(stream);
  const std::vector<float> values = y.download();
  for (int i = 0; i < 2000; ++i)
    ASSERT_EQ(values[i], float(i));
  EXPECT_EQ(buffers[0].download()[3], 19 * 20 / 2 + 19 * 3u);
}

TEST_P(Graphs, TakeNewBuffersValuesAndGrids) {
  Buffer<u32> x = device.zeros<u32>(100);
  Buffer<u32> y = device.zeros<u32>(50);
  const auto work = [](Stream &recorded, Buffer<u32> &buffer, u32 value) {
    for (u32 i = 0; i < 5; ++i)
      step(recorded, khal::threads(buffer.size()), buffer, value + i);
  };
  const auto worked = [](u32 x, u32 value) {
    for (u32 i = 0; i < 5; ++i)
      x = x * 3 + value + i;
    return x;
  };
  Graph graph(device, [&](Stream &recorded) { work(recorded, x, 1); });
  graph.replay(stream);
  graph.update([&](Stream &recorded) { work(recorded, y, 10); }); // the first may be under way
  graph.replay(stream);
  EXPECT_EQ(x.download(), std::vector<u32>(100, worked(0, 1)));
  EXPECT_EQ(y.download(), std::vector<u32>(50, worked(0, 10)));
  // Other work altogether.
  graph.update([&](Stream &recorded) {
    x.fill(recorded, 4);
    spin(recorded, khal::threads(100), x, 100);
  });
  EXPECT_EQ(graph.size(), 2u);
  graph.replay(stream);
  EXPECT_EQ(x.download()[99], spun(4, 100));
}

TEST_P(Graphs, AreUpdatedWhileTheyAreReplayed) {
  constexpr u32 turns = 40;
  Buffer<u32> x = device.zeros<u32>(32);
  Graph graph(device, [&](Stream &) {});
  u32 expected = 0;
  for (u32 turn = 0; turn < turns; ++turn) {
    graph.update([&](Stream &recorded) {
      spin(recorded, khal::threads(32), x, 1000);
      step(recorded, khal::threads(32), x, turn);
    });
    graph.replay(stream);
    expected = spun(expected, 1000) * 3 + turn;
  }
  EXPECT_EQ(x.download(), std::vector<u32>(32, expected));
}

TEST_P(Graphs, StayAsTheyWereWhenAnUpdateFails) {
  Buffer<u32> x = device.zeros<u32>(32);
  Graph graph(device, [&](Stream &recorded) { step(recorded, khal::threads(32), x, 5); });
  EXPECT_THROW(graph.update([&](Stream &recorded) {
    step(recorded, khal::threads(32), x, 6);
    throw std::string("half way");
  }),
               std::string);
  EXPECT_EQ(graph.size(), 1u);
  graph.replay(stream);
  EXPECT_EQ(x.download()[0], 5u);
}

TEST_P(Graphs, RunInSeveralStreams) {
  std::vector<Stream> streams;
  Buffer<u32> x = device.zeros<u32>(32);
  Graph graph(device, [&](Stream &recorded) {
    for (u32 i = 0; i < 10; ++i)
      step(recorded, khal::threads(32), x, i);
  });
  for (int i = 0; i < 4; ++i)
    streams.emplace_back(device);
  u32 expected = 0;
  for (int turn = 0; turn < 20; ++turn) {
    graph.replay(streams[turn % 4]);
    streams[(turn + 1) % 4].after(streams[turn % 4].record());
    for (u32 i = 0; i < 10; ++i)
      expected = expected * 3 + i;
  }
  EXPECT_EQ(x.download(), std::vector<u32>(32, expected));
}

TEST_P(Graphs, KeepTheirBuffersAndAreKept) {
  Buffer<u32> result = device.zeros<u32>(32);
  {
    std::unique_ptr<Graph> graph;
    {
      Buffer<u32> temporary = device.upload(counted<u32>(32));
      graph = std::make_unique<Graph>(device, [&](Stream &recorded) {
        for (int i = 0; i < 10; ++i)
          spin(recorded, khal::threads(32), temporary, 50'000);
        result.copy_from(recorded, temporary);
      });
    }
    graph->replay(stream);
  }
  std::vector<Buffer<u32>> others;
  for (int i = 0; i < 50; ++i)
    others.push_back(device.zeros<u32>(32));
  EXPECT_EQ(result.download()[9], spun(9, 500'000));
}

TEST_P(Graphs, OfNothingAreFine) {
  Graph graph(device, [](Stream &) {});
  EXPECT_EQ(graph.size(), 0u);
  graph.replay(stream);
  stream.wait();
}

TEST_P(Graphs, RefuseWhatHasNoPlaceInThem) {
  Buffer<u32> x = device.zeros<u32>(32);
  const auto refused = [&](const char *word, const std::function<void(Stream &)> &put_in) {
    expect_error(ErrorCode::bad_argument, {"Graph", word}, [&] { Graph graph(device, put_in); });
  };
  refused("waited for", [](Stream &recorded) { recorded.wait(); });
  refused("events", [](Stream &recorded) { (void)recorded.record(); });
  refused("asked", [](Stream &recorded) { (void)recorded.done(); });
  refused("events", [&](Stream &recorded) { recorded.after(stream.record()); });
  refused("function", [](Stream &recorded) { recorded.call([] {}); });
  refused("clock", [](Stream &recorded) { khal::Timer timer(recorded); });
  Graph other(device, [&](Stream &recorded) { step(recorded, khal::threads(32), x, 1); });
  refused("replay", [&](Stream &recorded) { other.replay(recorded); });
  refused("empty", nullptr);
  // Launches are checked as they are recorded.
  expect_error(ErrorCode::bad_argument, {"add", "overlaps"}, [&] {
    Buffer<float> a = device.zeros<float>(32);
    Graph graph(device, [&](Stream &recorded) { add(recorded, khal::threads(32), a, a); });
  });
}

TEST_P(Graphs, RefuseOtherDevicesStreamsAndStreamsThatAreGone) {
  Buffer<u32> x = device.zeros<u32>(32);
  Graph graph(device, [&](Stream &recorded) { step(recorded, khal::threads(32), x, 1); });
  for (const khal::Device &other : khal::Device::all()) {
    if (other == device)
      continue;
    Stream there(other);
    expect_error(ErrorCode::bad_argument, {device.info().id, other.info().id},
                 [&] { graph.replay(there); });
  }
  // NOLINTBEGIN(bugprone-use-after-move): what it's about
  Stream target = std::move(stream);
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { graph.replay(stream); });
  Graph moved = std::move(graph);
  EXPECT_EQ(graph.size(), 0u);
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { graph.replay(target); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { graph.update([](Stream &) {}); });
  // NOLINTEND
  moved.replay(target);
  EXPECT_EQ(x.download()[0], 1u);
}

KHAL_ON_EVERY_DEVICE(Graphs);

using khal::detail::CopyNode;
using khal::detail::GraphNode;
using khal::detail::Hazards;

TEST(GraphHazards, AreWhereBytesAreSharedAndWritten) {
  const khal::Device cpu = khal::open("cpu");
  Buffer<std::uint8_t> a = cpu.zeros<std::uint8_t>(100);
  Buffer<std::uint8_t> b = cpu.zeros<std::uint8_t>(100);
  const auto copy = [](Buffer<std::uint8_t> &target, std::uint64_t to, Buffer<std::uint8_t> &source,
                       std::uint64_t from) {
    return GraphNode{CopyNode{target.memory(), to, source.memory(), from, 10}, {}};
  };
  Hazards hazards;
  EXPECT_FALSE(hazards.conflict(copy(a, 0, b, 0)));
  EXPECT_FALSE(hazards.conflict(copy(a, 10, b, 0)));  // both read
  EXPECT_FALSE(hazards.conflict(copy(b, 10, b, 20))); // neighbours
  EXPECT_TRUE(hazards.conflict(copy(a, 19, b, 50)));  // writes what was written
  EXPECT_FALSE(hazards.conflict(copy(a, 0, b, 60)));  // that was before the last conflict
  EXPECT_TRUE(hazards.conflict(copy(b, 55, a, 90)));  // writes what was read
  EXPECT_TRUE(hazards.conflict(copy(a, 50, b, 64)));  // reads what was written
}

} // namespace
} // namespace test
