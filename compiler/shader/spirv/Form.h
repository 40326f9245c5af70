//===- Form.h - how SPIR-V is written for who reads it --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_SPIRV_FORM_H
#define KHALC_SHADER_SPIRV_FORM_H

#include <cstdint>
#include <optional>

namespace khalc::spirv {

/// The default is the form for Vulkan drivers. SPIRV-Cross gets others, which its shading languages
/// can say.
struct Form {
  enum class Block {
    PushConstantOrUniform, ///< push constants where they fit (see abi.h)
    PushConstant,
    Uniform
  };
  Block block = Block::PushConstantOrUniform;
  /// The uniform block's binding, where it isn't the number of buffers.
  std::optional<uint32_t> blockBinding;
  /// The number of groups is read from the three words after the block.
  bool numGroupsInBlock = false;
  /// Values, members and types have names, the source's where there is one.
  bool names = false;
  /// What not every shading language has is put together from other operations: comparisons (ordered
  /// unequal, unordered equal) and bit casts between components of different widths.
  bool plainOperations = false;
  /// Source, functions and lines as non-semantic instructions, for debuggers.
  bool debugInfo = false;
};

} // namespace khalc::spirv

#endif // KHALC_SHADER_SPIRV_FORM_H
