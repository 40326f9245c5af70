//===- faults.cpp - tests of drivers that refuse ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include "cuda/Device.h"
#include "vulkan/Device.h"

#include <atomic>
#include <utility>

namespace test {
namespace {

using khal::Buffer;
using khal::ErrorCode;
using khal::Stream;
namespace cuda = khal::detail::cuda;
namespace vulkan = khal::detail::vulkan;

/// Calls until one is refused; none while it's 0.
std::atomic<int> calls_left{0};

bool must_refuse() {
  return calls_left > 0 && --calls_left == 0;
}

/// Stands in for the driver's function in a table, and refuses when it's time.
template <auto Member, auto Refusal> struct Refusing;
template <class Table, class Result, class... Arguments, Result (*Table::*Member)(Arguments...),
          auto Refusal>
struct Refusing<Member, Refusal> {
  static inline Result (*real)(Arguments...) = nullptr;
  static Result call(Arguments... arguments) {
    return must_refuse() ? Result(Refusal) : real(arguments...);
  }
  static void put_in(Table &table) {
    if (!(table.*Member))
      return;
    real = table.*Member;
    table.*Member = call;
  }
  static void take_out(Table &table) {
    if (real)
      table.*Member = real;
  }
};

// Vulkan's pointers have a calling convention, which is the usual one on the machines of the tests.
#define KHAL_REFUSED_BY_VULKAN(X)                                                                  \
  X(AllocateCommandBuffers)                                                                        \
  X(AllocateDescriptorSets)                                                                        \
  X(AllocateMemory)                                                                                \
  X(BeginCommandBuffer)                                                                            \
  X(BindBufferMemory)                                                                              \
  X(CreateBuffer)                                                                                  \
  X(CreateCommandPool)                                                                             \
  X(CreateComputePipelines)                                                                        \
  X(CreateDescriptorPool)                                                                          \
  X(CreateDescriptorSetLayout)                                                                     \
  X(CreatePipelineCache)                                                                           \
  X(CreatePipelineLayout)                                                                          \
  X(CreateQueryPool)                                                                               \
  X(CreateSemaphore)                                                                               \
  X(CreateShaderModule)                                                                            \
  X(EndCommandBuffer)                                                                              \
  X(MapMemory)                                                                                     \
  X(QueueSubmit)                                                                                   \
  X(ResetCommandPool)

#define KHAL_REFUSED_BY_CUDA(X)                                                                    \
  X(mem_alloc)                                                                                     \
  X(memcpy_any)                                                                                    \
  X(mem_host_alloc)                                                                                \
  X(memcpy_host_to_device)                                                                         \
  X(memcpy_device_to_host)                                                                         \
  X(memcpy_device_to_device)                                                                       \
  X(memset_words)                                                                                  \
  X(stream_create)                                                                                 \
  X(event_create)                                                                                  \
  X(event_record)                                                                                  \
  X(stream_wait_event)                                                                             \
  X(module_load_data)                                                                              \
  X(link_create)                                                                                   \
  X(link_add_data)                                                                                 \
  X(link_complete)                                                                                 \
  X(graph_instantiate)                                                                             \
  X(graph_launch)                                                                                  \
  X(stream_begin_capture)                                                                          \
  X(launch_kernel)

/// A device whose driver refuses calls, for a while.
class RefusingDriver {
public:
  explicit RefusingDriver(const khal::Device &device) : device_(device.impl()) {
    if (auto *const table = vulkan_table()) {
#define KHAL_PUT_IN(NAME)                                                                          \
  Refusing<&vulkan::DeviceFunctions::NAME, VK_ERROR_OUT_OF_DEVICE_MEMORY>::put_in(*table);
      KHAL_REFUSED_BY_VULKAN(KHAL_PUT_IN)
#undef KHAL_PUT_IN
    }
    if (auto *const table = cuda_table()) {
#define KHAL_PUT_IN(NAME) Refusing<&cuda::Api::NAME, cuda::error_out_of_memory>::put_in(*table);
      KHAL_REFUSED_BY_CUDA(KHAL_PUT_IN)
#undef KHAL_PUT_IN
    }
  }
  ~RefusingDriver() {
    calls_left = 0;
    if (auto *const table = vulkan_table()) {
#define KHAL_TAKE_OUT(NAME)                                                                        \
  Refusing<&vulkan::DeviceFunctions::NAME, VK_ERROR_OUT_OF_DEVICE_MEMORY>::take_out(*table);
      KHAL_REFUSED_BY_VULKAN(KHAL_TAKE_OUT)
#undef KHAL_TAKE_OUT
    }
    if (auto *const table = cuda_table()) {
#define KHAL_TAKE_OUT(NAME) Refusing<&cuda::Api::NAME, cuda::error_out_of_memory>::take_out(*table);
      KHAL_REFUSED_BY_CUDA(KHAL_TAKE_OUT)
#undef KHAL_TAKE_OUT
    }
  }
  RefusingDriver(const RefusingDriver &) = delete;
  RefusingDriver &operator=(const RefusingDriver &) = delete;

private:
  // The tables are const to the runtime, not in themselves.
  vulkan::DeviceFunctions *vulkan_table() const {
    if (device_->info().backend != khal::Backend::vulkan)
      return nullptr;
    return const_cast<vulkan::DeviceFunctions *>(
        &static_cast<vulkan::VulkanDevice &>(*device_).fn());
  }
  cuda::Api *cuda_table() const {
    if (device_->info().backend != khal::Backend::cuda)
      return nullptr;
    return const_cast<cuda::Api *>(&static_cast<cuda::CudaDevice &>(*device_).api());
  }

  std::shared_ptr<khal::detail::DeviceImpl> device_;
};

class Faults : public OnDevice {
protected:
  void SetUp() override {
    if (device.info().backend == khal::Backend::cpu)
      GTEST_SKIP() << "the CPU's device calls no driver";
  }

  /// Runs `work` with its first call refused, then its second and so on, until none is left. What it
  /// throws must be an Error that names no wrong reason; `check` looks at what was there before.
  template <class Work, class Check> void refuse_each_call(const Work &work, const Check &check) {
    int refused = 0;
    for (int call = 1;; ++call) {
      ASSERT_LT(call, 3000) << "there is no end to the calls";
      calls_left = call;
      try {
        work();
      } catch (const khal::Error &error) {
        EXPECT_TRUE(error.code() == ErrorCode::out_of_memory ||
                    error.code() == ErrorCode::build_failed)
            << error.what();
        EXPECT_FALSE(std::string(error.what()).empty());
      }
      const bool all_done = calls_left > 0;
      calls_left = 0;
      if (!all_done)
        ++refused;
      check();
      if (HasFailure() || all_done)
        break;
    }
    EXPECT_GT(refused, 0);
  }
};

TEST_P(Faults, LeaveLiveBuffersWhole) {
  const std::vector<u32> values = counted<u32>(5000);
  const Buffer<u32> live = device.upload(values);
  const std::uint64_t buffers = device.memory().buffers;
  const RefusingDriver driver(device);
  refuse_each_call(
      [&] {
        device.trim(); // so that memory is asked for
        const Buffer<u32> small = device.upload(counted<u32>(10));
        const Buffer<u32> medium = device.upload(counted<u32>(100'000));
        EXPECT_EQ(small.download(), counted<u32>(10));
        EXPECT_EQ(medium.download(), counted<u32>(100'000));
      },
      [&] {
        EXPECT_EQ(live.download(), values);
        EXPECT_EQ(device.memory().buffers, buffers);
      });
}

TEST_P(Faults, LeaveStreamsUsable) {
  Buffer<u32> x = device.zeros<u32>(64);
  u32 expected = 0;
  Stream old(device);
  const RefusingDriver driver(device);
  refuse_each_call(
      [&] {
        Stream stream(device);
        Buffer<u32> y = device.zeros<u32>(64);
        step(stream, khal::threads(64), y, 3);
        y.copy_from(stream, y.slice(0, 64).device().upload(counted<u32>(64)));
        old.after(stream.record());
        khal::Timer timer(stream);
        step(stream, khal::threads(64), y, 1);
        (void)timer.stop();
        EXPECT_EQ(y.download()[5], 16u);
      },
      [&] {
        step(old, khal::threads(64), x, 7);
        expected = expected * 3 + 7;
        EXPECT_EQ(x.download(), std::vector<u32>(64, expected));
      });
}

TEST_P(Faults, LeaveGraphsAsTheyWere) {
  Buffer<u32> x = device.zeros<u32>(64);
  Buffer<u32> y = device.zeros<u32>(64);
  Stream stream(device);
  khal::Graph graph(device, [&](Stream &recorded) { step(recorded, khal::threads(64), x, 1); });
  const RefusingDriver driver(device);
  u32 expected = 0;
  refuse_each_call(
      [&] {
        khal::Graph other(device, [&](Stream &recorded) {
          y.slice(0, 32).upload(recorded, counted<u32>(32));
          step(recorded, khal::threads(64), y, 1);
          y.slice(32, 32).fill(recorded, 2);
        });
        other.replay(stream);
        stream.wait();
      },
      [&] {
        graph.replay(stream);
        expected = expected * 3 + 1;
        EXPECT_EQ(x.download(), std::vector<u32>(64, expected));
      });
}

TEST_P(Faults, LeaveKernelsToBeBuiltAgain) {
  khal::abi::Kernel copies[64];
  std::fill(std::begin(copies), std::end(copies), step_kernel);
  std::size_t next = 0;
  Buffer<u32> x = device.zeros<u32>(64);
  Stream stream(device);
  const auto launch = [&](const khal::abi::Kernel &kernel) {
    khal::detail::Block<8> block;
    block.put(0, u32{7});
    block.put(4, u32{64});
    const khal::detail::BufferArgument arguments[] = {khal::Arg<u32>(x)};
    khal::detail::launch(stream, kernel, khal::threads(64), arguments, block.bytes());
  };
  const RefusingDriver driver(device);
  refuse_each_call([&] { launch(copies[next]); },
                   [&] {
                     x.fill(1);
                     launch(copies[next]); // what failed half way doesn't stay so
                     EXPECT_EQ(x.download()[9], 10u);
                     ASSERT_LT(++next, std::size(copies));
                   });
}

KHAL_ON_EVERY_DEVICE(Faults);

} // namespace
} // namespace test
