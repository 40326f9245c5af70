//===- StageClock.h - what -v says of each stage ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DRIVER_STAGECLOCK_H
#define KHALC_DRIVER_STAGECLOCK_H

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <string>

namespace khalc {

class StageClock {
public:
  StageClock(bool verbose, std::string input, llvm::raw_ostream &out)
      : verbose(verbose), input(std::move(input)), out(out) {}

  /// The time since the last call, or since the start, was spent in this stage.
  void finished(const char *stage) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> spent = now - last;
    if (verbose)
      out << "khalc: " << input << ": " << stage << ' ' << llvm::format("%.1f ms\n", spent.count());
    last = now;
  }

private:
  const bool verbose;
  const std::string input;
  llvm::raw_ostream &out;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace khalc

#endif // KHALC_DRIVER_STAGECLOCK_H
