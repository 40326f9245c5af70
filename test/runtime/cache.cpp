//===- cache.cpp - tests of what is kept on disk ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include "core/DiskCache.h"
#include "core/Registry.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace test {
namespace {

namespace fs = std::filesystem;
using khal::Buffer;
using khal::Stream;
using khal::detail::CacheKey;
using khal::detail::DiskCache;

/// A folder that goes with the test.
class Folder {
public:
  Folder() {
    std::string name = testing::TempDir() + "khal-cache-XXXXXX";
    if (!::mkdtemp(name.data()))
      throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  const fs::path &path() const noexcept { return path_; }

private:
  fs::path path_;
};

std::vector<std::byte> some_data(std::size_t size, unsigned seed) {
  std::vector<std::byte> data(size);
  for (std::size_t i = 0; i < size; ++i)
    data[i] = std::byte((i * 131 + seed * 17 + i / 251) & 0xff);
  return data;
}

std::vector<fs::path> files_in(const fs::path &folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    files.push_back(entry.path());
  return files;
}

class DiskCaches : public testing::Test {
protected:
  fs::path only_file() const {
    const std::vector<fs::path> files = files_in(folder.path());
    EXPECT_EQ(files.size(), 1u);
    return files.at(0);
  }

  const Folder folder;
  const DiskCache cache{folder.path()};
  const CacheKey key = CacheKey("test").add("a kernel").add(std::uint64_t{1});
};

TEST_F(DiskCaches, GiveBackWhatTheyWereGiven) {
  EXPECT_TRUE(cache.load(key).empty());
  for (const std::size_t size : {1, 100, 70'000, 3'000'000}) {
    EXPECT_TRUE(cache.store(key, some_data(size, 1)));
    EXPECT_EQ(cache.load(key), some_data(size, 1));
  }
  EXPECT_EQ(files_in(folder.path()).size(), 1u);
  const CacheKey other = CacheKey("test").add("a kernel").add(std::uint64_t{2});
  EXPECT_TRUE(cache.load(other).empty());
  EXPECT_TRUE(cache.store(other, some_data(10, 2)));
  EXPECT_EQ(cache.load(other), some_data(10, 2));
  EXPECT_EQ(cache.load(key), some_data(3'000'000, 1));
  cache.remove(key);
  EXPECT_TRUE(cache.load(key).empty());
  EXPECT_EQ(cache.load(other), some_data(10, 2));
}

TEST_F(DiskCaches, TellPartsOfKeysApart) {
  EXPECT_NE(CacheKey("a").add("bc").bytes(), CacheKey("ab").add("c").bytes());
  EXPECT_NE(CacheKey("a").add("").bytes(), CacheKey("a").bytes());
}

TEST_F(DiskCaches, AreOffWithoutAFolder) {
  const DiskCache off{fs::path()};
  EXPECT_FALSE(off.enabled());
  EXPECT_FALSE(off.store(key, some_data(10, 1)));
  EXPECT_TRUE(off.load(key).empty());
  off.remove(key);
}

TEST_F(DiskCaches, MakeTheirFolderForTheUserAlone) {
  const DiskCache deep(folder.path() / "not" / "there");
  EXPECT_TRUE(deep.store(key, some_data(10, 1)));
  EXPECT_EQ(deep.load(key), some_data(10, 1));
  EXPECT_EQ(fs::status(deep.folder()).permissions() & fs::perms::mask, fs::perms::owner_all);
}

TEST_F(DiskCaches, IgnoreFilesThatAreCutOff) {
  ASSERT_TRUE(cache.store(key, some_data(300, 1)));
  const fs::path file = only_file();
  for (std::uintmax_t size = fs::file_size(file); size-- > 0;) {
    fs::resize_file(file, size);
    ASSERT_TRUE(cache.load(key).empty()) << size;
  }
  EXPECT_TRUE(cache.store(key, some_data(300, 2)));
  EXPECT_EQ(cache.load(key), some_data(300, 2));
}

TEST_F(DiskCaches, IgnoreFilesWithAnyDamagedByte) {
  ASSERT_TRUE(cache.store(key, some_data(300, 1)));
  const fs::path file = only_file();
  const std::uintmax_t size = fs::file_size(file);
  for (std::uintmax_t at = 0; at < size; ++at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(std::streamoff(at));
    const char whole = char(stream.get());
    const auto put = [&](char value) {
      stream.seekp(std::streamoff(at));
      stream.put(value);
      stream.flush();
    };
    put(char(whole ^ (1 << at % 8)));
    ASSERT_TRUE(cache.load(key).empty()) << at;
    put(whole);
  }
  EXPECT_EQ(cache.load(key), some_data(300, 1));
  std::ofstream(file, std::ios::app) << "more";
  EXPECT_TRUE(cache.load(key).empty());
}

TEST_F(DiskCaches, IgnoreOtherKeysFilesUnderTheirName) {
  const CacheKey other = CacheKey("test").add("a kernel").add(std::uint64_t{2});
  ASSERT_TRUE(cache.store(key, some_data(300, 1)));
  const fs::path own = only_file();
  ASSERT_TRUE(cache.store(other, some_data(300, 2)));
  for (const fs::path &file : files_in(folder.path()))
    if (file != own)
      fs::copy_file(file, own, fs::copy_options::overwrite_existing);
  EXPECT_TRUE(cache.load(key).empty());
  fs::remove(own);
  fs::create_directory(own);
  EXPECT_TRUE(cache.load(key).empty());
  EXPECT_FALSE(cache.store(key, some_data(300, 1)));
  fs::remove(own);
  fs::create_symlink("/etc/passwd", own);
  EXPECT_TRUE(cache.load(key).empty());
}

TEST_F(DiskCaches, DoWithoutAFolderThatCannotBe) {
  const fs::path file = folder.path() / "file";
  std::ofstream(file) << "in the way";
  for (const fs::path &impossible : {file, file / "below", fs::path("/proc/khal")}) {
    const DiskCache none(impossible);
    EXPECT_FALSE(none.store(key, some_data(300, 1)));
    EXPECT_TRUE(none.load(key).empty());
    none.tidy(0);
  }
}

TEST_F(DiskCaches, KeepWhatTheyHaveWhenTheDiskIsFull) {
  ASSERT_TRUE(cache.store(key, some_data(300, 1)));
  // As with a full disk, a write fails half way.
  struct rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = old;
  small.rlim_cur = 5000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_FALSE(cache.store(key, some_data(10'000, 2)));
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(cache.load(key), some_data(300, 1));
  EXPECT_EQ(files_in(folder.path()).size(), 1u); // nothing half done is left
}

TEST_F(DiskCaches, AreWholeWhenAWriterIsKilled) {
  constexpr std::size_t size = 2'000'000;
  ASSERT_TRUE(cache.store(key, some_data(size, 0)));
  for (int round = 0; round < 25; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      for (unsigned i = 0;; ++i)
        cache.store(key, some_data(size, i % 7));
    std::this_thread::sleep_for(std::chrono::milliseconds(3 + round * 2));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::vector<std::byte> data = cache.load(key);
    bool known = false;
    for (unsigned seed = 0; seed < 7; ++seed)
      known = known || data == some_data(size, seed);
    ASSERT_TRUE(known);
  }
  EXPECT_TRUE(cache.store(key, some_data(10, 1)));
  EXPECT_EQ(cache.load(key), some_data(10, 1));
}

TEST_F(DiskCaches, ServeManyWritersAndReaders) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 100; ++i) {
        wrong += !cache.store(key, some_data(5000 + t * 1000, t));
        const std::vector<std::byte> data = cache.load(key);
        const unsigned seed = unsigned(data.size() - 5000) / 1000;
        wrong += data != some_data(5000 + seed * 1000, seed);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(files_in(folder.path()).size(), 1u);
}

TEST_F(DiskCaches, LetGoOfWhatIsOldestAndOfWhatWasNeverFinished) {
  using namespace std::chrono_literals;
  const auto now = fs::file_time_type::clock::now();
  for (unsigned i = 0; i < 10; ++i) {
    const CacheKey one = CacheKey("test").add(std::uint64_t{i});
    const std::vector<fs::path> before = files_in(folder.path());
    ASSERT_TRUE(cache.store(one, some_data(1000, i)));
    for (const fs::path &file : files_in(folder.path()))
      if (std::find(before.begin(), before.end(), file) == before.end())
        fs::last_write_time(file, now - 24h + i * 1min);
  }
  const fs::path old = folder.path() / "0123.khalcache.unfinished-abcdef";
  const fs::path fresh = folder.path() / "0124.khalcache.unfinished-abcdef";
  const fs::path foreign = folder.path() / "notes.txt";
  for (const fs::path &file : {old, fresh, foreign})
    std::ofstream(file) << "x";
  fs::last_write_time(old, now - 2h);
  fs::last_write_time(foreign, now - 99h);
  EXPECT_FALSE(cache.load(CacheKey("test").add(std::uint64_t{0})).empty()); // used again now
  cache.tidy(8000);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_TRUE(fs::exists(foreign));
  int left = 0;
  for (unsigned i = 0; i < 10; ++i)
    left += !cache.load(CacheKey("test").add(std::uint64_t{i})).empty();
  EXPECT_EQ(left, 3);
  EXPECT_FALSE(cache.load(CacheKey("test").add(std::uint64_t{0})).empty());
  EXPECT_FALSE(cache.load(CacheKey("test").add(std::uint64_t{9})).empty());
}

/// What a device keeps of the kernel `step`, in the process's own folder, which main() gives it.
class KeptKernels : public OnDevice {
protected:
  void SetUp() override {
    if (device.info().backend == khal::Backend::cpu)
      GTEST_SKIP() << "the CPU's code needs no building";
    khal::detail::release_devices();
    fs::remove_all(DiskCache::of_process().folder());
  }
  /// The kernel run on a device that knows of nothing built before.
  void run_anew() {
    khal::detail::release_devices();
    const khal::Device fresh = khal::open(GetParam());
    Stream stream(fresh);
    Buffer<u32> x = fresh.upload(counted<u32>(40));
    step(stream, khal::threads(40), x, 2);
    EXPECT_EQ(x.download()[39], 39u * 3 + 2);
  }
  static std::vector<fs::path> kept() {
    const fs::path &folder = DiskCache::of_process().folder();
    return fs::exists(folder) ? files_in(folder) : std::vector<fs::path>();
  }
  static ino_t identity(const fs::path &file) {
    struct stat status{};
    EXPECT_EQ(::stat(file.c_str(), &status), 0);
    return status.st_ino;
  }
  static std::string contents(const fs::path &file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};

TEST_P(KeptKernels, AreWrittenOnceAndThenOnlyRead) {
  run_anew();
  ASSERT_EQ(kept().size(), 1u);
  const ino_t first = identity(kept()[0]);
  run_anew();
  ASSERT_EQ(kept().size(), 1u);
  EXPECT_EQ(identity(kept()[0]), first);
}

TEST_P(KeptKernels, AreBuiltAgainWhenTheirFileIsDamaged) {
  run_anew();
  ASSERT_EQ(kept().size(), 1u);
  const fs::path file = kept()[0];
  const std::string whole = contents(file);
  const std::string damages[] = {"", "nonsense", whole.substr(0, whole.size() / 2),
                                 whole.substr(0, whole.size() - 1) + char(~whole.back()),
                                 whole + "more"};
  for (const std::string &damage : damages) {
    std::ofstream(file, std::ios::binary) << damage;
    run_anew();
    EXPECT_EQ(contents(file), whole);
  }
}

TEST_P(KeptKernels, AreForgottenWhenTheDriverRefusesThem) {
  if (device.info().backend != khal::Backend::cuda)
    GTEST_SKIP() << "Vulkan's drivers look at the data's header themselves";
  run_anew();
  ASSERT_EQ(kept().size(), 1u);
  // A file that is whole, but holds no machine code.
  const std::string whole = contents(kept()[0]);
  const auto key_bytes = *reinterpret_cast<const std::uint64_t *>(whole.data() + 8);
  std::string_view parts(whole.data() + 32, key_bytes);
  const auto next = [&] {
    const auto size = *reinterpret_cast<const std::uint64_t *>(parts.data());
    const std::string_view part = parts.substr(8, size);
    parts.remove_prefix(8 + size);
    return part;
  };
  CacheKey key(next());
  while (!parts.empty())
    key.add(next());
  ASSERT_TRUE(DiskCache::of_process().store(key, some_data(100, 1)));
  run_anew();
  EXPECT_EQ(contents(kept()[0]), whole);
}

TEST_P(KeptKernels, AreMadeByWarmingUp) {
  const khal::Device fresh = khal::open(GetParam());
  const khal::abi::Kernel *kernels[] = {&step_kernel, &spin_kernel};
  khal::warm_up(fresh, kernels);
  const std::size_t by_list = kept().size();
  EXPECT_GT(by_list, 0u);
  Buffer<float> a = fresh.zeros<float>(10);
  const Buffer<float> b = fresh.zeros<float>(10);
  khal::warm_up(fresh, [&](Stream &stream) { add(stream, khal::threads(10), a, b); });
  EXPECT_EQ(kept().size(), by_list + 1);
  khal::warm_up(fresh, [&](Stream &stream) {
    add(stream, khal::threads(10), a, b);
    add(stream, khal::threads(5), a, b);
  });
  EXPECT_EQ(kept().size(), by_list + 1);
  EXPECT_EQ(a.download(), std::vector<float>(10)); // nothing was run
}

class WarmingUp : public OnDevice {};

TEST_P(WarmingUp, RefusesWhatALaunchWouldRefuse) {
  khal::abi::Kernel old = step_kernel;
  old.abi_version = 1;
  const khal::abi::Kernel *kernels[] = {&old};
  expect_error(khal::ErrorCode::unsupported, {"form 1"}, [&] { khal::warm_up(device, kernels); });
  khal::abi::Kernel wide_groups = step_kernel;
  wide_groups.group_size[0] = 1u << 20;
  kernels[0] = &wide_groups;
  expect_error(khal::ErrorCode::unsupported, {"groups"}, [&] { khal::warm_up(device, kernels); });
  khal::abi::Kernel nothing = step_kernel;
  nothing.artifact_count = 0;
  kernels[0] = &nothing;
  expect_error(khal::ErrorCode::unsupported, {"step", device.info().id},
               [&] { khal::warm_up(device, kernels); });
  khal::warm_up(device, std::span<const khal::abi::Kernel *const>());
}

KHAL_ON_EVERY_DEVICE(KeptKernels);
KHAL_ON_EVERY_DEVICE(WarmingUp);

} // namespace
} // namespace test
