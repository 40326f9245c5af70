//===- Faults.cpp - what happens when khalc itself fails --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "driver/Faults.h"

#include "diag/Diagnostics.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <cstring>
#include <exception>
#include <new>

#include <unistd.h>

namespace khalc {

namespace {

constexpr size_t signalStackBytes = 64u << 10;
constexpr int fatalSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};

/// Safe in a signal handler: no allocation, no locks, no streams.
void say(const char *text) {
  for (size_t left = std::strlen(text); left > 0;) {
    const ssize_t written = ::write(STDERR_FILENO, text, left);
    if (written <= 0)
      return;
    text += written;
    left -= written;
  }
}

[[noreturn]] void endWith(const char *what, const char *detail) {
  llvm::sys::RunInterruptHandlers(); // removes unfinished outputs
  say("khalc: error: ");
  say(what);
  say(detail);
  say(" [khal-crash]\nkhalc: note: ");
  say(diag::howToReport);
  say("\n");
  ::_exit(static_cast<int>(diag::ExitCode::Internal));
}

void onSignal(int signal) {
  const char *name = "signal";
  switch (signal) {
  case SIGSEGV:
    name = "segmentation fault, or the stack ran out";
    break;
  case SIGBUS:
    name = "bus error";
    break;
  case SIGILL:
    name = "illegal instruction";
    break;
  case SIGFPE:
    name = "arithmetic fault";
    break;
  case SIGABRT:
    name = "aborted";
    break;
  case SIGTRAP:
    name = "trap";
    break;
  }
  endWith("khalc crashed: ", name);
}

void onFatalError(void *, const char *reason, bool) {
  endWith("LLVM gave up: ", reason);
}
void onBadAlloc(void *, const char *reason, bool) {
  endWith("out of memory: ", reason);
}
void onNewFailed() {
  endWith("out of memory", "");
}
void onTerminate() {
  endWith("khalc crashed: ", "an exception was not caught");
}

} // namespace

void installFaultHandlers() {
  // LLVM puts its own handlers in place when the first of these is registered; ours go on top.
  llvm::sys::AddSignalHandler([](void *) {}, nullptr);
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  std::set_new_handler(onNewFailed);
  std::set_terminate(onTerminate);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (const int signal : fatalSignals)
    sigaction(signal, &action, nullptr);
}

SignalStack::SignalStack() : memory(std::make_unique<char[]>(signalStackBytes)) {
  stack_t stack = {};
  stack.ss_sp = memory.get();
  stack.ss_size = signalStackBytes;
  sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
  stack_t stack = {};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
}

} // namespace khalc
