//===- khal/host/stream.hpp - streams, events and times ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   khal::Stream upload(dev), compute(dev);
//   a.upload(upload, values);
//   compute.after(upload.record());                      // on the device; the host goes on
//   khal::Timer timer(compute);
//   kernels::scale(compute, khal::threads(a.size()), a, 2.0f);
//   khal::Timing time = timer.stop();                    // time.device, time.end_to_end
//   compute.call([] { std::puts("scaled"); });           // the host's turn in the stream
//   co_await compute.record();                           // in a coroutine, instead of wait()
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_HOST_STREAM_HPP
#define KHAL_HOST_STREAM_HPP

#include "khal/host/device.hpp"

#include <chrono>
#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace khal {

/// A point in a stream's work: it has happened when all is done that was put in before it. Made by
/// Stream::record(); cheap to copy; one made by default has happened always. Any thread may use it,
/// also when its stream is gone.
class Event {
public:
  Event() = default;

  /// Whether it has happened; returns at once.
  /// \throws Error what the stream's work failed with.
  bool done() const;

  /// Returns when it has happened.
  /// \throws Error what the stream's work failed with, or what a function given to Stream::call()
  ///   threw.
  void wait() const;

  /// The same, but gives up after `limit` and says whether it has happened.
  bool wait_for(std::chrono::nanoseconds limit) const;

  /// Calls `function` once it has happened, from a thread of the runtime's, with what the work
  /// failed with or null. The function may put in work and wait for it.
  void when_done(std::function<void(std::exception_ptr)> function) const;

  /// Internal.
  Event(std::shared_ptr<detail::StreamImpl> stream, std::uint64_t ticket) noexcept
      : stream_(std::move(stream)), ticket_(ticket) {}
  const std::shared_ptr<detail::StreamImpl> &stream() const noexcept { return stream_; }
  std::uint64_t ticket() const noexcept { return ticket_; }

private:
  std::shared_ptr<detail::StreamImpl> stream_;
  std::uint64_t ticket_ = 0;
};

/// `co_await event` in any C++20 coroutine: it goes on when the event has happened, on a thread of
/// the runtime's unless it had happened already, and throws what the work failed with.
class EventAwaiter {
public:
  explicit EventAwaiter(Event event) noexcept : event_(std::move(event)) {}

  bool await_ready() const { return event_.done(); }
  void await_suspend(std::coroutine_handle<> coroutine) {
    event_.when_done([this, coroutine](std::exception_ptr error) {
      error_ = std::move(error);
      coroutine.resume();
    });
  }
  void await_resume() const {
    if (error_)
      std::rethrow_exception(error_);
  }

private:
  const Event event_;
  std::exception_ptr error_;
};
inline EventAwaiter operator co_await(Event event) noexcept {
  return EventAwaiter(std::move(event));
}

/// Work for a device, done in the order in which it was put in. Putting work in returns at once;
/// wait() waits for all of it. Work in different streams has no order but what after() gives it.
/// (Buffer and Slice functions that take no stream wait by themselves for all work that uses the
/// buffer.)
///
/// A stream is used from one thread at a time. Its destructor waits, but can't throw: call wait()
/// to hear of failures.
class Stream {
public:
  explicit Stream(const Device &device = Device());
  Stream(Stream &&) noexcept = default;
  Stream &operator=(Stream &&) noexcept;
  ~Stream();

  /// Returns when all work is done.
  /// \throws Error device_lost, validation or backend when some of it failed; and once whatever a
  ///   function given to call() threw.
  void wait();

  /// Whether all work is done; returns at once. \throws Error as wait().
  bool done() const;

  /// The point that the stream's work has come to.
  Event record();

  /// Work that is put in from now on begins when `event` has happened. Streams of one backend wait
  /// on the device; for an event of another backend, or another Vulkan device, the call itself
  /// waits.
  void after(const Event &event);

  /// Calls `function` between the work before and the work after it, from a thread of the
  /// runtime's. It must not use khal, and should be short: other streams may be waiting for the
  /// thread or the queue. What it throws is thrown by the next wait() on the stream or an event of
  /// it; later work is done all the same.
  void call(std::function<void()> function);

  Device device() const;

  /// Internal: null when moved from.
  const std::shared_ptr<detail::StreamImpl> &impl() const noexcept { return impl_; }
  explicit Stream(std::shared_ptr<detail::StreamImpl> impl) noexcept : impl_(std::move(impl)) {}

private:
  detail::StreamImpl &require() const;

  std::shared_ptr<detail::StreamImpl> impl_;
};

/// How long work took, by two clocks that are never mixed.
struct Timing {
  /// By the device's own clock, from its reading just before the work to the one just after:
  /// neither submission nor waiting. Nothing on a device without a clock. Finer than a microsecond
  /// on GPUs; on the CPU it is the host's steady clock, read by the threads that do the work.
  std::optional<std::chrono::nanoseconds> device;
  /// By the host's steady clock, from Timer's construction until stop() knew that the work was
  /// done: what the program waits.
  std::chrono::nanoseconds end_to_end{};
};

/// Times what is put into a stream between construction and stop().
class Timer {
public:
  /// Queues a reading of the device's clock. The stream must stay until stop().
  explicit Timer(Stream &stream);
  ~Timer();
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

  /// Queues a second reading and waits for it. May be called again, and always tells of the time
  /// since construction.
  /// \throws Error what the work failed with.
  Timing stop();

private:
  std::shared_ptr<detail::StreamImpl> stream_;
  std::shared_ptr<detail::Timestamp> begin_;
  std::chrono::steady_clock::time_point begin_host_;
};

} // namespace khal

#endif // KHAL_HOST_STREAM_HPP
