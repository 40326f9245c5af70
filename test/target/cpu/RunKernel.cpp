//===- RunKernel.cpp - compiles a kernel file and runs it in this process --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "RunKernel.h"

#include "diag/Diagnostics.h"
#include "frontend/Frontend.h"
#include "target/cpu/Cpu.h"

#include "khal/abi.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

using namespace llvm;

namespace khalc::test {

namespace {

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<unsigned char, Free>;

/// Memory at a 64-byte boundary, filled with what no kernel should ever see.
Memory garbage(size_t bytes) {
  constexpr size_t alignment = 64;
  size_t rounded = std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
  Memory memory(static_cast<unsigned char *>(std::aligned_alloc(alignment, rounded)));
  std::memset(memory.get(), 0xab, rounded);
  return memory;
}

std::string textOf(Error error) {
  return toString(std::move(error));
}

} // namespace

CompiledFile::CompiledFile(const std::string &path, unsigned optimisationLevel,
                           const std::string &level) {
  compile(path, optimisationLevel, level);
}

// Apart from the constructor, since GoogleTest's assertions return.
void CompiledFile::compile(const std::string &path, unsigned optimisationLevel,
                           const std::string &level) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto context = std::make_unique<LLVMContext>();
  std::string said;
  raw_string_ostream out(said);
  diag::Engine diagnostics(/*colour=*/false, out);

  FrontendOptions frontend;
  frontend.input = path;
  frontend.khalIncludeDir = KHAL_SOURCE_INCLUDE_DIR;
  frontend.clangResourceDir = KHAL_CLANG_RESOURCE_DIR;
  frontend.optimisationLevel = optimisationLevel;
  frontend.abis = {DeviceAbi::Host};
  std::optional<FrontendResult> parsed = runFrontend(frontend, *context, diagnostics);
  ASSERT_TRUE(parsed) << said;
  file = parsed->file;

  khalc::TargetOptions options;
  options.optimisationLevel = optimisationLevel;
  options.cpuLevels = {level};
  std::optional<cpu::Result> result = cpu::compile(
      std::move(parsed->modules[static_cast<size_t>(DeviceAbi::Host)]), file, options, diagnostics);
  ASSERT_TRUE(result) << said;
  std::string faults;
  raw_string_ostream faultsOut(faults);
  ASSERT_FALSE(verifyModule(*result->module, &faultsOut)) << faults;
  for (const CompiledKernel &kernel : result->kernels)
    codes[kernel.kernelSymbol] = {kernel.cpuFunction, kernel.scratchBytes};

  // A linker finds glibc's vector maths by itself; a process has it only if something needs it.
  sys::DynamicLibrary::LoadLibraryPermanently("libmvec.so.1");
  Expected<std::unique_ptr<orc::LLJIT>> made = orc::LLJITBuilder().create();
  ASSERT_TRUE(static_cast<bool>(made)) << textOf(made.takeError());
  Error added =
      (*made)->addIRModule(orc::ThreadSafeModule(std::move(result->module), std::move(context)));
  ASSERT_FALSE(static_cast<bool>(added)) << textOf(std::move(added));
  jit = std::move(*made);
}

CompiledFile::~CompiledFile() = default;

void CompiledFile::run(const std::string &name, std::array<uint32_t, 3> groups,
                       const Arguments &arguments) {
  auto kernel = std::find_if(file.kernels.begin(), file.kernels.end(),
                             [&](const KernelInfo &one) { return one.displayName == name; });
  ASSERT_NE(kernel, file.kernels.end()) << "no kernel " << name;

  std::vector<void *> buffers;
  Memory block = garbage(kernel->blockSize);
  auto piece = arguments.pieces.begin();
  for (const Parameter &parameter : kernel->parameters)
    for (const Leaf &leaf : parameter.leaves) {
      ASSERT_NE(piece, arguments.pieces.end()) << "too few arguments for " << name;
      if (leaf.kind == Leaf::Kind::BufferPointer) {
        buffers.push_back(piece->address);
      } else {
        size_t size = leaf.kind == Leaf::Kind::Uniform ? leaf.size : sizeof(uint32_t);
        ASSERT_EQ(piece->bytes.size(), size) << parameter.name;
        std::memcpy(block.get() + leaf.blockOffset, piece->bytes.data(), size);
      }
      ++piece;
    }
  ASSERT_EQ(piece, arguments.pieces.end()) << "too many arguments for " << name;

  const Code &code = codes.at(kernel->symbol);
  Expected<orc::ExecutorAddr> address = jit->lookup(code.function);
  ASSERT_TRUE(static_cast<bool>(address)) << textOf(address.takeError());
  auto function = address->toPtr<khal::abi::CpuFunction>();
  const khal::abi::CpuLaunch launch = {
      buffers.data(), kernel->blockSize ? block.get() : nullptr, {groups[0], groups[1], groups[2]}};
  Memory scratch = garbage(code.scratchBytes);
  const uint64_t count = uint64_t{groups[0]} * groups[1] * groups[2];
  // Ranges of one, two, three … groups: what one leaves behind must not matter to the next.
  for (uint64_t first = 0, length = 1; first < count; ++length) {
    const uint64_t end = std::min(count, first + length);
    function(&launch, first, end, scratch.get());
    first = end;
  }
}

} // namespace khalc::test
