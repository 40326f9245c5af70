//===- Capabilities.h - what each shader target can express ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where a shader target says no: kernels that need more than it has are refused before
// they are printed, at the first line that does.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_CAPABILITIES_H
#define KHALC_TARGET_SHADER_CAPABILITIES_H

#include "target/shader/ExpandSubgroups.h"

#include "khal/abi.h"

namespace llvm {
class Function;
}

namespace khalc::diag {
class Engine;
}

namespace khalc::shader {

/// What a language has; nothing but what is said.
struct Capabilities {
  const char *language; ///< as messages name it
  bool float64 = false;
  bool int64Atomics = false;
  /// Atomics with an order, and fences outside of barriers.
  bool memoryOrder = false;
  /// A buffer is bound as often as it has views; else once, under an element type of 32 bits.
  bool views = false;
  bool narrowIntegers = false; ///< 8 and 16 bits; else these are computed with in 32 bits
  bool dotProducts = false;    ///< of four bytes, as an instruction that a device may have
  SubgroupForms subgroups = {};
  bool subgroupBarrier = false;
  bool int64 = false; ///< else 64-bit integers are pairs of words
  /// Barriers wherever the work-items of a group come together; else only where the language's own
  /// analysis sees that they do.
  bool anyBarrier = false;
  bool strictSums = false; ///< a product and a sum are rounded by themselves when asked to
};

/// `target` is any but cpu and ptx.
const Capabilities &capabilitiesOf(khal::abi::Target target);

/// Reports the first instruction of a lowered kernel that the target has no form for; false then.
/// `isStrict` is as for --fp=strict.
bool checkCapabilities(llvm::Function &function, khal::abi::Target target, bool isStrict,
                       diag::Engine &diagnostics);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_CAPABILITIES_H
