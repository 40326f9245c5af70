//===- Dumps.h - a numbered file after each stage ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DRIVER_DUMPS_H
#define KHALC_DRIVER_DUMPS_H

#include <string>

namespace llvm {
class Module;
}

namespace khalc {

namespace diag {
class Engine;
}

/// What --dump-dir writes for one kernel file: DIR/add.01-frontend-host.txt and so on. Does nothing
/// without a folder.
class Dumps {
public:
  Dumps(const std::string &folder, const std::string &input, diag::Engine &diagnostics);

  bool wanted() const { return !prefix.empty(); }
  void write(const std::string &stage, const std::string &text);
  void write(const std::string &stage, const llvm::Module &module);

private:
  std::string prefix; ///< "DIR/add."
  unsigned count = 0;
  diag::Engine &diagnostics;
};

} // namespace khalc

#endif // KHALC_DRIVER_DUMPS_H
