//===- BackendErrors.h - what LLVM's code generators complain of ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_BACKENDERRORS_H
#define KHALC_IR_BACKENDERRORS_H

#include "kernel/KernelInfo.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
namespace legacy {
class PassManager;
}
} // namespace llvm

namespace khalc {

namespace diag {
class Engine;
}

/// Where the inline assembly of a module was written. To be taken while the module has its debug
/// locations; the code generator knows no more of a statement than a number.
class AsmPlaces {
public:
  AsmPlaces(const llvm::Module &module, const diag::Engine &diagnostics);
  /// Null if the number is none of the module's.
  const SourcePosition *find(uint64_t cookie) const;

private:
  llvm::DenseMap<uint64_t, SourcePosition> places;
};

/// Runs the code generator. What it says of inline assembly is reported at its place in the source;
/// the rest, which is a fault of ours, is returned. Without any of both the output is good.
struct BackendResult {
  bool hasSourceErrors = false;
  std::string fault; ///< empty if there is none
};
BackendResult runBackend(llvm::legacy::PassManager &passes, llvm::Module &module,
                         const AsmPlaces &places, diag::Engine &diagnostics);

} // namespace khalc

#endif // KHALC_IR_BACKENDERRORS_H
