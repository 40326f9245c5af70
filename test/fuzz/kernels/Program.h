//===- Program.h - a random program as a tree of text -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node's text has places, $0 … $9, for its children. Each node is defined behaviour whatever its
// children are, so that the shrinker can drop and replace them without knowing what they mean.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_KERNELS_PROGRAM_H
#define KHAL_TEST_FUZZ_KERNELS_PROGRAM_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace khal::fuzz {

enum class Type : std::uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, Bool };
inline constexpr unsigned numberCount = unsigned(Type::Bool); ///< all types but bool

struct TypeInfo {
  const char *name;
  unsigned bytes;
  bool isSigned;
};
const TypeInfo &info(Type type);
inline bool isFloat(Type type) {
  return type == Type::F32 || type == Type::F64;
}
inline bool isInteger(Type type) {
  return type < Type::F32;
}

struct Node {
  enum class Kind {
    Expression, ///< of `type`, without side effects
    Index,      ///< an expression below a bound, which its children may be beyond
    Statement,  ///< may be dropped
    Block,      ///< children only: statements or declarations in order
    Pointer,    ///< may become one of its children that is a pointer too
    Fixed       ///< text that must stay
  };
  Kind kind = Kind::Fixed;
  Type type = Type::U32;
  std::string text;
  std::vector<Node> children;
};

/// A function for each work-item, or one with barriers for a whole work-group.
enum class Form { Item, Group };

struct Program {
  std::uint64_t seed = 0;
  Form form = Form::Item;
  bool entersLoops = false; ///< a loop is entered in its middle, or has two ways round
  Node root;                ///< all that stands in the program's namespace, with the kernel
};

/// Nodes with the children put in, indented.
std::string print(const Node &node);

/// A kernel file with all programs; kernel number i is called `kernel_i`.
std::string kernelFile(std::span<const Program> programs);

/// Sizes that programs rely on and the runner provides.
namespace sizes {
inline constexpr unsigned items = 192;     ///< work-items of a launch
inline constexpr unsigned group = 64;      ///< of them in a group
inline constexpr unsigned inputs = 64;     ///< elements of `in`
inline constexpr unsigned records = 32;    ///< elements of `records`
inline constexpr unsigned workPerItem = 2; ///< elements of `work` that a work-item owns
} // namespace sizes

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_KERNELS_PROGRAM_H
