//===- Stream.cpp - what all backends' streams do alike ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Backend.h"
#include "core/Follower.h"

#include <algorithm>
#include <thread>

namespace khal::detail {

StreamImpl::StreamImpl(std::shared_ptr<DeviceImpl> device) : device_(std::move(device)) {}

StreamImpl::~StreamImpl() = default;

void StreamImpl::when_done(Ticket ticket, std::function<void(std::exception_ptr)> function) {
  const std::lock_guard lock(mutex_);
  if (!follower_)
    follower_ = std::make_unique<Follower>();
  follower_->add(shared_from_this(), ticket, std::move(function));
}

void StreamImpl::note_failed_call(std::exception_ptr error) noexcept {
  const std::lock_guard lock(mutex_);
  if (!failed_call_)
    failed_call_ = std::move(error);
}

void StreamImpl::throw_failed_call() {
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    error = std::exchange(failed_call_, nullptr);
  }
  if (error)
    std::rethrow_exception(error);
}

} // namespace khal::detail

namespace khal {

namespace {

/// Pauses between two looks at an event, from the first to the longest.
constexpr std::chrono::microseconds first_pause{1};
constexpr std::chrono::microseconds longest_pause{500};

} // namespace

bool Event::done() const {
  return !stream_ || stream_->reached(ticket_);
}

void Event::wait() const {
  if (!stream_)
    return;
  stream_->wait_for(ticket_);
  stream_->throw_failed_call();
}

bool Event::wait_for(std::chrono::nanoseconds limit) const {
  const auto end = std::chrono::steady_clock::now() + limit;
  std::chrono::nanoseconds pause = first_pause;
  while (!done()) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= end)
      return false;
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(pause, end - now));
    pause = std::min<std::chrono::nanoseconds>(pause * 2, longest_pause);
  }
  if (stream_)
    stream_->throw_failed_call();
  return true;
}

void Event::when_done(std::function<void(std::exception_ptr)> function) const {
  if (!stream_) {
    function(nullptr);
    return;
  }
  // The stream lives as long as its follower has something to do.
  stream_->when_done(ticket_, [&stream = *stream_, function = std::move(function)](auto error) {
    try {
      if (!error)
        stream.throw_failed_call();
    } catch (...) {
      error = std::current_exception();
    }
    function(std::move(error));
  });
}

Stream::Stream(const Device &device) : impl_(device.impl()->create_stream()) {}

Stream &Stream::operator=(Stream &&other) noexcept {
  Stream old(std::move(*this)); // waits, as a destructor does
  impl_ = std::move(other.impl_);
  return *this;
}

Stream::~Stream() {
  if (!impl_)
    return;
  try {
    impl_->wait_for(impl_->last_ticket());
  } catch (...) {
    // A destructor can't tell; the documentation says to call wait().
  }
}

detail::StreamImpl &Stream::require() const {
  if (!impl_)
    throw Error(ErrorCode::bad_argument, "this khal::Stream was moved from: use the one that it "
                                         "was moved to, or make a new one");
  return *impl_;
}

namespace {

/// A stream that works is waited for and has events; one that records hasn't.
detail::StreamImpl &working(detail::StreamImpl &stream) {
  if (stream.is_recorder())
    throw Error(
        ErrorCode::bad_argument,
        "khal::Graph: a stream that is being recorded does nothing yet, so it can't be "
        "waited for, asked or given events: do that with the stream that replays the graph");
  return stream;
}

} // namespace

void Stream::wait() {
  detail::StreamImpl &stream = working(require());
  stream.wait_for(stream.last_ticket());
  stream.throw_failed_call();
}

bool Stream::done() const {
  detail::StreamImpl &stream = working(require());
  if (!stream.reached(stream.last_ticket()))
    return false;
  stream.throw_failed_call();
  return true;
}

Event Stream::record() {
  return Event(impl_, working(require()).last_ticket());
}

void Stream::after(const Event &event) {
  detail::StreamImpl &stream = working(require());
  if (!event.stream() || event.stream() == impl_)
    return;
  if (!stream.after(*event.stream(), event.ticket()))
    event.stream()->wait_for(event.ticket());
}

void Stream::call(std::function<void()> function) {
  detail::StreamImpl &stream = require();
  if (!function)
    throw Error(ErrorCode::bad_argument, "Stream::call: there is no function to call: it's empty");
  // The stream's implementation is there until its work is done.
  stream.call([&stream, function = std::move(function)] {
    try {
      function();
    } catch (...) {
      stream.note_failed_call(std::current_exception());
    }
  });
}

Device Stream::device() const {
  return Device(require().device());
}

Timer::Timer(Stream &stream) : stream_(stream.impl()) {
  if (!stream_)
    throw Error(ErrorCode::bad_argument,
                "khal::Timer: the stream was moved from: use the one that it was moved to");
  begin_host_ = std::chrono::steady_clock::now();
  begin_ = stream_->stamp().second;
}

Timer::~Timer() = default;

Timing Timer::stop() {
  const auto [ticket, end] = stream_->stamp();
  stream_->wait_for(ticket);
  Timing timing;
  timing.end_to_end = std::chrono::steady_clock::now() - begin_host_;
  timing.device = end->since(*begin_);
  stream_->throw_failed_call();
  return timing;
}

} // namespace khal
