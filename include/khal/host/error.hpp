//===- khal/host/error.hpp - how khal says that something went wrong --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_HOST_ERROR_HPP
#define KHAL_HOST_ERROR_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace khal {

/// What kind of failure an Error reports; what to do about it is in Error::what().
enum class ErrorCode {
  no_device,     ///< no such device, or its driver isn't there
  bad_argument,  ///< a buffer, slice, size or grid that can't be meant: wrong device, overlap, …
  unsupported,   ///< the device or the kernel's compiled form lacks something that is needed
  out_of_memory, ///< device or host memory is used up
  build_failed,  ///< the driver refuses the kernel's code; the driver's log is in the text
  device_lost,   ///< the device stopped: a kernel's wild access or endless loop, a reset
  validation,    ///< the Vulkan validation layer complained (KHAL_VULKAN_VALIDATION=1)
  backend        ///< any other failure of the backend; see Error::backend_code()
};

/// "bad_argument" and so on.
std::string_view to_string(ErrorCode code) noexcept;

/// Everything that khal throws. Work in a Stream that fails later throws from the next call on that
/// stream, at the latest from Stream::wait().
class Error : public std::runtime_error {
public:
  Error(ErrorCode code, const std::string &sentence, std::int64_t backend_code = 0)
      : std::runtime_error(sentence), code_(code), backend_code_(backend_code) {}

  ErrorCode code() const noexcept { return code_; }

  /// The VkResult or CUresult behind the failure; 0 when there is none.
  std::int64_t backend_code() const noexcept { return backend_code_; }

private:
  ErrorCode code_;
  std::int64_t backend_code_;
};

} // namespace khal

#endif // KHAL_HOST_ERROR_HPP
