//===- DiskCache.cpp - built code kept across processes ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/DiskCache.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace khal::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> magic = {'k', 'h', 'a', 'l', 'c', 'c', '0', '1'};
constexpr const char *extension = ".khalcache";
constexpr const char *unfinished = ".unfinished-";
constexpr std::uint64_t most_bytes_of_process = std::uint64_t{1} << 30;
constexpr std::chrono::hours oldest_unfinished{1};

struct Header {
  std::array<char, 8> magic;
  std::uint64_t key_bytes;
  std::uint64_t data_bytes;
  std::uint64_t checksum; ///< of all the rest
};

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
class Hash {
public:
  Hash &add(const void *data, std::size_t bytes) {
    for (const auto *at = static_cast<const unsigned char *>(data); bytes > 0; ++at, --bytes)
      value_ = (value_ ^ *at) * 0x100000001b3u;
    return *this;
  }
  std::uint64_t value() const noexcept { return value_; }

private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

std::uint64_t checksum(const Header &header, const void *key, const void *data) {
  return Hash()
      .add(&header.key_bytes, sizeof(header.key_bytes))
      .add(&header.data_bytes, sizeof(header.data_bytes))
      .add(key, header.key_bytes)
      .add(data, header.data_bytes)
      .value();
}

class File {
public:
  explicit File(int handle) : handle_(handle) {}
  ~File() {
    if (handle_ >= 0)
      ::close(handle_);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  explicit operator bool() const noexcept { return handle_ >= 0; }
  int handle() const noexcept { return handle_; }

  bool write(const void *data, std::size_t bytes) {
    for (const auto *at = static_cast<const char *>(data); bytes > 0;) {
      const ssize_t written = ::write(handle_, at, bytes);
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return false;
      at += written;
      bytes -= static_cast<std::size_t>(written);
    }
    return true;
  }
  bool read(void *data, std::size_t bytes) {
    for (auto *at = static_cast<char *>(data); bytes > 0;) {
      const ssize_t got = ::read(handle_, at, bytes);
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        return false;
      at += got;
      bytes -= static_cast<std::size_t>(got);
    }
    return true;
  }
  /// Some file systems only tell now that the disk is full.
  bool close() { return ::close(std::exchange(handle_, -1)) == 0; }

private:
  int handle_;
};

fs::path folder_of_process() {
  const auto variable = [](const char *name) -> std::string_view {
    const char *value = std::getenv(name);
    return value ? value : "";
  };
  if (const std::string_view own = variable("KHAL_CACHE"); !own.empty())
    return own == "0" ? fs::path() : fs::path(own);
  if (const std::string_view base = variable("XDG_CACHE_HOME"); base.starts_with('/'))
    return fs::path(base) / "khal";
  if (const std::string_view home = variable("HOME"); home.starts_with('/'))
    return fs::path(home) / ".cache" / "khal";
  return {};
}

/// Another user must not be able to slip code under this one.
bool is_own(const struct stat &status) {
  return S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
}

} // namespace

CacheKey &CacheKey::add(std::string_view text) {
  return add(std::as_bytes(std::span(text)));
}

CacheKey &CacheKey::add(std::uint64_t number) {
  return add(std::as_bytes(std::span(&number, 1)));
}

CacheKey &CacheKey::add(std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  bytes_.append(reinterpret_cast<const char *>(&size), sizeof(size));
  bytes_.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return *this;
}

const DiskCache &DiskCache::of_process() {
  static const DiskCache cache(folder_of_process());
  return cache;
}

fs::path DiskCache::file_of(const CacheKey &key) const {
  char name[17] = {};
  const std::uint64_t hash = Hash().add(key.bytes().data(), key.bytes().size()).value();
  std::to_chars(name, name + 16, hash, 16);
  return folder_ / (std::string(name) + extension);
}

std::vector<std::byte> DiskCache::load(const CacheKey &key) const noexcept try {
  if (!enabled())
    return {};
  File file(::open(file_of(key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status{};
  Header header{};
  if (!file || ::fstat(file.handle(), &status) != 0 || !is_own(status) ||
      !file.read(&header, sizeof(header)) || header.magic != magic)
    return {};
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (header.key_bytes != key.bytes().size() || header.data_bytes > size ||
      size != sizeof(header) + header.key_bytes + header.data_bytes)
    return {};
  std::string its_key(header.key_bytes, '\0');
  std::vector<std::byte> data(header.data_bytes);
  if (!file.read(its_key.data(), its_key.size()) || !file.read(data.data(), data.size()) ||
      its_key != key.bytes() || checksum(header, its_key.data(), data.data()) != header.checksum)
    return {};
  ::futimens(file.handle(), nullptr); // used now, as tidy() looks at it
  return data;
} catch (const std::exception &) { // no memory for it: as if there were none
  return {};
}

bool DiskCache::store(const CacheKey &key, std::span<const std::byte> data) const noexcept try {
  if (!enabled())
    return false;
  std::error_code error;
  if (fs::create_directories(folder_, error))
    fs::permissions(folder_, fs::perms::owner_all, error);
  static std::once_flag tidied;
  std::call_once(tidied, [this] { tidy(most_bytes_of_process); });

  const fs::path target = file_of(key);
  std::string name = target.string() + unfinished + "XXXXXX";
  File file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file)
    return false;
  Header header{magic, key.bytes().size(), data.size(), 0};
  header.checksum = checksum(header, key.bytes().data(), data.data());
  if (file.write(&header, sizeof(header)) && file.write(key.bytes().data(), key.bytes().size()) &&
      file.write(data.data(), data.size()) && file.close() &&
      ::rename(name.c_str(), target.c_str()) == 0)
    return true;
  ::unlink(name.c_str());
  return false;
} catch (const std::exception &) {
  return false;
}

void DiskCache::remove(const CacheKey &key) const noexcept try {
  if (enabled())
    ::unlink(file_of(key).c_str());
} catch (const std::exception &) {
  // It stays, and is refused again.
}

void DiskCache::tidy(std::uint64_t most_bytes) const noexcept try {
  struct Kept {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes;
  };
  std::vector<Kept> kept;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator file(folder_, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code gone; // another process may tidy too
    const auto used = file->last_write_time(gone);
    const std::uint64_t bytes = gone ? 0 : file->file_size(gone);
    const std::string name = file->path().filename();
    if (gone)
      continue;
    if (name.find(std::string(extension) + unfinished) != std::string::npos) {
      if (now - used > oldest_unfinished)
        fs::remove(file->path(), gone);
    } else if (name.ends_with(extension)) {
      kept.push_back({file->path(), used, bytes});
      total += bytes;
    }
  }
  if (total <= most_bytes)
    return;
  std::sort(kept.begin(), kept.end(), [](const Kept &a, const Kept &b) { return a.used < b.used; });
  for (auto oldest = kept.begin(); oldest != kept.end() && total > most_bytes / 2; ++oldest) {
    std::error_code gone;
    fs::remove(oldest->path, gone);
    total -= oldest->bytes;
  }
} catch (const std::exception &) {
  // Next time.
}

} // namespace khal::detail
