//===- Installation.cpp - where khalc finds what it needs -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "driver/Pipeline.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace khalc {

Installation findInstallation(const std::string &executable) {
  namespace path = llvm::sys::path;
  llvm::SmallString<128> installed(path::parent_path(path::parent_path(executable)));
  path::append(installed, "include");
  const bool isInstalled = llvm::sys::fs::exists(installed + "/khal/kernel.hpp");
  return {isInstalled ? std::string(installed) : KHAL_BUILD_INCLUDE_DIR, KHAL_CLANG_RESOURCE_DIR};
}

} // namespace khalc
