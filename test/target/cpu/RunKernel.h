//===- RunKernel.h - compiles a kernel file and runs it in this process ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_TARGET_CPU_RUNKERNEL_H
#define KHAL_TEST_TARGET_CPU_RUNKERNEL_H

#include "kernel/KernelInfo.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace khalc::test {

/// What a kernel is launched with, piece by piece in flattened order.
class Arguments {
public:
  /// A span: address and length.
  template <class T> Arguments &buffer(std::vector<T> &elements) {
    pieces.push_back({elements.data(), {}});
    return value(static_cast<uint32_t>(elements.size()));
  }
  /// A reference or pointer.
  Arguments &pointer(void *address) {
    pieces.push_back({address, {}});
    return *this;
  }
  template <class T> Arguments &value(const T &object) {
    std::vector<unsigned char> bytes(sizeof object);
    std::memcpy(bytes.data(), &object, sizeof object);
    pieces.push_back({nullptr, std::move(bytes)});
    return *this;
  }

private:
  friend class CompiledFile;
  struct Piece {
    void *address;
    std::vector<unsigned char> bytes;
  };
  std::vector<Piece> pieces;
};

/// A kernel file compiled for the processor that this test runs on. The test fails where it can't
/// be compiled or run.
class CompiledFile {
public:
  /// `level` is a processor level or "native".
  CompiledFile(const std::string &path, unsigned optimisationLevel, const std::string &level);
  ~CompiledFile();

  bool compiled() const { return jit != nullptr; }

  /// Runs all work-groups, in several calls and with scratch memory that holds garbage.
  void run(const std::string &kernel, std::array<uint32_t, 3> groups, const Arguments &arguments);

private:
  void compile(const std::string &path, unsigned optimisationLevel, const std::string &level);

  struct Code {
    std::string function;
    uint32_t scratchBytes;
  };

  KernelFile file;
  std::map<std::string, Code> codes; ///< by kernel symbol
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace khalc::test

#endif // KHAL_TEST_TARGET_CPU_RUNKERNEL_H
