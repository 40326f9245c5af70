//===- Command.h - runs a command -------------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_COMMAND_H
#define KHAL_TEST_FUZZ_COMMAND_H

#include <string>
#include <vector>

namespace khal::fuzz {

/// Runs a command without a shell; its output goes to a file. Returns its exit code, or the negated
/// number of the signal that ended it: SIGALRM when it took more than `seconds`.
int runCommand(const std::vector<std::string> &command, const std::string &output,
               unsigned seconds);

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_COMMAND_H
