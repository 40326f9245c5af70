//===- Dumps.cpp - a numbered file after each stage -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "driver/Dumps.h"

#include "diag/Diagnostics.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace khalc {

namespace {

/// Stages are named by the targets, with kernels' names inside.
std::string fileNameOf(llvm::StringRef stage) {
  std::string name;
  for (const char c : stage)
    name += llvm::isAlnum(c) || c == '-' || c == '_' || c == '.' ? c : '_';
  return name;
}

} // namespace

Dumps::Dumps(const std::string &folder, const std::string &input, diag::Engine &diagnostics)
    : diagnostics(diagnostics) {
  if (folder.empty())
    return;
  if (const std::error_code error = llvm::sys::fs::create_directories(folder)) {
    diagnostics.report(diag::Id::dump_unwritable, {folder, error.message()});
    return;
  }
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, llvm::sys::path::stem(input) + ".");
  prefix = std::string(path);
}

void Dumps::write(const std::string &stage, const std::string &text) {
  if (!wanted())
    return;
  std::string path;
  llvm::raw_string_ostream(path) << prefix << llvm::format("%02u-", ++count) << fileNameOf(stage)
                                 << ".txt";
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    file << text;
    file.close();
    error = file.error();
    file.clear_error();
  }
  if (error)
    diagnostics.report(diag::Id::dump_unwritable, {path, error.message()});
}

void Dumps::write(const std::string &stage, const llvm::Module &module) {
  if (!wanted())
    return;
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  write(stage, text);
}

} // namespace khalc
