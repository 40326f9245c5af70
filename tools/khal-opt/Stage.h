//===- Stage.h - a stage of the compiler that khal-opt can run alone --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To add a stage: write a function of the type below in a file of its own in this folder, and give
// it one line in Stages.def.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_OPT_STAGE_H
#define KHAL_OPT_STAGE_H

#include "frontend/Frontend.h"

#include <memory>

namespace llvm {
class raw_ostream;
}

namespace khal_opt {

struct StageInput {
  khalc::DeviceAbi abi = khalc::DeviceAbi::Host;
  std::unique_ptr<llvm::Module> module; ///< the ABI's, as the frontend gives it
  const khalc::KernelFile &file;
  unsigned optimisationLevel = 2;
  khalc::FloatMode floatMode = khalc::FloatMode::Default;
  khalc::diag::Engine &diagnostics;
};

/// Prints what the stage makes of the module. False after an error, which `diagnostics` then has.
using Stage = bool(StageInput &input, llvm::raw_ostream &out);

} // namespace khal_opt

#endif // KHAL_OPT_STAGE_H
