//===- Mutate.h - changes C++ files a little --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_CRASH_MUTATE_H
#define KHAL_TEST_FUZZ_CRASH_MUTATE_H

#include "../Random.h"

#include <string>
#include <string_view>
#include <vector>

namespace khal::fuzz {

/// The words, numbers and signs of a file, with the space and comments before each. Lines of the
/// preprocessor are one token.
struct Token {
  std::string before, text;
};
std::vector<Token> tokenise(std::string_view source);
std::string join(const std::vector<Token> &tokens);

/// One change: tokens dropped, doubled, moved, or replaced by others of the file or by odd ones.
void mutate(std::vector<Token> &tokens, Random &random);

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_CRASH_MUTATE_H
