//===- Program.cpp - prints random programs ---------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Program.h"

namespace khal::fuzz {

const TypeInfo &info(Type type) {
  static constexpr TypeInfo table[] = {{"i8", 1, true},     {"u8", 1, false},  {"i16", 2, true},
                                       {"u16", 2, false},   {"i32", 4, true},  {"u32", 4, false},
                                       {"i64", 8, true},    {"u64", 8, false}, {"float", 4, true},
                                       {"double", 8, true}, {"bool", 1, false}};
  return table[unsigned(type)];
}

namespace {

void fill(const Node &node, std::string &out) {
  if (node.kind == Node::Kind::Block) {
    for (const Node &child : node.children) {
      fill(child, out);
      out += '\n';
    }
    return;
  }
  for (std::size_t i = 0; i < node.text.size(); ++i) {
    if (node.text[i] == '$')
      fill(node.children.at(std::size_t(node.text[++i] - '0')), out);
    else
      out += node.text[i];
  }
}

std::string indented(std::string_view text) {
  std::string out;
  int depth = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty())
      continue;
    const int closing = line[0] == '}' ? 1 : 0;
    out.append(std::size_t(2 * std::max(depth - closing, 0)), ' ').append(line).append("\n");
    for (const char c : line)
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
  }
  return out;
}

void replaceAll(std::string &text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

} // namespace

std::string print(const Node &node) {
  std::string text;
  fill(node, text);
  return indented(text);
}

std::string kernelFile(std::span<const Program> programs) {
  std::string file =
      "#include \"safe.hpp\"\n\n#if !defined(KHAL_FUZZ_GROUP)\n#define KHAL_FUZZ_GROUP " +
      std::to_string(sizes::group) + "\n#endif\n\nusing namespace khal;\nusing namespace safe;\n";
  for (std::size_t i = 0; i < programs.size(); ++i) {
    std::string text = print(programs[i].root);
    replaceAll(text, "@", std::to_string(i));
    file += "\n// seed " + std::to_string(programs[i].seed) + "\n" + text;
  }
  return file;
}

} // namespace khal::fuzz
