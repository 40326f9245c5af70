//===- DiskCache.h - built code kept across processes -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_DISKCACHE_H
#define KHAL_RUNTIME_CORE_DISKCACHE_H

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace khal::detail {

/// Everything that a piece of built code depends on: device, driver, source.
class CacheKey {
public:
  /// `kind` names the sort of data: "vulkan pipeline".
  explicit CacheKey(std::string_view kind) { add(kind); }

  CacheKey &add(std::string_view text);
  CacheKey &add(std::uint64_t number);
  CacheKey &add(std::span<const std::byte> bytes);

  /// No two different sequences of parts give the same.
  const std::string &bytes() const noexcept { return bytes_; }

private:
  std::string bytes_;
};

/// A folder with a file for each key. A file has the whole key in it and a checksum, and appears
/// under its name only when it's complete: what is damaged, cut off, another's or of another version
/// counts as absent. Nothing here throws: code that can't be kept is built again next time.
///
/// Any number of threads and processes may use one folder.
class DiskCache {
public:
  /// The one that the environment says: KHAL_CACHE, or khal/ in XDG_CACHE_HOME or ~/.cache.
  static const DiskCache &of_process();

  /// Without a folder nothing is kept.
  explicit DiskCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  bool enabled() const noexcept { return !folder_.empty(); }
  const std::filesystem::path &folder() const noexcept { return folder_; }

  /// Empty when there's none.
  std::vector<std::byte> load(const CacheKey &key) const noexcept;
  /// Replaces what there is. Returns whether it's kept.
  bool store(const CacheKey &key, std::span<const std::byte> data) const noexcept;
  /// Forgets what a driver didn't take.
  void remove(const CacheKey &key) const noexcept;

  /// Removes what killed processes left half written more than an hour ago, and, when all files are
  /// larger than `most_bytes`, the ones that have been unused longest until they are half of that.
  void tidy(std::uint64_t most_bytes) const noexcept;

private:
  std::filesystem::path file_of(const CacheKey &key) const;

  const std::filesystem::path folder_;
};

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_DISKCACHE_H
