//===- events.cpp - tests of events, times and turns of the host ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include <coroutine>
#include <future>
#include <stdexcept>
#include <thread>

namespace test {
namespace {

using khal::Buffer;
using khal::ErrorCode;
using khal::Event;
using khal::Stream;
using khal::Timer;
using khal::Timing;
using namespace std::chrono_literals;

constexpr u32 rounds_a_launch = 50'000; // llvmpipe ends every loop after 65,535

class Events : public OnDevice {
protected:
  /// Keeps `stream` busy for a while with the first 32 elements of `buffer`.
  static void work_long(Stream &stream, Buffer<u32> &buffer, u32 launches = 20) {
    for (u32 i = 0; i < launches; ++i)
      spin(stream, khal::threads(32), buffer, rounds_a_launch);
  }
  static u32 worked_long(u32 value, u32 launches = 20) {
    return spun(value, launches * rounds_a_launch);
  }
};

TEST_P(Events, OfNothingHaveHappened) {
  const Event never_made;
  EXPECT_TRUE(never_made.done());
  never_made.wait();
  EXPECT_TRUE(never_made.wait_for(0s));
  Stream stream(device);
  EXPECT_TRUE(stream.done());
  EXPECT_TRUE(stream.record().done());
  stream.after(never_made);
  stream.wait();
}

TEST_P(Events, HappenInTheOrderOfTheWork) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  std::vector<Event> events;
  for (int i = 0; i < 40; ++i) {
    work_long(stream, buffer, 1);
    events.push_back(stream.record());
  }
  while (!events.back().done()) {
    // A later one that has happened means that every earlier one has.
    bool later = false;
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      const bool done = event->done();
      EXPECT_TRUE(done || !later);
      later = done;
    }
  }
  EXPECT_TRUE(events.front().done());
  EXPECT_EQ(buffer.download()[0], worked_long(0, 40));
}

TEST_P(Events, AreWaitedForByTheHost) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  work_long(stream, buffer);
  const Event middle = stream.record();
  work_long(stream, buffer);
  middle.wait();
  EXPECT_TRUE(middle.done());
  stream.wait();
  EXPECT_TRUE(stream.done());
  EXPECT_EQ(buffer.download()[0], worked_long(0, 40));
}

TEST_P(Events, AreWaitedForSoLongAndNoLonger) {
  std::promise<void> gate;
  Stream stream(device);
  std::thread opener([&] {
    std::this_thread::sleep_for(50ms);
    gate.set_value();
  });
  stream.call([opened = gate.get_future().share()] { opened.wait(); });
  const Event event = stream.record();
  if (!event.done()) { // a device without timeline semaphores takes the host's turn at once
    EXPECT_FALSE(event.wait_for(1ms));
  }
  EXPECT_TRUE(event.wait_for(60s));
  EXPECT_TRUE(event.done());
  opener.join();
}

TEST_P(Events, OutliveTheirStream) {
  Buffer<u32> buffer = device.zeros<u32>(32);
  Event event;
  {
    Stream stream(device);
    work_long(stream, buffer);
    event = stream.record();
  }
  EXPECT_TRUE(event.done());
  Stream stream(device);
  stream.after(event);
  step(stream, khal::threads(32), buffer, 1);
  EXPECT_EQ(buffer.download()[0], worked_long(0) * 3 + 1);
}

TEST_P(Events, PutStreamsInOrder) {
  Buffer<u32> buffer = device.zeros<u32>(32);
  std::vector<Stream> streams;
  for (int i = 0; i < 5; ++i)
    streams.emplace_back(device);
  u32 expected = 0;
  for (u32 i = 0; i < 60; ++i) {
    Stream &stream = streams[i % streams.size()];
    if (i % 4 == 0) {
      spin(stream, khal::threads(32), buffer, 2000);
      expected = spun(expected, 2000);
    }
    step(stream, khal::threads(32), buffer, i);
    expected = expected * 3 + i;
    streams[(i + 1) % streams.size()].after(stream.record());
  }
  streams[0].wait(); // it comes after all others
  EXPECT_EQ(buffer.download(), std::vector<u32>(32, expected));
}

TEST_P(Events, OfSeveralStreamsAreWaitedForByOne) {
  std::vector<Stream> streams;
  std::vector<Buffer<u32>> buffers;
  Stream last(device);
  Buffer<u32> all = device.zeros<u32>(4 * 32);
  for (u32 i = 0; i < 4; ++i) {
    streams.emplace_back(device);
    buffers.push_back(device.upload(counted<u32>(32, i)));
    work_long(streams[i], buffers[i]);
    last.after(streams[i].record());
  }
  for (u32 i = 0; i < 4; ++i)
    all.slice(i * 32, 32).copy_from(last, buffers[i]);
  const Event event = last.record();
  event.wait();
  for (const Stream &stream : streams)
    EXPECT_TRUE(stream.done());
  const std::vector<u32> values = all.download();
  for (u32 i = 0; i < 4; ++i)
    EXPECT_EQ(values[i * 32 + 7], worked_long(i + 7));
}

TEST_P(Events, MakeAStreamWaitThatHasNoWorkOfItsOwn) {
  Buffer<u32> buffer = device.zeros<u32>(32);
  Stream first(device);
  Stream second(device);
  work_long(first, buffer);
  second.after(first.record());
  second.wait();
  EXPECT_TRUE(first.done());
}

TEST_P(Events, ComeFromOtherDevicesToo) {
  for (const khal::Device &other : khal::Device::all()) {
    Stream there(other);
    Buffer<u32> remote = other.zeros<u32>(32);
    work_long(there, remote);
    Stream here(device);
    here.after(there.record());
    // Asked here and not in a callback, which must not call a device's driver.
    here.wait();
    EXPECT_TRUE(there.done()) << other.info().id;
  }
}

TEST_P(Events, ChainThousandsOfStreams) {
  // Every other one waits for its neighbour before the first begins.
  std::promise<void> gate;
  const std::shared_future<void> opened = gate.get_future().share();
  std::vector<Stream> streams;
  for (int i = 0; i < 2; ++i)
    streams.emplace_back(device);
  std::thread opener([&] {
    std::this_thread::sleep_for(100ms);
    gate.set_value();
  });
  streams[0].call([opened] { opened.wait(); });
  for (int i = 0; i < 3000; ++i)
    streams[(i + 1) % 2].after(streams[i % 2].record());
  streams[0].wait();
  streams[1].wait();
  opener.join();
}

TEST_P(Events, GiveTheHostItsTurn) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  std::vector<int> order;
  for (int i = 0; i < 5; ++i) {
    work_long(stream, buffer, 3);
    stream.call([&order, i] { order.push_back(i); });
  }
  step(stream, khal::threads(32), buffer, 1);
  stream.wait();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(buffer.download()[0], worked_long(0, 15) * 3 + 1);
}

TEST_P(Events, MakeWorkWaitForTheHostsTurn) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  bool called = false;
  stream.call([&] {
    std::this_thread::sleep_for(30ms);
    called = true;
  });
  step(stream, khal::threads(32), buffer, 5);
  EXPECT_EQ(buffer.download()[0], 5u); // waits for the stream's work, and so for the turn
  EXPECT_TRUE(called);
}

TEST_P(Events, TellWhatTheHostsTurnThrew) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  stream.call([] { throw std::range_error("too far"); });
  step(stream, khal::threads(32), buffer, 5);
  const Event event = stream.record();
  EXPECT_THROW(event.wait(), std::range_error);
  stream.wait(); // it's told once
  EXPECT_EQ(buffer.download()[0], 5u);
  stream.call([] { throw std::range_error("again"); });
  EXPECT_THROW(stream.wait(), std::range_error);
  expect_error(ErrorCode::bad_argument, {"no function"}, [&] { stream.call(nullptr); });
}

TEST_P(Events, CallFunctionsWhenTheyHappen) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  work_long(stream, buffer);
  const Event event = stream.record();
  std::promise<u32> seen;
  event.when_done([&](std::exception_ptr error) {
    // Such a function may use khal.
    seen.set_value(error ? 0 : buffer.download()[3]);
  });
  EXPECT_EQ(seen.get_future().get(), worked_long(0));
}

TEST_P(Events, CallFunctionsThatAreTheStreamsLastUsers) {
  Buffer<u32> buffer = device.zeros<u32>(32);
  std::promise<void> called;
  {
    auto stream = std::make_shared<Stream>(device);
    work_long(*stream, buffer);
    const Event event = stream->record();
    event.when_done([&called, stream](std::exception_ptr) mutable {
      stream.reset();
      called.set_value();
    });
  }
  called.get_future().wait();
  EXPECT_EQ(buffer.download()[0], worked_long(0));
}

/// A coroutine that nobody waits for by itself.
struct Task {
  struct promise_type {
    Task get_return_object() { return {finished.get_future()}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() { finished.set_value(); }
    void unhandled_exception() { finished.set_exception(std::current_exception()); }
    std::promise<void> finished;
  };
  std::future<void> finished;
};

Task work_in_steps(khal::Device device, std::vector<u32> &results) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  for (u32 i = 0; i < 5; ++i) {
    spin(stream, khal::threads(32), buffer, rounds_a_launch);
    co_await stream.record();
    EXPECT_TRUE(stream.done());
    results.push_back(buffer.download()[0]);
  }
}

TEST_P(Events, AreAwaitedByCoroutines) {
  std::vector<u32> first;
  std::vector<u32> second;
  Task one = work_in_steps(device, first);
  Task two = work_in_steps(device, second);
  one.finished.get();
  two.finished.get();
  for (u32 i = 0; i < 5; ++i) {
    EXPECT_EQ(first.at(i), spun(0, (i + 1) * rounds_a_launch));
    EXPECT_EQ(second.at(i), spun(0, (i + 1) * rounds_a_launch));
  }
}

Task fail(khal::Device device, Buffer<u32> &buffer) {
  Stream stream(device);
  for (int i = 0; i < 20; ++i)
    spin(stream, khal::threads(32), buffer, rounds_a_launch);
  stream.call([] { throw std::range_error("awaited"); });
  co_await stream.record();
}

TEST_P(Events, TellCoroutinesWhatFailed) {
  Buffer<u32> buffer = device.zeros<u32>(32);
  Task task = fail(device, buffer);
  // On a device that does the host's turn at once the event has happened before it's awaited.
  try {
    task.finished.get();
  } catch (const std::range_error &error) {
    EXPECT_STREQ(error.what(), "awaited");
  }
}

TEST_P(Events, SayThatTheirStreamWasMovedFrom) {
  Stream stream(device);
  Stream target = std::move(stream);
  // NOLINTBEGIN(bugprone-use-after-move): what it's about
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { (void)stream.record(); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { (void)stream.done(); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { stream.call([] {}); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { stream.after(target.record()); });
  expect_error(ErrorCode::bad_argument, {"moved from"}, [&] { Timer timer(stream); });
  // NOLINTEND
}

class Timings : public Events {};

TEST_P(Timings, TellTheDevicesTimeApartFromTheHosts) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  work_long(stream, buffer, 1); // loads the kernel
  stream.wait();
  Timer timer(stream);
  work_long(stream, buffer);
  const Timing busy = timer.stop();
  EXPECT_GT(busy.end_to_end.count(), 0);
  ASSERT_TRUE(busy.device.has_value());
  EXPECT_GT(busy.device->count(), 0);
  // The readings are taken within what the host sees, but for the difference of two clocks.
  EXPECT_LT(busy.device->count(), busy.end_to_end.count() * 1.1 + 1e6);
  EXPECT_EQ(buffer.download()[0], worked_long(0, 21));
}

TEST_P(Timings, GrowWithTheWork) {
  Stream stream(device);
  Buffer<u32> buffer = device.zeros<u32>(32);
  work_long(stream, buffer, 1);
  stream.wait();
  Timer timer(stream);
  work_long(stream, buffer, 2);
  const Timing first = timer.stop();
  work_long(stream, buffer, 40);
  const Timing second = timer.stop(); // since the timer was made
  EXPECT_GT(second.device.value(), first.device.value());
  EXPECT_GT(second.end_to_end, first.end_to_end);
}

TEST_P(Timings, LeaveOutTheHostsWait) {
  Stream stream(device);
  Timer timer(stream);
  stream.wait();
  Buffer<u32> buffer = device.zeros<u32>(32);
  Timer later(stream);
  step(stream, khal::threads(32), buffer, 1);
  const Timing own = later.stop();
  EXPECT_LE(own.end_to_end, timer.stop().end_to_end);
}

KHAL_ON_EVERY_DEVICE(Events);
KHAL_ON_EVERY_DEVICE(Timings);

} // namespace
} // namespace test
