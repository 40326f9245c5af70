//===- streams.cpp - tests of order, waiting and lifetime -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include <cstdlib>
#include <iostream>
#include <thread>

namespace test {
namespace {

using khal::Buffer;
using khal::ErrorCode;
using khal::Stream;

constexpr u32 rounds_a_launch = 50'000; // llvmpipe ends every loop after 65,535

class Streams : public OnDevice {
protected:
  /// Keeps `stream` busy for a while with the first 32 elements of `buffer`.
  static void work_long(Stream &stream, Buffer<u32> &buffer) {
    for (u32 i = 0; i < 20; ++i)
      spin(stream, khal::threads(32), buffer, rounds_a_launch);
  }
  static u32 worked_long(u32 value) { return spun(value, 20 * rounds_a_launch); }
};

TEST_P(Streams, KeepTheOrderOfLaunches) {
  Buffer<u32> buffer = device.zeros<u32>(100);
  Stream stream(device);
  u32 expected = 0;
  for (u32 i = 0; i < 1000; ++i) {
    step(stream, khal::threads(100), buffer, i);
    expected = expected * 3 + i;
  }
  stream.wait();
  EXPECT_EQ(buffer.download(), std::vector<u32>(100, expected));
}

TEST_P(Streams, KeepTheOrderOfLaunchesAndTransfers) {
  Buffer<u32> a = device.zeros<u32>(1000);
  Buffer<u32> b = device.zeros<u32>(1000);
  Stream stream(device);
  std::vector<u32> values(1000);
  u32 expected = 0;
  for (u32 i = 0; i < 50; ++i) {
    // Alternately goes on from an upload, a fill and a copy.
    if (i % 3 == 0) {
      std::fill(values.begin(), values.end(), i);
      a.upload(stream, values);
      std::fill(values.begin(), values.end(), 999); // the stream has its own copy
      expected = i;
    } else if (i % 3 == 1) {
      a.fill(stream, i);
      expected = i;
    } else {
      a.copy_from(stream, b);
    }
    step(stream, khal::threads(1000), a, 1);
    b.copy_from(stream, a);
    expected = expected * 3 + 1;
  }
  EXPECT_EQ(b.download(), std::vector<u32>(1000, expected));
}

TEST_P(Streams, TakeUploadsLargerThanTheirStaging) {
  const std::vector<u32> values = counted<u32>(5'000'001);
  Buffer<u32> buffer = device.buffer<u32>(values.size());
  Stream stream(device);
  for (int round = 0; round < 3; ++round)
    buffer.upload(stream, values);
  stream.wait();
  EXPECT_EQ(buffer.download(), values);
}

TEST_P(Streams, TakeManySmallUploads) {
  std::vector<Buffer<u32>> buffers;
  Stream stream(device);
  for (u32 i = 0; i < 2000; ++i) {
    buffers.push_back(device.buffer<u32>(1));
    buffers.back().upload(stream, {{i}});
  }
  stream.wait();
  for (u32 i = 0; i < 2000; i += 13)
    EXPECT_EQ(buffers[i].download()[0], i);
}

TEST_P(Streams, RunBesideEachOther) {
  constexpr u32 count = 6;
  constexpr u32 rounds = 2000;
  std::vector<Stream> streams;
  std::vector<Buffer<u32>> buffers;
  for (u32 i = 0; i < count; ++i) {
    streams.emplace_back(device);
    buffers.push_back(device.upload(counted<u32>(300, i)));
  }
  for (u32 turn = 0; turn < 20; ++turn)
    for (u32 i = 0; i < count; ++i)
      spin(streams[i], khal::threads(300), buffers[i], rounds);
  for (u32 i = 0; i < count; ++i) {
    streams[i].wait();
    const std::vector<u32> values = buffers[i].download();
    for (u32 k = 0; k < 300; k += 37)
      EXPECT_EQ(values[k], spun(i + k, 20 * rounds));
  }
}

TEST_P(Streams, ServeAThreadEach) {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (u32 t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      Stream stream(device);
      Buffer<u32> buffer = device.zeros<u32>(64 + t);
      u32 expected = 0;
      for (u32 i = 0; i < 200; ++i) {
        step(stream, khal::threads(buffer.size()), buffer, i + t);
        expected = expected * 3 + i + t;
        if (i % 50 == 49)
          stream.wait();
      }
      right += buffer.download() == std::vector<u32>(64 + t, expected);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 8);
}

TEST_P(Streams, AreWaitedForByDownloads) {
  Buffer<u32> buffer = device.upload(counted<u32>(32));
  Stream stream(device);
  work_long(stream, buffer);
  // No wait(), and from another thread.
  std::vector<u32> values;
  std::thread([&] { values = buffer.download(); }).join();
  EXPECT_EQ(values[5], worked_long(5));
}

TEST_P(Streams, AreWaitedForByUploadsFillsAndCopies) {
  Stream stream(device);
  Buffer<u32> a = device.zeros<u32>(32);
  Buffer<u32> b = device.zeros<u32>(32);
  work_long(stream, a);
  a.upload(counted<u32>(32));
  EXPECT_EQ(a.download(), counted<u32>(32));
  work_long(stream, a);
  b.copy_from(a);
  EXPECT_EQ(b.download()[3], worked_long(3));
  work_long(stream, a);
  a.fill(7);
  EXPECT_EQ(a.download(), std::vector<u32>(32, 7));
}

TEST_P(Streams, OutliveTheBuffersTheyWorkOn) {
  Stream stream(device);
  Buffer<u32> result = device.zeros<u32>(32);
  {
    Buffer<u32> temporary = device.upload(counted<u32>(32));
    work_long(stream, temporary);
    result.copy_from(stream, temporary);
  }
  // Memory that is taken now must not be the temporary's.
  std::vector<Buffer<u32>> others;
  for (int i = 0; i < 50; ++i)
    others.push_back(device.zeros<u32>(32));
  EXPECT_EQ(result.download()[9], worked_long(9));
}

TEST_P(Streams, WaitWhenTheyEnd) {
  Buffer<u32> buffer = device.zeros<u32>(32);
  {
    Stream stream(device);
    work_long(stream, buffer);
  }
  {
    Stream stream(device);
    work_long(stream, buffer);
    stream = Stream(device);
    step(stream, khal::threads(32), buffer, 0);
  }
  EXPECT_EQ(buffer.download()[0], worked_long(worked_long(0)) * 3);
}

TEST_P(Streams, SayThatTheyWereMovedFrom) {
  Stream stream(device);
  Stream target = std::move(stream);
  Buffer<u32> buffer = device.zeros<u32>(1);
  EXPECT_EQ(target.device(), device);
  // NOLINTBEGIN(bugprone-use-after-move): what it's about
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { stream.wait(); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { (void)stream.device(); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { buffer.fill(stream, 1); });
  expect_error(ErrorCode::bad_argument, {"moved from", "step"},
               [&] { step(stream, khal::threads(1), buffer, 1); });
  // NOLINTEND
}

TEST_P(Streams, RefuseOtherDevicesBuffers) {
  for (const khal::Device &other : khal::Device::all()) {
    if (other == device)
      continue;
    Stream stream(other);
    Buffer<u32> buffer = device.zeros<u32>(1);
    expect_error(ErrorCode::bad_argument, {device.info().id, other.info().id},
                 [&] { buffer.fill(stream, 1); });
    expect_error(ErrorCode::bad_argument, {device.info().id, other.info().id, "argument x"},
                 [&] { step(stream, khal::threads(1), buffer, 1); });
  }
}

TEST_P(Streams, AreMadeAndDroppedByTheHundred) {
  Buffer<u32> buffer = device.zeros<u32>(1);
  u32 expected = 0;
  for (u32 i = 0; i < 200; ++i) {
    Stream stream(device);
    step(stream, khal::threads(1), buffer, i);
    expected = expected * 3 + i;
  }
  EXPECT_EQ(buffer.download()[0], expected);
}

/// What a program sees of a device that a kernel has stopped; ends the process.
void stop_device(const khal::Device &device) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  khal::detail::launch(stream, crash_kernel, khal::groups(1), {}, {});
  const auto is_lost = [](const auto &action) {
    try {
      action();
    } catch (const khal::Error &error) {
      std::cerr << error.what() << '\n';
      return error.code() == ErrorCode::device_lost && error.backend_code() != 0;
    }
    return false;
  };
  // The first to wait hears of it, and so does everyone after.
  const bool told = is_lost([&] { stream.wait(); }) && is_lost([&] { stream.wait(); }) &&
                    is_lost([&] { (void)buffer.download(); }) &&
                    is_lost([&] { step(stream, khal::threads(32), buffer, 1); });
  std::exit(told ? 0 : 1);
}

TEST_P(Streams, ReportALostDevice) {
  if (device.info().backend != khal::Backend::cuda)
    GTEST_SKIP() << "only on CUDA is there a sure way to stop the device and nothing else";
  testing::GTEST_FLAG(death_test_style) = "threadsafe"; // a process of its own, started anew
  EXPECT_EXIT(stop_device(device), testing::ExitedWithCode(0), "outside its buffers");
}

KHAL_ON_EVERY_DEVICE(Streams);

} // namespace
} // namespace test
