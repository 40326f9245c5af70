//===- Follower.h - a thread that follows a stream's work -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_FOLLOWER_H
#define KHAL_RUNTIME_CORE_FOLLOWER_H

#include "core/Backend.h"

#include <thread>

namespace khal::detail {

/// Waits for tickets of one stream, in the order in which they are added, and calls a function for
/// each. Thread-safe.
class Follower {
public:
  Follower();
  /// Waits until every function has been called. From one of them, doesn't wait: the thread then
  /// ends by itself.
  ~Follower();
  Follower(const Follower &) = delete;
  Follower &operator=(const Follower &) = delete;

  void add(std::shared_ptr<StreamImpl> stream, Ticket ticket,
           std::function<void(std::exception_ptr)> function);

private:
  struct State;
  static void follow(State &state);

  const std::shared_ptr<State> state_; ///< also the thread's
  std::thread thread_;
};

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_FOLLOWER_H
