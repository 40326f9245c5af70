//===- Outputs.cpp - files that appear whole or not at all ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "driver/Outputs.h"

#include "diag/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace khalc {

namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool fail(const std::string &file, std::error_code error, diag::Engine &diagnostics) {
  diagnostics.report(diag::Id::output_unwritable, {file, error.message()});
  return false;
}

bool makeFolder(const std::string &file, diag::Engine &diagnostics) {
  const llvm::StringRef folder = path::parent_path(file);
  if (folder.empty())
    return true;
  if (const std::error_code error = fs::create_directories(folder))
    return fail(folder.str(), error, diagnostics);
  return true;
}

/// A file beside its final place, removed by LLVM if the process is killed, and by discardAll()
/// otherwise unless it is kept.
llvm::Expected<fs::TempFile> writeBeside(const Output &output) {
  llvm::Expected<fs::TempFile> file =
      fs::TempFile::create(output.path + ".%%%%%%.tmp",
                           fs::all_read | fs::all_write); // less what the umask takes
  if (!file)
    return file.takeError();
  llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  stream << output.bytes;
  stream.flush();
  if (const std::error_code error = stream.error()) {
    stream.clear_error();
    llvm::consumeError(file->discard());
    return llvm::errorCodeToError(error);
  }
  return file;
}

void discardAll(std::vector<fs::TempFile> &files) {
  for (fs::TempFile &file : files)
    llvm::consumeError(file.discard());
}

} // namespace

bool writeAll(llvm::ArrayRef<Output> outputs, diag::Engine &diagnostics) {
  std::vector<fs::TempFile> files;
  for (const Output &output : outputs) {
    if (!makeFolder(output.path, diagnostics)) {
      discardAll(files);
      return false;
    }
    // A folder in the file's place would only be found by the rename, when others are done.
    llvm::Expected<fs::TempFile> file =
        fs::is_directory(output.path)
            ? llvm::errorCodeToError(std::make_error_code(std::errc::is_a_directory))
            : writeBeside(output);
    if (!file) {
      fail(output.path, llvm::errorToErrorCode(file.takeError()), diagnostics);
      discardAll(files);
      return false;
    }
    files.push_back(std::move(*file));
  }
  for (size_t i = 0; i < files.size(); ++i) {
    llvm::Error error = files[i].keep(outputs[i].path);
    if (!error)
      continue;
    fail(outputs[i].path, llvm::errorToErrorCode(std::move(error)), diagnostics);
    for (size_t done = 0; done < i; ++done)
      fs::remove(outputs[done].path);
    for (size_t rest = i + 1; rest < files.size(); ++rest)
      llvm::consumeError(files[rest].discard());
    return false;
  }
  return true;
}

} // namespace khalc
