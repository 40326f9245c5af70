//===- Artifact.h - which of a kernel's compiled forms runs on a device -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_ARTIFACT_H
#define KHAL_RUNTIME_CORE_ARTIFACT_H

#include "khal/host/device.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>

namespace khal::detail {

/// How good a variant of the device's target is on the device, higher is better; nothing when the
/// device can't run it.
using VariantRank = std::function<std::optional<int>(std::string_view variant)>;

/// The best compiled form of `kernel` for `target` whose variant and features the device has.
/// \throws Error unsupported, which says what is missing and how to compile for it.
const abi::Artifact &choose_artifact(const abi::Kernel &kernel, abi::Target target,
                                     const DeviceInfo &device, const VariantRank &rank);

/// What a backend keeps for each kernel on one device, made at the kernel's first launch. Threads
/// that launch different kernels for the first time don't wait for each other.
template <class Compiled> class KernelCache {
public:
  /// `build` returns a std::unique_ptr<Compiled>; when it throws, the next call tries again.
  template <class Build> Compiled &get(const abi::Kernel &kernel, const Build &build) {
    Entry &entry = entry_of(kernel);
    if (Compiled *ready = entry.ready.load(std::memory_order_acquire))
      return *ready;
    const std::lock_guard lock(entry.mutex);
    if (!entry.compiled) {
      entry.compiled = build();
      entry.ready.store(entry.compiled.get(), std::memory_order_release);
    }
    return *entry.compiled;
  }

private:
  struct Entry {
    std::mutex mutex;
    std::unique_ptr<Compiled> compiled;
    std::atomic<Compiled *> ready{nullptr};
  };

  Entry &entry_of(const abi::Kernel &kernel) {
    {
      const std::shared_lock lock(mutex_);
      if (const auto found = entries_.find(&kernel); found != entries_.end())
        return *found->second;
    }
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Entry> &entry = entries_[&kernel];
    if (!entry)
      entry = std::make_unique<Entry>();
    return *entry;
  }

  std::shared_mutex mutex_;
  std::unordered_map<const abi::Kernel *, std::unique_ptr<Entry>> entries_;
};

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_ARTIFACT_H
