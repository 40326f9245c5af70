//===- Names.cpp - identifiers for WGSL -----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/wgsl/Names.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace khalc::wgsl {

namespace {

/// Keywords and reserved words (WGSL 16.1 and 16.2), and the predeclared names that a writer uses
/// or that would be confusing to hide.
constexpr StringLiteral reserved[] = {
#define KHAL_WGSL_RESERVED(word) #word,
#include "shader/wgsl/Reserved.def"
};

const StringSet<> &reservedWords() {
  static const StringSet<> words = [] {
    StringSet<> made;
    for (const StringRef word : reserved)
      made.insert(word);
    return made;
  }();
  return words;
}

} // namespace

std::string Names::fresh(StringRef wanted, StringRef otherwise) {
  std::string name;
  for (const char c : wanted.empty() ? otherwise : wanted)
    name += isAlnum(c) || c == '_' ? c : '_';
  // An identifier can't be one underscore or begin with two or with a digit.
  if (StringRef(name).starts_with("_") || isDigit(name.front()))
    name = "v" + name;
  if (reservedWords().contains(name))
    name += '_';
  std::string unique = name;
  for (unsigned i = 1; !given.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  return unique;
}

} // namespace khalc::wgsl
