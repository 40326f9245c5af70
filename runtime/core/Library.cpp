//===- Library.cpp - a shared library found at run time ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Library.h"

#include <dlfcn.h>

namespace khal::detail {

Library::Library(const char *name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

void *Library::address(const char *name) const noexcept {
  return dlsym(handle_, name);
}

} // namespace khal::detail
