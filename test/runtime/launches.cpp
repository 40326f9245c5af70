//===- launches.cpp - tests of launches and of what they refuse -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include "spirv.h"

namespace test {
namespace {

using khal::Buffer;
using khal::ErrorCode;
using khal::Stream;
using khal::abi::Artifact;
using khal::abi::Kernel;
using khal::detail::BufferArgument;

class Launches : public OnDevice {
protected:
  Stream stream{device};
};

TEST_P(Launches, ComputeAllElements) {
  for (const std::size_t size : {0, 1, 63, 64, 65, 1000, 100'000}) {
    Buffer<float> a = device.upload(counted<float>(size));
    const Buffer<float> b = device.upload(counted<float>(size, 1));
    add(stream, khal::threads(size), a, b);
    const std::vector<float> sums = a.download();
    for (std::size_t i = 0; i < size; ++i)
      ASSERT_EQ(sums[i], 2 * float(i) + 1) << i << " of " << size;
  }
}

TEST_P(Launches, TakeSlicesAtAnyOffset) {
  for (const std::size_t first : {0, 1, 3, 4, 16, 63, 64, 100}) {
    Buffer<float> a = device.upload(counted<float>(300));
    const Buffer<float> b = device.upload(counted<float>(300, 1000));
    add(stream, khal::threads(50), a.slice(first, 50), b.slice(2 * first + 1, 60));
    std::vector<float> expected = counted<float>(300);
    for (std::size_t i = 0; i < 50; ++i)
      expected[first + i] += 1000 + float(2 * first + 1 + i);
    EXPECT_EQ(a.download(), expected) << first;
  }
}

TEST_P(Launches, TakeSlicesOfBytesAtAnyOffset) {
  constexpr std::uint64_t needed = khal::abi::feature_int8 | khal::abi::feature_storage8;
  if ((device.info().features & needed) != needed)
    GTEST_SKIP() << "the device has no 8-bit storage";
  std::vector<std::uint8_t> expected = counted<std::uint8_t>(500);
  Buffer<std::uint8_t> buffer = device.upload(expected);
  for (std::size_t first = 0; first < 40; first += 3) {
    bytes(stream, khal::threads(first + 1), buffer.slice(first, first + 1));
    for (std::size_t i = 0; i <= first; ++i)
      ++expected[first + i];
  }
  bytes(stream, khal::threads(3), buffer.slice(497));
  for (std::size_t i = 497; i < 500; ++i)
    ++expected[i];
  EXPECT_EQ(buffer.download(), expected);
}

TEST_P(Launches, OneWorkItemKnowsItsPlaceInThreeDimensions) {
  const auto look = [&](khal::Grid grid, u32 width, u32 height, u32 depth) {
    Buffer<u32> out = device.zeros<u32>(width * height * depth);
    where(stream, grid, out);
    const std::vector<u32> seen = out.download();
    for (u32 z = 0; z < depth; ++z)
      for (u32 y = 0; y < height; ++y)
        for (u32 x = 0; x < width; ++x)
          ASSERT_EQ(seen[(z * height + y) * width + x], x | y << 8 | z << 16 | width / 4 << 24);
  };
  look(khal::groups(3, 4, 5), 12, 8, 10);
  look(khal::groups(2), 8, 2, 2);
  look(khal::threads(9, 7, 3), 12, 8, 4);
  look(khal::threads(1), 4, 2, 2);
}

TEST_P(Launches, PassLargeBlocks) {
  Coefficients c;
  for (int i = 0; i < 40; ++i)
    c.c[i] = float(i) * 1.5f;
  Buffer<float> y = device.zeros<float>(1001);
  for (const std::size_t first : {0, 1}) {
    y.fill(-1);
    wide(stream, khal::threads(1000), y.slice(first, 1000), c);
    const std::vector<float> values = y.download();
    for (std::size_t i = 0; i < 1000; ++i)
      ASSERT_EQ(values[first + i], float(i % 40) * 1.5f) << i;
    EXPECT_EQ(values[first == 0 ? 1000 : 0], -1);
  }
  // Each launch has its own block, however many are under way.
  for (int i = 0; i < 300; ++i) {
    c.c[0] = float(i);
    wide(stream, khal::threads(1), y.slice(i, 1), c);
  }
  const std::vector<float> values = y.download();
  for (int i = 0; i < 300; ++i)
    ASSERT_EQ(values[i], float(i));
}

TEST_P(Launches, PassReferences) {
  Buffer<float> x = device.upload(counted<float>(200));
  const Buffer<float> factors = device.upload<float>({2, 3});
  scale(stream, khal::threads(200), x, factors);
  scale(stream, khal::threads(200), x, factors.slice(1));
  EXPECT_EQ(x.download()[199], 199 * 6);
  expect_error(ErrorCode::bad_argument, {"scale", "factor", "empty"},
               [&] { scale(stream, khal::threads(200), x, factors.slice(2)); });
}

TEST_P(Launches, PassManyBuffers) {
  std::vector<Buffer<u32>> buffers;
  std::vector<BufferArgument> arguments;
  for (u32 i = 0; i < 20; ++i) {
    buffers.push_back(device.upload(counted<u32>(32, i)));
    arguments.push_back(khal::Arg<const u32>(buffers.back()));
  }
  khal::detail::launch(stream, sum20_kernel, khal::threads(32), arguments, {});
  const std::vector<u32> sums = buffers[0].download();
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(sums[i], 19 * 20 / 2 + 19 * i);
}

TEST_P(Launches, NeedNoArguments) {
  empty(stream, khal::groups(3));
  stream.wait();
}

TEST_P(Launches, OfNothingDoNothing) {
  Buffer<u32> x = device.zeros<u32>(10);
  step(stream, khal::threads(0), x, 1);
  step(stream, khal::groups(0), x, 1);
  step(stream, khal::groups(1, 0), x, 1);
  step(stream, khal::threads(10, 1, 0), x, 1);
  EXPECT_EQ(x.download(), std::vector<u32>(10));
  // A grid may be larger than an empty buffer.
  step(stream, khal::threads(10), x.slice(10), 1);
  step(stream, khal::threads(10), device.zeros<u32>(0).slice(0), 1);
  EXPECT_EQ(x.download(), std::vector<u32>(10));
}

TEST_P(Launches, CoverManyGroups) {
  constexpr std::size_t count = 2'000'000; // 62,500 groups
  Buffer<u32> x = device.upload(counted<u32>(count));
  step(stream, khal::threads(count), x, 5);
  const std::vector<u32> values = x.download();
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_EQ(values[i], u32(i) * 3 + 5);
}

TEST_P(Launches, TakeTheirGridFromABuffer) {
  Buffer<u32> grid = device.upload<u32>({99, 3, 4, 5, 0, 1, 1});
  Buffer<u32> out = device.zeros<u32>(12 * 8 * 10);
  where(stream, khal::groups_from(grid.slice(1)), out);
  const std::vector<u32> seen = out.download();
  for (u32 z = 0; z < 10; ++z)
    for (u32 y = 0; y < 8; ++y)
      for (u32 x = 0; x < 12; ++x)
        ASSERT_EQ(seen[(z * 8 + y) * 12 + x], x | y << 8 | z << 16 | 3u << 24);
  // Nothing at all, and then again something.
  Buffer<u32> x = device.upload(counted<u32>(64));
  step(stream, khal::groups_from(grid.slice(4)), x, 1);
  step(stream, khal::groups(1), x, 1);
  EXPECT_EQ(x.download()[31], 31u * 3 + 1);
  EXPECT_EQ(x.download()[32], 32u);
}

TEST_P(Launches, TakeTheirGridFromWhatEarlierWorkWrote) {
  Buffer<u32> grid = device.upload<u32>({0, 0, 0});
  Buffer<u32> x = device.zeros<u32>(32 * 700);
  for (const u32 wanted : {1, 700, 13}) {
    x.fill(stream, 0);
    grid.fill(stream, 0);
    step(stream, khal::threads(1), grid.slice(0, 1), wanted); // 0 * 3 + wanted
    step(stream, khal::threads(2), grid.slice(1), 1);
    step(stream, khal::groups_from(grid), x, 1);
    const std::vector<u32> values = x.download();
    ASSERT_EQ(std::count(values.begin(), values.end(), 1u), std::ptrdiff_t{32} * wanted);
    ASSERT_EQ(values[32 * wanted - 1], 1u);
  }
}

TEST_P(Launches, TakeTheirGridFromABufferInGraphs) {
  Buffer<u32> grid = device.upload<u32>({1, 1, 1});
  Buffer<u32> x = device.zeros<u32>(96);
  const auto record = [&](Stream &recorded) {
    step(recorded, khal::threads(1), grid.slice(0, 1), 0); // * 3
    step(recorded, khal::groups_from(grid), x, 1);
  };
  if (device.info().backend == khal::Backend::cuda) {
    expect_error(ErrorCode::unsupported, {"step", "graph"}, [&] { khal::Graph(device, record); });
    return;
  }
  khal::Graph graph(device, record);
  graph.replay(stream);
  EXPECT_EQ(x.download(), std::vector<u32>(96, 1));
}

TEST_P(Launches, RefuseGridsFromBuffersThatDoNotFit) {
  Buffer<u32> x = device.zeros<u32>(32), two = device.zeros<u32>(2);
  expect_error(ErrorCode::bad_argument, {"step", "three", "has 2"},
               [&] { step(stream, khal::groups_from(two), x, 1); });
  expect_error(ErrorCode::bad_argument, {"step", "no memory"},
               [&] { step(stream, khal::groups_from(khal::Slice<const u32>()), x, 1); });
  if (device.info().backend == khal::Backend::vulkan)
    return; // nobody can look
  const Buffer<u32> huge = device.upload<u32>({1, 0xffffffff, 1});
  expect_error(ErrorCode::bad_argument, {"step", device.info().id, " in y"}, [&] {
    Stream own(device);
    step(own, khal::groups_from(huge), x, 1);
    own.wait();
  });
}

TEST_P(Launches, RefuseWrittenBuffersThatOverlap) {
  Buffer<float> a = device.zeros<float>(100);
  expect_error(ErrorCode::bad_argument,
               {"add", "kernels.cpp:10", "argument a", "writes", "argument b", "may_alias"},
               [&] { add(stream, khal::threads(100), a, a); });
  expect_error(ErrorCode::bad_argument, {"overlaps"},
               [&] { add(stream, khal::threads(50), a.slice(0, 50), a.slice(49, 50)); });
  // Neighbours don't overlap, and neither does nothing.
  add(stream, khal::threads(50), a.slice(0, 50), a.slice(50, 50));
  add(stream, khal::threads(50), a, a.slice(50, 0));
}

TEST_P(Launches, LetBuffersOverlapThatAreOnlyRead) {
  Buffer<u32> out = device.zeros<u32>(32);
  const Buffer<u32> in = device.upload(counted<u32>(32));
  std::vector<BufferArgument> arguments(20, khal::Arg<const u32>(in));
  arguments[0] = khal::Arg<u32>(out);
  khal::detail::launch(stream, sum20_kernel, khal::threads(32), arguments, {});
  EXPECT_EQ(out.download()[3], 19 * 3u);
}

TEST_P(Launches, LetBuffersOverlapWhereTheKernelAllowsIt) {
  Buffer<u32> x = device.upload(counted<u32>(64));
  shift(stream, khal::threads(64), x, x);
  shift(stream, khal::threads(64), x.slice(1, 32), x.slice(1, 32));
  std::vector<u32> expected = counted<u32>(64, 1);
  for (u32 i = 1; i <= 32; ++i)
    ++expected[i];
  EXPECT_EQ(x.download(), expected);
}

TEST_P(Launches, RefuseBuffersWithoutMemory) {
  Buffer<u32> x = device.zeros<u32>(4);
  const Buffer<u32> kept = std::move(x);
  expect_error(ErrorCode::bad_argument, {"step", "argument x", "moved from"},
               [&] { step(stream, khal::threads(4), x, 1); }); // NOLINT(bugprone-use-after-move)
  expect_error(ErrorCode::bad_argument, {"never made"},
               [&] { step(stream, khal::threads(4), khal::Slice<u32>(), 1); });
}

TEST_P(Launches, RefuseGridsBeyondTheDevice) {
  Buffer<u32> out = device.zeros<u32>(32);
  const auto &most = device.info().limits.max_groups;
  expect_error(ErrorCode::bad_argument,
               {"where", device.info().id, std::to_string(most[1]), " in y"},
               [&] { where(stream, khal::groups(1, std::uint64_t{most[1]} + 1), out); });
  expect_error(ErrorCode::bad_argument, {"where", " in x"}, [&] {
    where(stream, khal::threads(std::numeric_limits<std::uint64_t>::max()), out);
  });
  Buffer<u32> x = device.zeros<u32>(32);
  expect_error(ErrorCode::bad_argument, {"step"},
               [&] { step(stream, khal::threads((std::uint64_t{1} << 32) + 1), x, 1); });
}

/// The step kernel, changed; kept for good, as descriptors must be.
template <class Change> const Kernel &changed(const Change &change) {
  auto *kernel = new Kernel(step_kernel);
  auto *artifacts = new Artifact[3];
  std::copy_n(step_kernel.artifacts, 3, artifacts);
  kernel->artifacts = artifacts;
  change(*kernel, artifacts);
  return *kernel;
}

class BadKernels : public Launches {
protected:
  void launch(const Kernel &kernel) {
    khal::detail::Block<8> block;
    block.put(4, u32{4});
    const BufferArgument buffers[] = {khal::Arg<u32>(x)};
    khal::detail::launch(stream, kernel, khal::threads(4), buffers, block.bytes());
  }
  Buffer<u32> x = device.zeros<u32>(4);
};

TEST_P(BadKernels, OfAnotherVersion) {
  const Kernel &kernel = changed([](Kernel &k, Artifact *) { k.abi_version += 1; });
  expect_error(ErrorCode::unsupported, {"khalc", std::to_string(khal::abi::version + 1)},
               [&] { launch(kernel); });
}

TEST_P(BadKernels, WhoseStubDoesNotFit) {
  expect_error(ErrorCode::bad_argument, {"step", "build both anew"},
               [&] { khal::detail::launch(stream, step_kernel, khal::threads(1), {}, {}); });
  expect_error(ErrorCode::bad_argument, {"step", "argument x", "2 bytes", "build both anew"}, [&] {
    Buffer<std::uint16_t> narrow = device.zeros<std::uint16_t>(4);
    const BufferArgument buffers[] = {khal::Arg<std::uint16_t>(narrow)};
    const khal::detail::Block<8> block;
    khal::detail::launch(stream, step_kernel, khal::threads(1), buffers, block.bytes());
  });
}

TEST_P(BadKernels, WithoutAFormForTheDevice) {
  const Kernel &kernel = changed([](Kernel &k, Artifact *) { k.artifact_count = 0; });
  const std::string target = device.info().backend == khal::Backend::cpu      ? "--target=cpu"
                             : device.info().backend == khal::Backend::vulkan ? "--target=spirv"
                                                                              : "--target=ptx";
  expect_error(ErrorCode::unsupported, {"step", device.info().id, target}, [&] { launch(kernel); });
}

TEST_P(BadKernels, ThatNeedFeatures) {
  const Kernel &kernel = changed([](Kernel &, Artifact *artifacts) {
    for (int i = 0; i < 3; ++i)
      artifacts[i].features |= std::uint64_t{1} << 63;
  });
  expect_error(ErrorCode::unsupported, {"step", "lacks feature63", device.info().name},
               [&] { launch(kernel); });
}

TEST_P(BadKernels, ForANewerDevice) {
  const Kernel &kernel = changed([](Kernel &, Artifact *artifacts) {
    for (int i = 0; i < 3; ++i)
      artifacts[i].variant = artifacts[i].target == khal::abi::Target::cpu   ? "x86-64-v9"
                             : artifacts[i].target == khal::abi::Target::ptx ? "sm_999"
                                                                             : "9.1";
  });
  expect_error(ErrorCode::unsupported, {"step", "newer"}, [&] { launch(kernel); });
}

TEST_P(BadKernels, WithGroupsTooLarge) {
  const Kernel &kernel = changed([](Kernel &k, Artifact *) { k.group_size[0] = 1u << 20; });
  expect_error(ErrorCode::unsupported, {"step", "1048576 x 1 x 1", device.info().id},
               [&] { launch(kernel); });
  const Kernel &none = changed([](Kernel &k, Artifact *) { k.group_size[0] = 0; });
  expect_error(ErrorCode::unsupported, {"step", "0 x 1 x 1"}, [&] { launch(none); });
}

TEST_P(BadKernels, WithTooMuchSharedMemory) {
  const Kernel &kernel = changed([](Kernel &k, Artifact *) { k.shared_bytes = 1u << 30; });
  expect_error(ErrorCode::unsupported, {"step", "1 GiB", "work-group memory"},
               [&] { launch(kernel); });
}

TEST_P(BadKernels, WithTooMuchSharedMemoryForSpans) {
  static const khal::abi::SharedSpanInfo spans[] = {{"tile", 1u << 20, 0}, {"rest", 4, 4}};
  const Kernel &kernel = changed([](Kernel &k, Artifact *) {
    k.shared_spans = spans;
    k.shared_span_count = 2;
  });
  Buffer<std::uint32_t> words = device.zeros<std::uint32_t>(4);
  const BufferArgument buffers[] = {khal::Arg<std::uint32_t>(words)};
  khal::detail::Block<8> block;
  block.put(0, khal::shared(~std::uint64_t{0}).length());
  expect_error(ErrorCode::unsupported, {"step", "work-group memory", "khal::shared()"}, [&] {
    khal::detail::launch(stream, kernel, khal::threads(1), buffers, block.bytes());
  });
}

TEST_P(BadKernels, ThatReachTooLittleOfABuffer) {
  if (device.info().backend != khal::Backend::vulkan)
    GTEST_SKIP() << "pointers in memory are whole on the others";
  const Kernel &kernel = changed([](Kernel &, Artifact *artifacts) {
    for (int i = 0; i < 3; ++i)
      artifacts[i].max_buffer_bytes = 8;
  });
  expect_error(ErrorCode::unsupported, {"step", "argument x", "8 bytes"}, [&] { launch(kernel); });
}

TEST_P(BadKernels, LeaveTheStreamUsable) {
  const Kernel &kernel = changed([](Kernel &k, Artifact *) { k.artifact_count = 0; });
  EXPECT_THROW(launch(kernel), khal::Error);
  launch(step_kernel);
  stream.wait();
}

TEST_P(BadKernels, ThatTheDriverRefuses) {
  if (device.info().backend != khal::Backend::cuda)
    GTEST_SKIP() << "only CUDA's driver takes its kernels as text that can be wrong";
  const Kernel &kernel = changed([](Kernel &, Artifact *artifacts) {
    for (int i = 0; i < 3; ++i)
      if (artifacts[i].target == khal::abi::Target::ptx) {
        static constexpr char code[] = ".version 7.0\n.target sm_75\n.address_size 64\nnonsense\n";
        artifacts[i].code = code;
        artifacts[i].code_size = sizeof(code) - 1;
      }
  });
  expect_error(ErrorCode::build_failed, {"step", "refuses", "nonsense"}, [&] { launch(kernel); });
  launch(step_kernel);
  stream.wait();
}

TEST_P(BadKernels, ThatTheValidationLayerFinds) {
  if (!device.info().validated)
    GTEST_SKIP() << "no validation layer watches this device";
  const Kernel &kernel = changed([](Kernel &, Artifact *artifacts) {
    for (int i = 0; i < 3; ++i) {
      artifacts[i].code = spirv::unbound;
      artifacts[i].code_size = sizeof(spirv::unbound);
    }
  });
  expect_error(ErrorCode::validation, {"validation layer", "VUID"}, [&] { launch(kernel); });
  launch(step_kernel);
  stream.wait();
}

KHAL_ON_EVERY_DEVICE(Launches);
KHAL_ON_EVERY_DEVICE(BadKernels);

} // namespace
} // namespace test
