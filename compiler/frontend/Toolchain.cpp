//===- Toolchain.cpp - where the system's headers are -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/Toolchain.h"

#include "diag/Diagnostics.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VersionTuple.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace khalc {

namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string join(llvm::StringRef folder, const llvm::Twine &a, const llvm::Twine &b = "",
                 const llvm::Twine &c = "") {
  llvm::SmallString<128> result(folder);
  path::append(result, a, b, c);
  return std::string(result);
}

bool hasConfiguration(llvm::StringRef folder) {
  return fs::exists(join(folder, "bits", "c++config.h"));
}

/// Debian keeps the machine-dependent part of libstdc++ under the multiarch folder, others below
/// the version's own folder, named by GCC's triple.
std::string machineFolder(llvm::StringRef includes, llvm::StringRef multiarch,
                          llvm::StringRef version) {
  const std::string debian = join(includes, multiarch, "c++", version);
  if (hasConfiguration(debian))
    return debian;
  const std::string cxx = join(includes, "c++", version);
  std::string found;
  std::error_code error;
  for (fs::directory_iterator i(cxx, error), end; i != end && !error; i.increment(error)) {
    const bool isNewer = found.empty() || i->path() < found; // the same on every machine
    if (hasConfiguration(i->path()) && isNewer)
      found = i->path();
  }
  return found;
}

} // namespace

std::optional<SystemHeaders> findSystemHeaders(llvm::StringRef root, diag::Engine &diagnostics) {
  const std::string includes = join(root, "usr", "include");
  const llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  const std::string multiarch = (host.getArchName() + "-linux-gnu").str();

  llvm::VersionTuple newest;
  std::string newestName, newestMachine;
  std::error_code error;
  for (fs::directory_iterator i(join(includes, "c++"), error), end; i != end && !error;
       i.increment(error)) {
    const llvm::StringRef name = path::filename(i->path());
    llvm::VersionTuple version;
    if (version.tryParse(name) || !(newest < version))
      continue;
    const std::string machine = machineFolder(includes, multiarch, name);
    if (machine.empty())
      continue;
    newest = version;
    newestName = name.str();
    newestMachine = machine;
  }
  if (newestName.empty()) {
    diagnostics.report(diag::Id::standard_library_missing, {join(includes, "c++")});
    return std::nullopt;
  }
  const std::string cxx = join(includes, "c++", newestName);
  return SystemHeaders{
      {cxx, newestMachine, join(cxx, "backward")},
      {join(root, "usr", "local", "include"), join(includes, multiarch), includes}};
}

} // namespace khalc
