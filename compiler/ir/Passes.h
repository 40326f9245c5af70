//===- Passes.h - LLVM's pass managers, set up for one target machine -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_PASSES_H
#define KHALC_IR_PASSES_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace llvm {
class TargetMachine;
}

namespace khalc {

/// The analyses and the pass builder that a pipeline runs with. Cheap enough to make one for each
/// pipeline. Not copyable: the managers refer to each other.
class Passes {
public:
  /// `machine` may be null, for passes that ask nothing of the target.
  explicit Passes(llvm::TargetMachine *machine = nullptr,
                  llvm::PipelineTuningOptions tuning = llvm::PipelineTuningOptions());
  Passes(const Passes &) = delete;
  Passes &operator=(const Passes &) = delete;

  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager cgsccs;
  llvm::ModuleAnalysisManager modules;

  /// The passes that turn freshly inlined C++ into plain SSA form: memory to registers, constants
  /// folded, dead branches gone. Fast; moves no convergent call.
  static llvm::FunctionPassManager simplification();
};

} // namespace khalc

#endif // KHALC_IR_PASSES_H
