//===- Follower.cpp - a thread that follows a stream's work -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Follower.h"

#include <condition_variable>
#include <deque>

namespace khal::detail {

struct Follower::State {
  struct Item {
    std::shared_ptr<StreamImpl> stream;
    Ticket ticket;
    std::function<void(std::exception_ptr)> function;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Item> items; ///< guarded by mutex
  bool ended = false;     ///< guarded by mutex: ends when there are no items
};

Follower::Follower()
    : state_(std::make_shared<State>()), thread_([state = state_] { follow(*state); }) {}

Follower::~Follower() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ended = true;
  }
  state_->changed.notify_one();
  // The last user of a stream may be a function that the stream's own follower calls.
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach();
  else
    thread_.join();
}

void Follower::add(std::shared_ptr<StreamImpl> stream, Ticket ticket,
                   std::function<void(std::exception_ptr)> function) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->items.push_back({std::move(stream), ticket, std::move(function)});
  }
  state_->changed.notify_one();
}

void Follower::follow(State &state) {
  for (;;) {
    State::Item item;
    {
      std::unique_lock lock(state.mutex);
      state.changed.wait(lock, [&] { return state.ended || !state.items.empty(); });
      if (state.items.empty())
        return;
      item = std::move(state.items.front());
      state.items.pop_front();
    }
    std::exception_ptr error;
    try {
      item.stream->wait_for(item.ticket);
    } catch (...) {
      error = std::current_exception();
    }
    item.function(std::move(error));
  }
}

} // namespace khal::detail
