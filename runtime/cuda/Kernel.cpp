//===- Kernel.cpp - a kernel's module ---------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cuda/Kernel.h"

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

Kernel::Kernel(CudaDevice &device, const abi::Kernel &kernel) : device_(device) {
  const abi::Artifact &artifact =
      choose_artifact(kernel, abi::Target::ptx, device.info(), [&](std::string_view variant) {
        return rank_architecture(variant, device.architecture());
      });
  const Api &api = device.api();
  const Current current = device.current();
  std::string log(log_bytes, '\0');
  JitOption options[] = {jit_error_log_buffer, jit_error_log_buffer_bytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(std::uintptr_t{log_bytes})};
  Result result =
      api.module_load_data(&module_, artifact.code, std::size(options), options, values);
  if (result == success)
    result = api.module_get_function(&function_, module_, artifact.entry);
  if (result == success)
    return;
  if (module_)
    api.module_unload(module_);
  log.resize(log.find('\0') == std::string::npos ? log.size() : log.find('\0'));
  while (!log.empty() && (log.back() == '\n' || log.back() == ' '))
    log.pop_back();
  if (!is_refusal(result))
    api.check(result, "loading a kernel");
  refuse(device, kernel, result, log);
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
