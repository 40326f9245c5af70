//===- Api.h - the CUDA driver's functions, found at run time ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of NVIDIA's driver interface that the runtime calls, declared here so that building
// needs no toolkit. Names and numbers are those of the driver's documented binary interface.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CUDA_API_H
#define KHAL_RUNTIME_CUDA_API_H

#include <cstddef>
#include <memory>
#include <string>

namespace khal::detail::cuda {

using Result = int;
using DeviceNumber = int;
using DeviceAddress = unsigned long long;
using ContextHandle = struct ContextTag *;
using ModuleHandle = struct ModuleTag *;
using FunctionHandle = struct FunctionTag *;
using StreamHandle = struct StreamTag *;
using EventHandle = struct EventTag *;
using GraphHandle = struct GraphTag *;
using GraphExecHandle = struct GraphExecTag *;
using LinkHandle = struct LinkTag *;
using HostFunction = void (*)(void *data);

enum : Result {
  success = 0,
  error_out_of_memory = 2,
  error_no_device = 100,
  error_invalid_image = 200,
  error_no_binary_for_gpu = 209,
  error_ecc_uncorrectable = 214,
  error_invalid_ptx = 218,
  error_jit_compiler_not_found = 221,
  error_unsupported_ptx_version = 222,
  error_jit_compilation_disabled = 223,
  error_not_found = 500,
  error_not_ready = 600,
  error_illegal_address = 700,
  error_launch_out_of_resources = 701,
  error_launch_timeout = 702,
  error_hardware_stack_error = 714,
  error_illegal_instruction = 715,
  error_misaligned_address = 716,
  error_invalid_address_space = 717,
  error_invalid_pc = 718,
  error_launch_failed = 719
};

enum DeviceAttribute : int {
  attribute_max_threads_per_block = 1,
  attribute_max_block_dim_x = 2, // y and z follow
  attribute_max_grid_dim_x = 5,  // y and z follow
  attribute_max_shared_memory_per_block = 8,
  attribute_warp_size = 10,
  attribute_multiprocessor_count = 16,
  attribute_compute_capability_major = 75,
  attribute_compute_capability_minor = 76
};

enum JitOption : int { jit_error_log_buffer = 5, jit_error_log_buffer_bytes = 6 };

enum : unsigned {
  stream_non_blocking = 1, // doesn't wait for the legacy default stream
  event_default = 0,
  event_disable_timing = 2,
  host_alloc_portable = 1 // pinned for all contexts
};

enum JitInput : int { jit_input_ptx = 1 };

enum CaptureMode : int { capture_mode_relaxed = 2 };

/// Why a graph can't be updated.
struct GraphExecUpdateResult {
  int result;
  void *node;
  void *from_node;
};

// X(member, symbol, parameters)
#define KHAL_CUDA_FUNCTIONS(X)                                                                     \
  X(init, cuInit, (unsigned flags))                                                                \
  X(driver_get_version, cuDriverGetVersion, (int *version))                                        \
  X(get_error_name, cuGetErrorName, (Result result, const char **name))                            \
  X(get_error_string, cuGetErrorString, (Result result, const char **sentence))                    \
  X(device_get_count, cuDeviceGetCount, (int *count))                                              \
  X(device_get, cuDeviceGet, (DeviceNumber * device, int ordinal))                                 \
  X(device_get_name, cuDeviceGetName, (char *name, int bytes, DeviceNumber device))                \
  X(device_total_mem, cuDeviceTotalMem_v2, (std::size_t *bytes, DeviceNumber device))              \
  X(device_get_attribute, cuDeviceGetAttribute,                                                    \
    (int *value, DeviceAttribute attribute, DeviceNumber device))                                  \
  X(primary_ctx_retain, cuDevicePrimaryCtxRetain, (ContextHandle * context, DeviceNumber device))  \
  X(primary_ctx_release, cuDevicePrimaryCtxRelease_v2, (DeviceNumber device))                      \
  X(ctx_get_current, cuCtxGetCurrent, (ContextHandle * context))                                   \
  X(ctx_push, cuCtxPushCurrent_v2, (ContextHandle context))                                        \
  X(ctx_pop, cuCtxPopCurrent_v2, (ContextHandle * context))                                        \
  X(mem_alloc, cuMemAlloc_v2, (DeviceAddress * address, std::size_t bytes))                        \
  X(mem_free, cuMemFree_v2, (DeviceAddress address))                                               \
  X(mem_host_alloc, cuMemHostAlloc, (void **address, std::size_t bytes, unsigned flags))           \
  X(mem_free_host, cuMemFreeHost, (void *address))                                                 \
  X(memcpy_host_to_device, cuMemcpyHtoDAsync_v2,                                                   \
    (DeviceAddress target, const void *source, std::size_t bytes, StreamHandle stream))            \
  X(memcpy_device_to_host, cuMemcpyDtoHAsync_v2,                                                   \
    (void *target, DeviceAddress source, std::size_t bytes, StreamHandle stream))                  \
  X(memcpy_device_to_device, cuMemcpyDtoDAsync_v2,                                                 \
    (DeviceAddress target, DeviceAddress source, std::size_t bytes, StreamHandle stream))          \
  X(memcpy_any, cuMemcpyAsync,                                                                     \
    (DeviceAddress target, DeviceAddress source, std::size_t bytes, StreamHandle stream))          \
  X(memset_words, cuMemsetD32Async,                                                                \
    (DeviceAddress target, unsigned word, std::size_t count, StreamHandle stream))                 \
  X(stream_create, cuStreamCreate, (StreamHandle * stream, unsigned flags))                        \
  X(stream_destroy, cuStreamDestroy_v2, (StreamHandle stream))                                     \
  X(event_create, cuEventCreate, (EventHandle * event, unsigned flags))                            \
  X(event_record, cuEventRecord, (EventHandle event, StreamHandle stream))                         \
  X(event_query, cuEventQuery, (EventHandle event))                                                \
  X(event_synchronize, cuEventSynchronize, (EventHandle event))                                    \
  X(event_destroy, cuEventDestroy_v2, (EventHandle event))                                         \
  X(event_elapsed_time, cuEventElapsedTime,                                                        \
    (float *milliseconds, EventHandle begin, EventHandle end))                                     \
  X(stream_wait_event, cuStreamWaitEvent,                                                          \
    (StreamHandle stream, EventHandle event, unsigned flags))                                      \
  X(stream_begin_capture, cuStreamBeginCapture_v2, (StreamHandle stream, CaptureMode mode))        \
  X(stream_end_capture, cuStreamEndCapture, (StreamHandle stream, GraphHandle * graph))            \
  X(graph_instantiate, cuGraphInstantiateWithFlags,                                                \
    (GraphExecHandle * executable, GraphHandle graph, unsigned long long flags))                   \
  X(graph_launch, cuGraphLaunch, (GraphExecHandle executable, StreamHandle stream))                \
  X(graph_exec_destroy, cuGraphExecDestroy, (GraphExecHandle executable))                          \
  X(graph_destroy, cuGraphDestroy, (GraphHandle graph))                                            \
  X(launch_host_func, cuLaunchHostFunc, (StreamHandle stream, HostFunction function, void *data))  \
  X(module_load_data, cuModuleLoadDataEx,                                                          \
    (ModuleHandle * module, const void *image, unsigned option_count, JitOption *options,          \
     void **values))                                                                               \
  X(link_create, cuLinkCreate_v2,                                                                  \
    (unsigned option_count, JitOption *options, void **values, LinkHandle *link))                  \
  X(link_add_data, cuLinkAddData_v2,                                                               \
    (LinkHandle link, JitInput type, void *data, std::size_t bytes, const char *name,              \
     unsigned option_count, JitOption *options, void **values))                                    \
  X(link_complete, cuLinkComplete, (LinkHandle link, void **cubin, std::size_t *bytes))            \
  X(link_destroy, cuLinkDestroy, (LinkHandle link))                                                \
  X(module_unload, cuModuleUnload, (ModuleHandle module))                                          \
  X(module_get_function, cuModuleGetFunction,                                                      \
    (FunctionHandle * function, ModuleHandle module, const char *name))                            \
  X(launch_kernel, cuLaunchKernel,                                                                 \
    (FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, StreamHandle stream,               \
     void **parameters, void **extra))

// Those that older drivers lack: null then.
#define KHAL_CUDA_OPTIONAL_FUNCTIONS(X)                                                            \
  X(graph_exec_update, cuGraphExecUpdate_v2,                                                       \
    (GraphExecHandle executable, GraphHandle graph, GraphExecUpdateResult * result))

/// The driver's functions. Thread-safe.
class Api {
public:
  /// Null when there's no driver to use; `missing` then says why.
  static std::shared_ptr<const Api> load(std::string &missing);

  /// Throws an Error for anything but success: `what` is "making a stream".
  void check(Result result, const char *what) const;

  /// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
  std::string describe(Result result) const;

#define KHAL_CUDA_MEMBER(MEMBER, SYMBOL, PARAMETERS) Result(*MEMBER) PARAMETERS = nullptr;
  KHAL_CUDA_FUNCTIONS(KHAL_CUDA_MEMBER)
  KHAL_CUDA_OPTIONAL_FUNCTIONS(KHAL_CUDA_MEMBER)
#undef KHAL_CUDA_MEMBER

private:
  Api() = default;
};

/// A device's context made current for the calling thread while this lives; what was current before
/// comes back, so that a program's own use of CUDA isn't disturbed. Costs next to nothing where it is
/// current anyway.
class Current {
public:
  Current(const Api &api, ContextHandle context) : api_(api) {
    ContextHandle old = nullptr;
    pushed_ = api.ctx_get_current(&old) != success || old != context;
    if (pushed_)
      api.check(api.ctx_push(context), "making a device current");
  }
  ~Current() {
    ContextHandle old = nullptr;
    if (pushed_)
      api_.ctx_pop(&old);
  }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;

private:
  const Api &api_;
  bool pushed_ = false;
};

} // namespace khal::detail::cuda

#endif // KHAL_RUNTIME_CUDA_API_H
