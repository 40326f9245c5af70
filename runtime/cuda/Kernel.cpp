//===- Kernel.cpp - a kernel's module ---------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cuda/Kernel.h"

#include "core/DiskCache.h"
#include "core/Text.h"
#include "cuda/Device.h"

#include <charconv>

namespace khal::detail::cuda {

namespace {

constexpr std::size_t log_bytes = 16 * 1024;

/// A variant is the least architecture, "sm_75"; the highest that the device has is the best. One
/// with a letter ("sm_90a") is for that architecture alone.
std::optional<int> rank_architecture(std::string_view variant, int device) {
  constexpr std::string_view prefix = "sm_";
  if (!variant.starts_with(prefix))
    return std::nullopt;
  variant.remove_prefix(prefix.size());
  int number = 0;
  const char *const end = variant.data() + variant.size();
  const auto [after, error] = std::from_chars(variant.data(), end, number);
  if (error != std::errc() || number > device)
    return std::nullopt;
  const bool for_one_only = after != end;
  if (for_one_only && number != device)
    return std::nullopt;
  return number * 2 + for_one_only;
}

/// Whether the driver finds fault with the code, and not with the state that it or the device is in.
bool is_refusal(Result result) {
  switch (result) {
  case error_invalid_image:
  case error_no_binary_for_gpu:
  case error_invalid_ptx:
  case error_jit_compiler_not_found:
  case error_unsupported_ptx_version:
  case error_jit_compilation_disabled:
  case error_not_found:
    return true;
  default:
    return false;
  }
}

[[noreturn]] void refuse(const CudaDevice &device, const abi::Kernel &kernel, Result result,
                         const std::string &log) {
  const char *advice = "";
  if (result == error_unsupported_ptx_version)
    advice = ": the driver is older than the PTX: install a newer one";
  else if (result == error_no_binary_for_gpu)
    advice = ": compile it with a lower khalc --ptx-arch";
  else if (result == error_jit_compiler_not_found)
    advice = ": the driver's PTX compiler (libnvidia-ptxjitcompiler.so.1) is missing: install it";
  throw Error(ErrorCode::build_failed,
              text("the driver of ", device.info().id, " (", device.info().driver, ") refuses ",
                   describe(kernel), " with ", device.api().describe(result), advice,
                   log.empty() ? "" : "; it says: ", log),
              result);
}

} // namespace

/// Where the driver's PTX compiler writes what it finds wrong.
class JitLog {
public:
  JitLog() : text_(log_bytes, '\0') {}
  JitLog(const JitLog &) = delete;
  JitLog &operator=(const JitLog &) = delete;

  unsigned count() const noexcept { return static_cast<unsigned>(std::size(options_)); }
  JitOption *options() noexcept { return options_; }
  void **values() noexcept { return values_; }

  std::string text() const {
    std::string said = text_.substr(0, text_.find('\0'));
    while (!said.empty() && (said.back() == '\n' || said.back() == ' '))
      said.pop_back();
    return said;
  }

private:
  std::string text_;
  JitOption options_[2] = {jit_error_log_buffer, jit_error_log_buffer_bytes};
  void *values_[2] = {text_.data(), reinterpret_cast<void *>(std::uintptr_t{log_bytes})};
};

namespace {

/// PTX compiled to the device's machine code.
Result build(const Api &api, const abi::Artifact &artifact, JitLog &log,
             std::vector<std::byte> &machine_code) {
  LinkHandle link = nullptr;
  Result result = api.link_create(log.count(), log.options(), log.values(), &link);
  if (result != success)
    return result;
  // With the zero that ends the text.
  result = api.link_add_data(link, jit_input_ptx, const_cast<void *>(artifact.code),
                             artifact.code_size + 1, artifact.entry, 0, nullptr, nullptr);
  void *cubin = nullptr;
  std::size_t bytes = 0;
  if (result == success)
    result = api.link_complete(link, &cubin, &bytes);
  if (result == success) // the link's own memory
    machine_code.assign(static_cast<std::byte *>(cubin), static_cast<std::byte *>(cubin) + bytes);
  api.link_destroy(link);
  return result;
}

} // namespace

/// Loads machine code that an earlier process has kept, or builds it, and keeps that.
Result Kernel::load(const abi::Artifact &artifact, JitLog &log) {
  const Api &api = device_.api();
  const auto load_module = [&](const void *image) {
    Result result = api.module_load_data(&module_, image, log.count(), log.options(), log.values());
    if (result == success)
      result = api.module_get_function(&function_, module_, artifact.entry);
    if (result != success && module_) {
      api.module_unload(module_);
      module_ = nullptr;
    }
    return result;
  };
  const DiskCache &disk = DiskCache::of_process();
  if (!disk.enabled())
    return load_module(artifact.code);
  CacheKey key("cuda machine code");
  key.add(device_.info().name).add(device_.info().driver).add(artifact.entry);
  key.add(std::string_view(static_cast<const char *>(artifact.code), artifact.code_size));
  if (const std::vector<std::byte> known = disk.load(key); !known.empty()) {
    const Result result = load_module(known.data());
    if (result == success || !is_refusal(result))
      return result;
    disk.remove(key);
  }
  std::vector<std::byte> machine_code;
  Result result = build(api, artifact, log, machine_code);
  if (result == success)
    result = load_module(machine_code.data());
  if (result == success)
    disk.store(key, machine_code);
  return result;
}

Kernel::Kernel(CudaDevice &device, const abi::Kernel &kernel) : device_(device) {
  const abi::Artifact &artifact =
      choose_artifact(kernel, abi::Target::ptx, device.info(), [&](std::string_view variant) {
        return rank_architecture(variant, device.architecture());
      });
  const Current current = device.current();
  JitLog log;
  const Result result = load(artifact, log);
  if (result == success)
    return;
  if (!is_refusal(result))
    device.api().check(result, "loading a kernel");
  refuse(device, kernel, result, log.text());
}

Kernel::~Kernel() {
  try {
    const Current current = device_.current();
    device_.api().module_unload(module_);
  } catch (const Error &) {
    // The device is lost, or the driver has ended with the process: the module went with it.
  }
}

} // namespace khal::detail::cuda
