//===- Names.cpp - names that GLSL, HLSL and MSL take ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "shader/cross/Names.h"

#include <spirv_cross/spirv_cross.hpp>

#include <string>
#include <unordered_set>

namespace khalc::cross {

namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// A vector's or matrix's type without its size: "float" of "float4" and of "float3x3".
std::string_view withoutSize(std::string_view word) {
  const size_t length = word.size();
  if (length > 3 && isDigit(word[length - 1]) && word[length - 2] == 'x' &&
      isDigit(word[length - 3]))
    return word.substr(0, length - 3);
  if (length > 1 && isDigit(word[length - 1]))
    return word.substr(0, length - 1);
  return word;
}

} // namespace

bool isReserved(std::string_view word) {
  static const std::unordered_set<std::string_view> words{
#define KHAL_CROSS_RESERVED(word) #word,
#include "shader/cross/Reserved.def"
  };
  return words.contains(word) || words.contains(withoutSize(word));
}

namespace {

template <class Predicate> void lengthenNames(spirv_cross::Compiler &compiler, Predicate isTaken) {
  for (uint32_t id = 1; id < compiler.get_current_id_bound(); ++id) {
    const std::string name = compiler.get_name(id);
    if (isTaken(name))
      compiler.set_name(id, name + '_');
  }
}

} // namespace

void avoidReserved(spirv_cross::Compiler &compiler) {
  lengthenNames(compiler, isReserved);
}

void avoidEntry(spirv_cross::Compiler &compiler, std::string_view entry) {
  lengthenNames(compiler, [entry](const std::string &name) { return name == entry; });
}

} // namespace khalc::cross
