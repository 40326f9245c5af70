//===- Fibers.h - a work-group of fibers ----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread runs the work-items of a group in turn; each runs until it reaches a barrier or its end.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_METAL_FIBERS_H
#define KHAL_TEST_METAL_FIBERS_H

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <ucontext.h>
#include <vector>

namespace fibers {

struct Fiber {
  ucontext_t context;
  std::vector<char> stack;
  bool done = false;
};

inline std::vector<Fiber> group;
inline ucontext_t scheduler;
inline std::size_t current = 0;
inline std::function<void(std::size_t item)> body;

inline void run_current() {
  body(current);
  group[current].done = true;
}

/// Runs `item(0)` … `item(count - 1)` as one group. A barrier that only some reach ends the program.
inline void run_group(std::size_t count, std::function<void(std::size_t)> item) {
  constexpr std::size_t stack_bytes = 64 * 1024;
  body = std::move(item);
  group.resize(count);
  for (Fiber &fiber : group) {
    fiber.done = false;
    fiber.stack.resize(stack_bytes);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, run_current, 0);
  }
  for (std::size_t done = 0; done < count;) {
    for (current = 0; current < count; ++current)
      swapcontext(&scheduler, &group[current].context);
    done = 0;
    for (const Fiber &fiber : group)
      done += fiber.done;
    if (done != 0 && done != count) {
      std::fprintf(stderr, "a barrier that not all work-items reach\n");
      std::exit(1);
    }
  }
}

} // namespace fibers

namespace metal {
void wait_for_group() {
  swapcontext(&fibers::group[fibers::current].context, &fibers::scheduler);
}
} // namespace metal

#endif // KHAL_TEST_METAL_FIBERS_H
