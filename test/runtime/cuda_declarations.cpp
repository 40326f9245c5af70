//===- cuda_declarations.cpp - the CUDA backend's declarations against NVIDIA's own -----------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled, not run, where a CUDA toolkit has its header.
//
//===------------------------------------------------------------------------------------------===//
#include <cuda.h>

#include "cuda/Api.h"
#include "khal/interop/cuda.hpp"

#include <type_traits>

namespace ours = khal::detail::cuda;

namespace {

template <class Ours, class Theirs> struct SameShape : std::false_type {};
template <class R, class... A, class S, class... B>
  requires(sizeof...(A) == sizeof...(B))
struct SameShape<R (*)(A...), S (*)(B...)>
    : std::bool_constant<
          sizeof(R) == sizeof(S) &&
          ((sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B>) && ...)> {};

#define KHAL_CHECK(MEMBER, SYMBOL, PARAMETERS)                                                     \
  static_assert(SameShape<decltype(ours::Api::MEMBER), decltype(&::SYMBOL)>::value);
KHAL_CUDA_FUNCTIONS(KHAL_CHECK)
KHAL_CUDA_OPTIONAL_FUNCTIONS(KHAL_CHECK)
#undef KHAL_CHECK

template <auto Ours, auto Theirs>
constexpr bool same = static_cast<long>(Ours) == static_cast<long>(Theirs);

static_assert(same<ours::success, CUDA_SUCCESS>);
static_assert(same<ours::error_out_of_memory, CUDA_ERROR_OUT_OF_MEMORY>);
static_assert(same<ours::error_no_device, CUDA_ERROR_NO_DEVICE>);
static_assert(same<ours::error_invalid_image, CUDA_ERROR_INVALID_IMAGE>);
static_assert(same<ours::error_no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU>);
static_assert(same<ours::error_ecc_uncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE>);
static_assert(same<ours::error_invalid_ptx, CUDA_ERROR_INVALID_PTX>);
static_assert(same<ours::error_jit_compiler_not_found, CUDA_ERROR_JIT_COMPILER_NOT_FOUND>);
static_assert(same<ours::error_unsupported_ptx_version, CUDA_ERROR_UNSUPPORTED_PTX_VERSION>);
static_assert(same<ours::error_jit_compilation_disabled, CUDA_ERROR_JIT_COMPILATION_DISABLED>);
static_assert(same<ours::error_not_found, CUDA_ERROR_NOT_FOUND>);
static_assert(same<ours::error_not_ready, CUDA_ERROR_NOT_READY>);
static_assert(same<ours::error_illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS>);
static_assert(same<ours::error_launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES>);
static_assert(same<ours::error_launch_timeout, CUDA_ERROR_LAUNCH_TIMEOUT>);
static_assert(same<ours::error_hardware_stack_error, CUDA_ERROR_HARDWARE_STACK_ERROR>);
static_assert(same<ours::error_illegal_instruction, CUDA_ERROR_ILLEGAL_INSTRUCTION>);
static_assert(same<ours::error_misaligned_address, CUDA_ERROR_MISALIGNED_ADDRESS>);
static_assert(same<ours::error_invalid_address_space, CUDA_ERROR_INVALID_ADDRESS_SPACE>);
static_assert(same<ours::error_invalid_pc, CUDA_ERROR_INVALID_PC>);
static_assert(same<ours::error_launch_failed, CUDA_ERROR_LAUNCH_FAILED>);

static_assert(
    same<ours::attribute_max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK>);
static_assert(same<ours::attribute_max_block_dim_x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X>);
static_assert(same<ours::attribute_max_block_dim_x + 2, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z>);
static_assert(same<ours::attribute_max_grid_dim_x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X>);
static_assert(same<ours::attribute_max_grid_dim_x + 2, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z>);
static_assert(same<ours::attribute_max_shared_memory_per_block,
                   CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK>);
static_assert(same<ours::attribute_warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE>);
static_assert(same<ours::attribute_multiprocessor_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT>);
static_assert(
    same<ours::attribute_compute_capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR>);
static_assert(
    same<ours::attribute_compute_capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR>);
static_assert(same<ours::jit_input_ptx, CU_JIT_INPUT_PTX>);
static_assert(same<ours::jit_error_log_buffer, CU_JIT_ERROR_LOG_BUFFER>);
static_assert(same<ours::jit_error_log_buffer_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES>);
static_assert(same<ours::stream_non_blocking, CU_STREAM_NON_BLOCKING>);
static_assert(sizeof(ours::GraphExecUpdateResult) == sizeof(CUgraphExecUpdateResultInfo));
static_assert(same<ours::capture_mode_relaxed, CU_STREAM_CAPTURE_MODE_RELAXED>);
static_assert(same<ours::event_default, CU_EVENT_DEFAULT>);
static_assert(same<ours::event_disable_timing, CU_EVENT_DISABLE_TIMING>);
static_assert(same<ours::host_alloc_portable, CU_MEMHOSTALLOC_PORTABLE>);

} // namespace
