//===- Faults.h - what happens when khalc itself fails ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DRIVER_FAULTS_H
#define KHALC_DRIVER_FAULTS_H

#include <memory>

namespace khalc {

/// From now on a crash, LLVM's fatal errors, an exception that nobody catches and the end of memory
/// say what happened and how to report it, remove unfinished files and end the process with
/// code 70. Call it first in main().
void installFaultHandlers();

/// While it lives, the thread that made it can report even that its own stack has run out.
class SignalStack {
public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;

private:
  std::unique_ptr<char[]> memory;
};

} // namespace khalc

#endif // KHALC_DRIVER_FAULTS_H
