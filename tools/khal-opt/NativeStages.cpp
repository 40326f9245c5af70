//===- NativeStages.cpp - the CPU and PTX targets, for khal-opt -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Stage.h"

#include "target/cpu/Cpu.h"
#include "target/nvptx/Nvptx.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace khal_opt {

namespace {

khalc::TargetOptions optionsFor(const StageInput &input) {
  khalc::TargetOptions options;
  options.optimisationLevel = input.optimisationLevel;
  options.floatMode = input.floatMode;
  options.cpuLevels = {"x86-64-v3"};
  return options;
}

/// Prints what a target's dump calls `stage`.
void printStage(khalc::TargetOptions &options, llvm::StringRef stage, llvm::raw_ostream &out) {
  options.dump = [stage, &out](const std::string &name, const std::string &text) {
    if (name == stage)
      out << text;
  };
}

bool runCpu(StageInput &input, llvm::StringRef stage, llvm::raw_ostream &out) {
  khalc::TargetOptions options = optionsFor(input);
  printStage(options, stage, out);
  return khalc::cpu::compile(std::move(input.module), input.file, options, input.diagnostics)
      .has_value();
}

bool runNvptx(StageInput &input, llvm::StringRef stage, llvm::raw_ostream &out) {
  khalc::TargetOptions options = optionsFor(input);
  printStage(options, stage, out);
  return khalc::nvptx::compile(std::move(input.module), input.file, options, input.diagnostics)
      .has_value();
}

} // namespace

bool cpuLoweredStage(StageInput &input, llvm::raw_ostream &out) {
  return runCpu(input, "cpu-lowered", out);
}

bool cpuStage(StageInput &input, llvm::raw_ostream &out) {
  return runCpu(input, "cpu-optimised", out);
}

bool ptxPreparedStage(StageInput &input, llvm::raw_ostream &out) {
  return runNvptx(input, "ptx-prepared", out);
}

bool ptxStage(StageInput &input, llvm::raw_ostream &out) {
  return runNvptx(input, "ptx-text", out);
}

} // namespace khal_opt
