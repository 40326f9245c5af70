//===- Mutate.cpp - changes C++ files a little ------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Mutate.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace khal::fuzz {

namespace {

constexpr const char *types[] = {
    "void",
    "bool",
    "i8",
    "u16",
    "i64",
    "u64",
    "double",
    "f16",
    "float3",
    "uchar4",
    "bool2",
    "double3",
    "long double",
    "__int128",
    "_BitInt(7)",
    "char32_t",
    "void *",
    "u32 *",
    "float &",
    "const u8 *",
    "span<u8>",
    "u32[3]",
    "int()",
    "auto",
    "__fp16",
    "decltype(nullptr)",
    "span<float3>",
    "span<bool>",
    "wchar_t",
    "short",
    "u32 &&",
    "span<span<u32>>",
    "_Complex float",
};
constexpr const char *numbers[] = {
    "0",  "1",          "-1",  "2147483648", "4294967296ull", "1e400",  "0.0f",  "1025", "~0u",
    "64", "0x7fffffff", "'a'", "true",       "nullptr",       "1e-45f", "65536", "33"};
constexpr const char *words[] = {
    "const",
    "static",
    "volatile",
    "return",
    "break",
    "continue",
    "goto next",
    "template",
    "this",
    "new u32",
    "delete",
    "throw 1",
    "inline",
    "virtual",
    "constexpr",
    "extern",
    "union",
    "thread_local",
    "barrier()",
    "sizeof",
    "__builtin_trap()",
    "while (1)",
    "asm(\"\")",
    "[[khal::shared]]",
    "[[khal::kernel(64)]]",
    "__builtin_unreachable()",
    "[[khal::may_alias]]",
    "reinterpret_cast<u8 *>",
    "alloca(4)",
    "mutable",
    "operator",
};
constexpr const char *signs[] = {"+", "-", "*", "/", "%",  "&",  "|",  "^",  "<<",  ">>", "=", "==",
                                 "<", ">", "!", "~", "?",  ":",  ";",  ",",  ".",   "->", "(", ")",
                                 "[", "]", "{", "}", "++", "--", "&&", "||", "...", "::", "@", "#"};

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::size_t endOfToken(std::string_view rest) {
  if (rest[0] == '#')
    return rest.find('\n');
  if (isWord(rest[0]))
    return std::size_t(std::find_if_not(rest.begin(), rest.end(), isWord) - rest.begin());
  if (rest[0] == '"' || rest[0] == '\'') {
    const std::size_t end = rest.find(rest[0], 1);
    return end == std::string_view::npos ? end : end + 1;
  }
  for (const char *two : {"::", "->", "==", "<=", ">=", "!=", "&&", "||", "<<", ">>",
                          "+=", "-=", "*=", "^=", "|=", "++", "--", "[[", "]]"})
    if (rest.starts_with(two))
      return 2;
  return 1;
}

std::size_t endOfSpace(std::string_view rest) {
  std::size_t at = 0;
  while (at < rest.size()) {
    if (std::isspace(static_cast<unsigned char>(rest[at])))
      ++at;
    else if (rest.substr(at).starts_with("//"))
      at = std::min(rest.find('\n', at), rest.size());
    else
      break;
  }
  return at;
}

template <std::size_t N> std::string pick(const char *const (&from)[N], Random &random) {
  return from[random.below(unsigned(N))];
}

std::string oddToken(const std::string &old, Random &random) {
  if (random.chance(20))
    return pick(words, random);
  if (std::isdigit(static_cast<unsigned char>(old[0])))
    return pick(numbers, random);
  if (isWord(old[0]))
    return random.chance(70) ? pick(types, random) : pick(numbers, random);
  return pick(signs, random);
}

} // namespace

std::vector<Token> tokenise(std::string_view source) {
  std::vector<Token> tokens;
  while (!source.empty()) {
    const std::size_t space = endOfSpace(source);
    const std::string_view rest = source.substr(space);
    const std::size_t length = rest.empty() ? 0 : std::min(endOfToken(rest), rest.size());
    tokens.push_back({std::string(source.substr(0, space)), std::string(rest.substr(0, length))});
    source = rest.substr(length);
  }
  return tokens;
}

std::string join(const std::vector<Token> &tokens) {
  std::string text;
  for (const Token &token : tokens)
    text += token.before + token.text;
  return text;
}

void mutate(std::vector<Token> &tokens, Random &random) {
  if (tokens.empty())
    return;
  const unsigned size = unsigned(tokens.size());
  const unsigned at = random.below(size);
  // Without its header a kernel file has nothing but unknown names.
  if (tokens[at].text.starts_with("#") || tokens[at].text.empty())
    return;
  const auto place = tokens.begin() + at;
  const unsigned run = std::min(1 + random.below(random.chance(70) ? 1 : 8), size - at);
  switch (random.below(7)) {
  case 0:
    tokens.erase(place, place + run);
    break;
  case 1: {
    const std::vector<Token> copy(place, place + run);
    tokens.insert(tokens.begin() + random.below(size), copy.begin(), copy.end());
    break;
  }
  case 2:
    std::swap(place->text, tokens[random.below(size)].text);
    break;
  case 3:
    place->text = tokens[random.below(size)].text;
    break;
  case 4:
    tokens.insert(place, {" ", oddToken(place->text, random)});
    break;
  default:
    place->text = oddToken(place->text, random);
  }
}

} // namespace khal::fuzz
