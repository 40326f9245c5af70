//===- khalc - the kernel compiler ------------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "driver/Driver.h"
#include "driver/Faults.h"

#include "llvm/Support/FileSystem.h"

int main(int argc, char **argv) {
  khalc::installFaultHandlers();
  static int inThisExecutable;
  const std::string executable =
      llvm::sys::fs::getMainExecutable(argc > 0 ? argv[0] : "khalc", &inThisExecutable);
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  return khalc::runDriver(arguments, khalc::findInstallation(executable));
}
