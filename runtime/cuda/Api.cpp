//===- Api.cpp - the CUDA driver's functions, found at run time -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cuda/Api.h"

#include "core/Library.h"
#include "core/Text.h"
#include "khal/host/error.hpp"

namespace khal::detail::cuda {

namespace {

ErrorCode code_of(Result result) {
  switch (result) {
  case error_out_of_memory:
    return ErrorCode::out_of_memory;
  case error_launch_out_of_resources:
    return ErrorCode::unsupported;
  case error_illegal_address:
  case error_launch_timeout:
  case error_hardware_stack_error:
  case error_illegal_instruction:
  case error_misaligned_address:
  case error_invalid_address_space:
  case error_invalid_pc:
  case error_launch_failed:
  case error_ecc_uncorrectable:
    return ErrorCode::device_lost;
  default:
    return ErrorCode::backend;
  }
}

const char *advice(Result result) {
  switch (code_of(result)) {
  case ErrorCode::out_of_memory:
    return "; free buffers that are no longer needed, or process the data in parts";
  case ErrorCode::unsupported:
    return "; the kernel needs more registers for a group of its size than the device has: make "
           "its groups smaller";
  case ErrorCode::device_lost:
    return "; a kernel in this or another stream read or wrote outside its buffers, or was stopped "
           "(compute-sanitizer finds the place, and so does the CPU device under a debugger): the "
           "device can be used again after the program is started anew";
  default:
    return "";
  }
}

} // namespace

std::shared_ptr<const Api> Api::load(std::string &missing) {
  const Library library("libcuda.so.1");
  if (!library) {
    missing = "libcuda.so.1 not found: install the NVIDIA driver";
    return nullptr;
  }
  std::shared_ptr<Api> api(new Api);
  std::string lacking;
#define KHAL_LOAD(MEMBER, SYMBOL, PARAMETERS)                                                      \
  api->MEMBER = library.find<Result PARAMETERS>(#SYMBOL);                                          \
  if (!api->MEMBER && lacking.empty())                                                             \
    lacking = #SYMBOL;
  KHAL_CUDA_FUNCTIONS(KHAL_LOAD)
#undef KHAL_LOAD
#define KHAL_LOAD(MEMBER, SYMBOL, PARAMETERS)                                                      \
  api->MEMBER = library.find<Result PARAMETERS>(#SYMBOL);
  KHAL_CUDA_OPTIONAL_FUNCTIONS(KHAL_LOAD)
#undef KHAL_LOAD
  if (!lacking.empty()) {
    missing = text("libcuda.so.1 has no ", lacking, ": install a newer NVIDIA driver");
    return nullptr;
  }
  const Result started = api->init(0);
  if (started != success) {
    missing = started == error_no_device
                  ? "the NVIDIA driver is there, but no GPU"
                  : text("the NVIDIA driver doesn't start: ", api->describe(started));
    return nullptr;
  }
  return api;
}

std::string Api::describe(Result result) const {
  const char *name = nullptr;
  const char *sentence = nullptr;
  if (get_error_name(result, &name) != success || !name)
    return text("CUresult ", result);
  if (get_error_string(result, &sentence) != success || !sentence)
    return name;
  return text(name, " (", sentence, ")");
}

void Api::check(Result result, const char *what) const {
  if (result == success)
    return;
  throw Error(code_of(result),
              text("CUDA: ", what, " failed with ", describe(result), advice(result)), result);
}

} // namespace khal::detail::cuda
