//===- fake_cuda.cpp - a stand-in for NVIDIA's driver on machines without its GPUs ------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built as libcuda.so.1 and found before a real one by LD_LIBRARY_PATH. It has one device in host
// memory whose streams work in threads of their own, knows the test kernels by their names, and is
// stricter than the real driver: a call without a context and the use of freed memory are errors. It
// shows that the backend calls the driver rightly, not that PTX is right: for that there are ptxas
// and real GPUs.
//
//===------------------------------------------------------------------------------------------===//
#include "cuda/Api.h"
#include "kernels.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

using namespace khal::detail::cuda;

namespace khal::detail::cuda {

struct ContextTag {};

/// Work in order in a thread of its own.
struct StreamTag {
  StreamTag() : thread([this] { run(); }) {}
  ~StreamTag() {
    put({});
    thread.join();
  }
  void put(std::function<Result()> work) {
    if (capture) {
      capture->push_back(std::move(work));
      return;
    }
    const std::lock_guard lock(mutex);
    queue.push_back(std::move(work));
    wake.notify_all();
  }
  void run();

  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::function<Result()>> queue;
  std::unique_ptr<std::vector<std::function<Result()>>> capture; ///< while a graph is recorded
  std::thread thread;
};

/// Recorded so often, and happened so often.
struct EventTag {
  std::mutex mutex;
  std::condition_variable wake;
  unsigned recorded = 0;
  unsigned happened = 0;
  std::chrono::steady_clock::time_point time; ///< when it last happened
};

struct GraphTag {
  std::vector<std::function<Result()>> work;
};
struct GraphExecTag {
  std::vector<std::function<Result()>> work;
};

struct LinkTag {
  std::string code;
  char *log = nullptr;
  std::size_t log_bytes = 0;
};

struct FunctionTag {
  const khal::abi::Kernel *kernel = nullptr;
};
struct ModuleTag {
  std::string entry;
  FunctionTag function;
};

} // namespace khal::detail::cuda

namespace {

constexpr Result error_invalid_value = 1;
constexpr Result error_invalid_context = 201;
constexpr std::size_t device_bytes = std::size_t{1} << 30;

ContextTag the_context;
thread_local std::vector<ContextHandle> current_contexts;

std::mutex memory_mutex;
std::map<DeviceAddress, std::size_t> allocations; // guarded by memory_mutex
std::size_t allocated = 0;                        // guarded by memory_mutex
Result sticky_error = success;                    // guarded by memory_mutex

bool has_context() {
  return !current_contexts.empty() && current_contexts.back() == &the_context;
}

/// Whether all of a range is in one allocation; the device is lost when it isn't.
bool valid(DeviceAddress address, std::size_t bytes) {
  const std::lock_guard lock(memory_mutex);
  auto next = allocations.upper_bound(address);
  if (next != allocations.begin()) {
    const auto &[begin, size] = *std::prev(next);
    if (address + bytes <= begin + size)
      return true;
  }
  std::fprintf(stderr, "fake cuda: access to %zu bytes at %llx, which aren't allocated\n", bytes,
               address);
  sticky_error = error_illegal_address;
  return false;
}

Result state() {
  if (!has_context())
    return error_invalid_context;
  const std::lock_guard lock(memory_mutex);
  return sticky_error;
}

void *host(DeviceAddress address) {
  return reinterpret_cast<void *>(address);
}

/// Runs on the device what only touches valid memory.
Result put(StreamHandle stream, std::function<Result()> work) {
  if (const Result result = state(); result != success)
    return result;
  if (!stream)
    return error_invalid_value;
  stream->put(std::move(work));
  return success;
}

const khal::abi::Kernel *find_kernel(std::string_view name) {
  using namespace test;
  for (const khal::abi::Kernel *kernel :
       {&add_kernel, &step_kernel, &shift_kernel, &bytes_kernel, &wide_kernel, &where_kernel,
        &scale_kernel, &spin_kernel, &sum20_kernel, &empty_kernel, &crash_kernel})
    if (name == kernel->name)
      return kernel;
  return nullptr;
}

const khal::abi::Artifact &cpu_form(const khal::abi::Kernel &kernel) {
  for (std::uint32_t i = 0; i < kernel.artifact_count; ++i)
    if (kernel.artifacts[i].target == khal::abi::Target::cpu)
      return kernel.artifacts[i];
  std::abort();
}

/// A launch with its parameters, copied at once as the driver does.
struct Launch {
  const khal::abi::Kernel &kernel;
  std::array<unsigned, 3> groups;
  std::vector<DeviceAddress> addresses;
  std::vector<std::byte> block;

  Result run() const {
    if (&kernel == &test::crash_kernel)
      return error_illegal_address;
    std::vector<void *> buffers;
    for (const DeviceAddress address : addresses)
      buffers.push_back(host(address));
    const khal::abi::Artifact &form = cpu_form(kernel);
    std::vector<std::byte> scratch(form.scratch_bytes + 64);
    const khal::abi::CpuLaunch launch{
        buffers.data(), block.empty() ? nullptr : block.data(), {groups[0], groups[1], groups[2]}};
    void *aligned = scratch.data();
    std::size_t space = scratch.size();
    std::align(64, form.scratch_bytes, aligned, space);
    form.function(&launch, 0, std::uint64_t{groups[0]} * groups[1] * groups[2], aligned);
    return success;
  }
};

} // namespace

void StreamTag::run() {
  for (;;) {
    std::function<Result()> work;
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [this] { return !queue.empty(); });
      work = std::move(queue.front());
      queue.pop_front();
    }
    if (!work)
      return;
    if (work() != success) {
      const std::lock_guard lock(memory_mutex);
      sticky_error = error_illegal_address;
    }
  }
}

extern "C" {

Result cuInit(unsigned) {
  return success;
}
Result cuDriverGetVersion(int *version) {
  *version = 12040;
  return success;
}
Result cuGetErrorName(Result result, const char **name) {
  *name = result == error_illegal_address   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : result == error_invalid_ptx     ? "CUDA_ERROR_INVALID_PTX"
          : result == error_invalid_context ? "CUDA_ERROR_INVALID_CONTEXT"
          : result == error_out_of_memory   ? "CUDA_ERROR_OUT_OF_MEMORY"
                                            : nullptr;
  return *name ? success : error_invalid_value;
}
Result cuGetErrorString(Result, const char **sentence) {
  *sentence = "says the fake driver";
  return success;
}
Result cuDeviceGetCount(int *count) {
  *count = 1;
  return success;
}
Result cuDeviceGet(DeviceNumber *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? success : error_invalid_value;
}
Result cuDeviceGetName(char *name, int bytes, DeviceNumber) {
  std::snprintf(name, static_cast<std::size_t>(bytes), "fake GPU of the tests");
  return success;
}
Result cuDeviceTotalMem_v2(std::size_t *bytes, DeviceNumber) {
  *bytes = device_bytes;
  return success;
}
Result cuDeviceGetAttribute(int *value, DeviceAttribute attribute, DeviceNumber) {
  static const std::map<int, int> values = {{attribute_max_threads_per_block, 1024},
                                            {attribute_max_block_dim_x, 1024},
                                            {attribute_max_block_dim_x + 1, 1024},
                                            {attribute_max_block_dim_x + 2, 64},
                                            {attribute_max_grid_dim_x, 0x7fffffff},
                                            {attribute_max_grid_dim_x + 1, 65535},
                                            {attribute_max_grid_dim_x + 2, 65535},
                                            {attribute_max_shared_memory_per_block, 49152},
                                            {attribute_warp_size, 32},
                                            {attribute_multiprocessor_count, 1},
                                            {attribute_compute_capability_major, 7},
                                            {attribute_compute_capability_minor, 5}};
  const auto found = values.find(attribute);
  if (found == values.end())
    return error_invalid_value;
  *value = found->second;
  return success;
}
Result cuDevicePrimaryCtxRetain(ContextHandle *context, DeviceNumber) {
  *context = &the_context;
  return success;
}
Result cuDevicePrimaryCtxRelease_v2(DeviceNumber) {
  return success;
}
Result cuCtxGetCurrent(ContextHandle *context) {
  *context = current_contexts.empty() ? nullptr : current_contexts.back();
  return success;
}
Result cuCtxPushCurrent_v2(ContextHandle context) {
  if (context != &the_context)
    return error_invalid_context;
  current_contexts.push_back(context);
  return success;
}
Result cuCtxPopCurrent_v2(ContextHandle *context) {
  if (current_contexts.empty())
    return error_invalid_context;
  *context = current_contexts.back();
  current_contexts.pop_back();
  return success;
}

Result cuMemAlloc_v2(DeviceAddress *address, std::size_t bytes) {
  if (const Result result = state(); result != success)
    return result;
  if (bytes == 0)
    return error_invalid_value;
  const std::lock_guard lock(memory_mutex);
  if (bytes > device_bytes - allocated)
    return error_out_of_memory;
  void *const memory = ::operator new(bytes, std::align_val_t{256});
  *address = reinterpret_cast<DeviceAddress>(memory);
  allocations[*address] = bytes;
  allocated += bytes;
  return success;
}
/// Unlike the real one, doesn't wait for work that may use the memory: that must have been waited
/// for.
Result cuMemFree_v2(DeviceAddress address) {
  if (const Result result = state(); result != success)
    return result;
  const std::lock_guard lock(memory_mutex);
  const auto found = allocations.find(address);
  if (found == allocations.end())
    return error_invalid_value;
  std::memset(host(address), 0xdd, found->second);
  allocated -= found->second;
  allocations.erase(found);
  ::operator delete(host(address), std::align_val_t{256});
  return success;
}
Result cuMemHostAlloc(void **address, std::size_t bytes, unsigned) {
  if (const Result result = state(); result != success)
    return result;
  *address = std::malloc(bytes);
  const std::lock_guard lock(memory_mutex);
  allocations[reinterpret_cast<DeviceAddress>(*address)] = bytes; // kernels may use it
  return success;
}
Result cuMemFreeHost(void *address) {
  if (const Result result = state(); result != success)
    return result;
  const std::lock_guard lock(memory_mutex);
  if (allocations.erase(reinterpret_cast<DeviceAddress>(address)) == 0)
    return error_invalid_value;
  std::free(address);
  return success;
}

Result cuMemcpyHtoDAsync_v2(DeviceAddress target, const void *source, std::size_t bytes,
                            StreamHandle stream) {
  return put(stream, [=] {
    if (!valid(target, bytes))
      return Result{error_illegal_address};
    std::memcpy(host(target), source, bytes);
    return Result{success};
  });
}
Result cuMemcpyDtoHAsync_v2(void *target, DeviceAddress source, std::size_t bytes,
                            StreamHandle stream) {
  return put(stream, [=] {
    if (!valid(source, bytes))
      return Result{error_illegal_address};
    std::memcpy(target, host(source), bytes);
    return Result{success};
  });
}
Result cuMemcpyDtoDAsync_v2(DeviceAddress target, DeviceAddress source, std::size_t bytes,
                            StreamHandle stream) {
  return put(stream, [=] {
    if (!valid(source, bytes) || !valid(target, bytes))
      return Result{error_illegal_address};
    std::memcpy(host(target), host(source), bytes);
    return Result{success};
  });
}
Result cuMemcpyAsync(DeviceAddress target, DeviceAddress source, std::size_t bytes,
                     StreamHandle stream) {
  return cuMemcpyDtoDAsync_v2(target, source, bytes, stream);
}
Result cuMemsetD32Async(DeviceAddress target, unsigned word, std::size_t count,
                        StreamHandle stream) {
  if (target % 4 != 0)
    return error_invalid_value;
  return put(stream, [=] {
    if (!valid(target, count * 4))
      return Result{error_illegal_address};
    std::fill_n(static_cast<unsigned *>(host(target)), count, word);
    return Result{success};
  });
}

Result cuStreamCreate(StreamHandle *stream, unsigned) {
  if (const Result result = state(); result != success)
    return result;
  *stream = new StreamTag;
  return success;
}
Result cuStreamDestroy_v2(StreamHandle stream) {
  if (!has_context())
    return error_invalid_context;
  delete stream;
  return success;
}

Result cuEventCreate(EventHandle *event, unsigned) {
  if (const Result result = state(); result != success)
    return result;
  *event = new EventTag;
  return success;
}
Result cuEventRecord(EventHandle event, StreamHandle stream) {
  {
    const std::lock_guard lock(event->mutex);
    ++event->recorded;
  }
  return put(stream, [event] {
    const std::lock_guard lock(event->mutex);
    ++event->happened;
    event->time = std::chrono::steady_clock::now();
    event->wake.notify_all();
    return Result{success};
  });
}
Result cuEventQuery(EventHandle event) {
  if (const Result result = state(); result != success)
    return result;
  const std::lock_guard lock(event->mutex);
  return event->happened == event->recorded ? success : error_not_ready;
}
Result cuEventSynchronize(EventHandle event) {
  {
    std::unique_lock lock(event->mutex);
    event->wake.wait(lock, [event] { return event->happened == event->recorded; });
  }
  return state();
}
Result cuEventElapsedTime(float *milliseconds, EventHandle begin, EventHandle end) {
  if (const Result result = state(); result != success)
    return result;
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
  return success;
}
Result cuStreamWaitEvent(StreamHandle stream, EventHandle event, unsigned) {
  unsigned awaited = 0;
  {
    const std::lock_guard lock(event->mutex);
    awaited = event->recorded; // later recordings don't count
  }
  return put(stream, [event, awaited] {
    std::unique_lock lock(event->mutex);
    event->wake.wait(lock, [&] { return event->happened >= awaited; });
    return Result{success};
  });
}
Result cuStreamBeginCapture_v2(StreamHandle stream, CaptureMode) {
  if (const Result result = state(); result != success)
    return result;
  if (stream->capture)
    return error_invalid_value;
  stream->capture = std::make_unique<std::vector<std::function<Result()>>>();
  return success;
}
Result cuStreamEndCapture(StreamHandle stream, GraphHandle *graph) {
  if (const Result result = state(); result != success)
    return result;
  if (!stream->capture)
    return error_invalid_value;
  *graph = new GraphTag{std::move(*stream->capture)};
  stream->capture.reset();
  return success;
}
Result cuGraphInstantiateWithFlags(GraphExecHandle *executable, GraphHandle graph,
                                   unsigned long long) {
  if (const Result result = state(); result != success)
    return result;
  *executable = new GraphExecTag{graph->work};
  return success;
}
Result cuGraphExecUpdate_v2(GraphExecHandle executable, GraphHandle graph,
                            GraphExecUpdateResult *) {
  if (executable->work.size() != graph->work.size())
    return error_invalid_value;
  executable->work = graph->work;
  return success;
}
Result cuGraphLaunch(GraphExecHandle executable, StreamHandle stream) {
  for (const auto &work : executable->work)
    if (const Result result = put(stream, work); result != success)
      return result;
  return success;
}
Result cuGraphExecDestroy(GraphExecHandle executable) {
  delete executable;
  return success;
}
Result cuGraphDestroy(GraphHandle graph) {
  delete graph;
  return success;
}
/// As with the real one, the function may not call the driver.
Result cuLaunchHostFunc(StreamHandle stream, HostFunction function, void *data) {
  return put(stream, [=] {
    function(data);
    return Result{success};
  });
}
Result cuEventDestroy_v2(EventHandle event) {
  if (!has_context())
    return error_invalid_context;
  // Work that waits for it is still done.
  static std::mutex mutex;
  static std::vector<std::unique_ptr<EventTag>> destroyed;
  const std::lock_guard lock(mutex);
  destroyed.emplace_back(event);
  return success;
}

Result cuModuleLoadDataEx(ModuleHandle *module, const void *image, unsigned option_count,
                          JitOption *options, void **values) {
  if (const Result result = state(); result != success)
    return result;
  const std::string_view ptx(static_cast<const char *>(image));
  constexpr std::string_view entry = ".entry ";
  const std::size_t at = ptx.find(entry);
  if (at == std::string_view::npos) {
    if (option_count == 2 && options[0] == jit_error_log_buffer)
      std::snprintf(static_cast<char *>(values[0]), reinterpret_cast<std::size_t>(values[1]),
                    "no entry in: %s", static_cast<const char *>(image));
    return error_invalid_ptx;
  }
  const std::size_t begin = at + entry.size();
  auto *loaded = new ModuleTag;
  loaded->entry = ptx.substr(begin, ptx.find('(', begin) - begin);
  *module = loaded;
  return success;
}
/// The fake's machine code is PTX behind a word of its own.
Result cuLinkCreate_v2(unsigned count, JitOption *options, void **values, LinkHandle *link) {
  if (const Result result = state(); result != success)
    return result;
  *link = new LinkTag;
  if (count == 2 && options[0] == jit_error_log_buffer) {
    (*link)->log = static_cast<char *>(values[0]);
    (*link)->log_bytes = reinterpret_cast<std::size_t>(values[1]);
  }
  return success;
}
Result cuLinkAddData_v2(LinkHandle link, JitInput type, void *data, std::size_t bytes, const char *,
                        unsigned, JitOption *, void **) {
  const char *const ptx = static_cast<const char *>(data);
  if (type != jit_input_ptx || bytes == 0 || ptx[bytes - 1] != '\0')
    return error_invalid_value;
  if (!std::strstr(ptx, ".entry ")) {
    if (link->log)
      std::snprintf(link->log, link->log_bytes, "no entry in: %s", ptx);
    return error_invalid_ptx;
  }
  link->code = std::string("fake machine code\n") + ptx;
  return success;
}
Result cuLinkComplete(LinkHandle link, void **cubin, std::size_t *bytes) {
  *cubin = link->code.data();
  *bytes = link->code.size() + 1;
  return success;
}
Result cuLinkDestroy(LinkHandle link) {
  delete link;
  return success;
}
Result cuModuleUnload(ModuleHandle module) {
  if (const Result result = state(); result != success)
    return result;
  delete module;
  return success;
}
Result cuModuleGetFunction(FunctionHandle *function, ModuleHandle module, const char *name) {
  if (const Result result = state(); result != success)
    return result;
  module->function.kernel = find_kernel(name);
  if (module->entry != name || !module->function.kernel)
    return error_not_found;
  *function = &module->function;
  return success;
}

Result cuLaunchKernel(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned,
                      StreamHandle stream, void **parameters, void **) {
  if (const Result result = state(); result != success)
    return result;
  const khal::abi::Kernel &kernel = *function->kernel;
  if (grid_x == 0 || grid_x > 0x7fffffff || grid_y == 0 || grid_y > 65535 || grid_z == 0 ||
      grid_z > 65535 || block_x != kernel.group_size[0] || block_y != kernel.group_size[1] ||
      block_z != kernel.group_size[2])
    return error_invalid_value;
  Launch launch{kernel, {grid_x, grid_y, grid_z}, {}, {}};
  for (std::uint32_t i = 0; i < kernel.buffer_count; ++i)
    launch.addresses.push_back(*static_cast<DeviceAddress *>(parameters[i]));
  if (kernel.block_size > 0) {
    const auto *block = static_cast<const std::byte *>(parameters[kernel.buffer_count]);
    launch.block.assign(block, block + kernel.block_size);
  }
  return put(stream, [launch = std::move(launch)] {
    for (const DeviceAddress address : launch.addresses)
      if (!valid(address, 0))
        return Result{error_illegal_address};
    return launch.run();
  });
}

} // extern "C"
