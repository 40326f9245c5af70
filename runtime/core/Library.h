//===- Library.h - a shared library found at run time -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_LIBRARY_H
#define KHAL_RUNTIME_CORE_LIBRARY_H

namespace khal::detail {

/// A driver's library. It stays loaded for good: drivers have threads and exit handlers of their
/// own.
class Library {
public:
  /// Loads `name` ("libcuda.so.1"); converts to false when there is no such library.
  explicit Library(const char *name);

  explicit operator bool() const noexcept { return handle_ != nullptr; }

  /// The function called `name`, or null.
  template <class Function> Function *find(const char *name) const noexcept {
    return reinterpret_cast<Function *>(address(name));
  }

private:
  void *address(const char *name) const noexcept;
  void *handle_;
};

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_LIBRARY_H
