//===- Cpu.h - the CPU target's door -------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_CPU_H
#define KHALC_TARGET_CPU_CPU_H

#include "target/Target.h"

#include <memory>
#include <optional>

namespace llvm {
class Module;
}

namespace khalc::diag {
class Engine;
}

namespace khalc::cpu {

/// What the CPU target makes of a file: one host module that holds a khal::abi::CpuFunction for
/// each kernel and level, optimised, ready for object emission.
struct Result {
  std::unique_ptr<llvm::Module> module;
  std::vector<CompiledKernel> kernels; ///< for each kernel, its levels from lowest to highest
};

/// Lowers the Host ABI's module. Empty after an error, which `diagnostics` then has.
std::optional<Result> compile(std::unique_ptr<llvm::Module> module, const KernelFile &file,
                              const TargetOptions &options, diag::Engine &diagnostics);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_CPU_H
