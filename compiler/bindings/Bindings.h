//===- Bindings.h - the generated header and object ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_BINDINGS_BINDINGS_H
#define KHALC_BINDINGS_BINDINGS_H

#include "target/Target.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <optional>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace khalc::diag {
class Engine;
}

namespace khalc::bindings {

/// The text of `name.khal.hpp`: a typed stub for each kernel in namespace `hostNamespace`, the
/// structs that the host shares, and their layout asserted. Deterministic.
std::string writeHeader(const KernelFile &file, const std::string &hostNamespace);

/// The bytes of `name.khal.o`: a relocatable object for the host with the CPU code of `cpuModule`
/// (may be null: no CPU target asked for), every artifact's code and one khal::abi::Kernel
/// descriptor a kernel, under the symbol descriptorSymbol(). Empty after an error.
std::optional<std::string> writeObject(const KernelFile &file,
                                       llvm::ArrayRef<CompiledKernel> compiled,
                                       std::unique_ptr<llvm::Module> cpuModule,
                                       llvm::LLVMContext &context, const TargetOptions &options,
                                       diag::Engine &diagnostics);

/// The C symbol of a kernel's descriptor: a `khal::abi::Kernel` with external linkage.
std::string descriptorSymbol(const KernelInfo &kernel);

} // namespace khalc::bindings

#endif // KHALC_BINDINGS_BINDINGS_H
