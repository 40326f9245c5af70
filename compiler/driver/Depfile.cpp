//===- Depfile.cpp - dependencies for Make and Ninja ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "driver/Depfile.h"

#include "llvm/ADT/STLExtras.h"

namespace khalc {

namespace {

/// As Make reads names: blanks and number signs get a backslash, a dollar is doubled.
std::string escaped(const std::string &path) {
  std::string result;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\t')
      result += '\\';
    if (c == '$')
      result += '$';
    result += c;
  }
  return result;
}

} // namespace

Output depfile(const std::string &path, llvm::ArrayRef<Output> outputs,
               const std::vector<std::string> &dependencies) {
  std::string text;
  for (const Output &output : outputs)
    text += (text.empty() ? "" : " ") + escaped(output.path);
  text += ":";
  for (const std::string &dependency : dependencies)
    text += " \\\n  " + escaped(dependency);
  return {path, text + "\n"};
}

} // namespace khalc
