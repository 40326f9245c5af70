//===- ParametersTest.cpp - every kind of parameter means on a device what it does on the host ===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on the device that KHAL_DEVICE names. The reference is the same function compiled by the
// host's own compiler.
//
//===---------------------------------------------------------------------------------------------===//
#include "kernels.khal.hpp"

#include "rows.hpp"

#include "gtest/gtest.h"

#include <numeric>

namespace {

constexpr std::uint32_t items = 1000;

/// The same numbers on the device and on the host.
template <class T> struct Both {
  Both(const khal::Device &device, std::size_t count, std::uint32_t seed) : host(count) {
    for (T &value : host) {
      seed = seed * 1664525 + 1013904223;
      value = static_cast<T>(seed >> 16);
    }
    buffer = device.upload(host);
  }
  operator khal::Slice<const T>() const { return buffer; }
  khal::span<const T> view() const { return {host.data(), static_cast<khal::u32>(host.size())}; }

  std::vector<T> host;
  khal::Buffer<T> buffer;
};

class Parameters : public testing::Test {
protected:
  template <class Launch, class Reference> void compare(Launch launch, Reference reference) {
    khal::Buffer<std::uint32_t> out = device.zeros<std::uint32_t>(items);
    launch(out);
    stream.wait();
    const std::vector<std::uint32_t> got = out.download();
    for (std::uint32_t i = 0; i < items; ++i)
      ASSERT_EQ(got[i], reference(i)) << "at work-item " << i;
  }

  khal::Device device;
  khal::Stream stream{device};
  const khal::Grid grid = khal::threads(items);
  Both<std::uint32_t> a{device, 64, 1}, b{device, 23, 2}, c{device, 100, 3};
};

// --- pointers and references --------------------------------------------------------------------

TEST_F(Parameters, RawPointers) {
  const Both<std::uint16_t> narrow(device, 8, 4);
  compare(
      [&](auto &out) {
        kernels::table::raw_pointers(stream, grid, a.buffer, narrow.buffer, 64, out);
      },
      [&](auto i) { return rows::raw_pointers(i, a.host.data(), narrow.host.data(), 64); });
}

TEST_F(Parameters, References) {
  const rows::Settings settings{17, {-3, 4000}};
  const auto deviceSettings = device.upload<rows::Settings>({settings});
  compare(
      [&](auto &out) { kernels::table::references(stream, grid, deviceSettings, a.buffer, out); },
      [&](auto i) { return rows::references(i, settings, a.host[0]); });
}

// --- structs that hold spans and pointers ---------------------------------------------------------

TEST_F(Parameters, NestedStructs) {
  const Both<std::uint8_t> mask(device, 4, 5);
  constexpr std::uint64_t key = 0x123456789abcdef0;
  compare(
      [&](auto &out) {
        const kernels::rows::Image image{{{a, 300}, {b, 7}}, mask, key};
        kernels::table::nested_structs(stream, grid, image, out);
      },
      [&](auto i) {
        return rows::nested_structs(i, {{{a.view(), 300}, {b.view(), 7}}, mask.host.data(), key});
      });
}

TEST_F(Parameters, DerivedStruct) {
  compare([&](auto &out) { kernels::table::derived(stream, grid, {a, 2, c, true}, out); },
          [&](auto i) { return rows::derived(i, {{a.view(), 2}, c.host.data(), true}); });
}

TEST_F(Parameters, HiddenMembers) {
  const kernels::rows::Detail detail{
      .Layer_cells = a, .Layer_scale = 3, .scale = 5, .cells = c.buffer.slice(0)};
  compare([&](auto &out) { kernels::table::hidden_members(stream, grid, detail, out); },
          [&](auto i) {
            rows::Detail view;
            view.Layer::cells = a.view();
            view.Layer::scale = 3;
            view.scale = 5;
            view.cells = c.host.data();
            return rows::hidden_members(i, view);
          });
}

TEST_F(Parameters, ArrayOfSpans) {
  compare([&](auto &out) { kernels::table::array_of_spans(stream, grid, {{a, b, c}}, out); },
          [&](auto i) { return rows::array_of_spans(i, {a.view(), b.view(), c.view()}); });
}

TEST_F(Parameters, LocalCursors) {
  compare([&](auto &out) { kernels::table::local_cursors(stream, grid, {{a, b, c}}, out); },
          [&](auto i) { return rows::local_cursors(i, {{a.view(), b.view(), c.view()}}); });
}

TEST_F(Parameters, LocalList) {
  compare([&](auto &out) { kernels::table::local_list(stream, grid, a.buffer, out); },
          [&](auto i) { return rows::local_list(i, a.view()); });
}

TEST_F(Parameters, PointersToPointers) {
  compare(
      [&](auto &out) {
        kernels::table::pointers_to_pointers(stream, grid, a.buffer, b.buffer, out);
      },
      [&](auto i) { return rows::pointers_to_pointers(i, a.view(), b.view()); });
}

TEST_F(Parameters, PointersIntoSlices) {
  // A slice that no device's alignment fits.
  const khal::span<const std::uint32_t> part(a.host.data() + 3, 20);
  compare(
      [&](auto &out) {
        kernels::table::pointers_to_pointers(stream, grid, a.buffer.slice(3, 20), b.buffer, out);
      },
      [&](auto i) { return rows::pointers_to_pointers(i, part, b.view()); });
}

TEST_F(Parameters, PointerTables) {
  compare([&](auto &out) { kernels::table::pointer_tables(stream, grid, a.buffer, out); },
          [&](auto i) { return rows::pointer_tables(i, a.view()); });
}

TEST_F(Parameters, CopiedSpans) {
  compare([&](auto &out) { kernels::table::copied_spans(stream, grid, a.buffer, b.buffer, out); },
          [&](auto i) { return rows::copied_spans(i, a.view(), b.view()); });
}

TEST_F(Parameters, SharedPointers) {
  compare(
      [&](auto &out) { kernels::table::shared_pointers(stream, grid, a.buffer, b.buffer, out); },
      [&](auto i) {
        const std::uint32_t local = 63 - i % 64, other = i - i % 64 + local;
        return local % 3 ? a.host[other % a.host.size()] : b.host[other % b.host.size()];
      });
}

TEST_F(Parameters, OverlappingSlices) {
  std::vector<std::uint32_t> values(items + 1, 1);
  auto buffer = device.upload(values);
  kernels::table::overlapping(stream, grid, buffer.slice(0, items), buffer.slice(1, items));
  for (std::uint32_t i = 0; i + 1 < items; i += 4)
    values[i + 1] = (3 + 5) * 2;
  EXPECT_EQ(buffer.download(), values);
}

// --- function objects ----------------------------------------------------------------------------

TEST_F(Parameters, FunctionObject) {
  const rows::Affine affine{17, 5};
  compare([&](auto &out) { kernels::table::apply(stream, grid, affine, out); },
          [&](auto i) { return rows::apply(i, affine); });
  // The type may be written out, and the object then in braces.
  compare([&](auto &out) { kernels::table::apply<rows::Affine>(stream, grid, {17, 5}, out); },
          [&](auto i) { return rows::apply(i, affine); });
}

TEST_F(Parameters, FunctionObjectOverBuffers) {
  const Both<std::uint8_t> steps(device, 4, 9);
  compare(
      [&](auto &out) { kernels::table::apply(stream, grid, kernels::rows::Lookup{a, steps}, out); },
      [&](auto i) { return rows::apply(i, rows::Lookup{a.view(), steps.host.data()}); });
}

TEST_F(Parameters, LambdaWithoutCaptures) {
  compare([&](auto &out) { kernels::table::apply(stream, grid, kernels::square_closure{}, out); },
          [&](auto i) { return rows::apply(i, rows::square); });
}

TEST_F(Parameters, LambdaWithCaptures) {
  const kernels::Scaled scaled{.factor = 77, .shift = 3};
  compare([&](auto &out) { kernels::table::apply(stream, grid, scaled, out); },
          [&](auto i) { return rows::apply(i, rows::scaled(77, 3)); });
}

TEST_F(Parameters, LambdaOverBuffers) {
  const kernels::LookedUp lookedUp{.table = a, .second = c, .offset = 6};
  compare([&](auto &out) { kernels::table::apply(stream, grid, lookedUp, out); },
          [&](auto i) { return rows::apply(i, rows::looked_up(a.view(), c.host.data(), 5)); });
}

TEST_F(Parameters, LambdaOverAPack) {
  const kernels::Summed summed{.part_0 = 200, .part_1 = 77777777777, .part_2 = -5, .bias = 9};
  compare([&](auto &out) { kernels::table::apply(stream, grid, summed, out); },
          [&](auto i) {
            return rows::apply(
                i, rows::summed(std::uint8_t{200}, std::uint64_t{77777777777}, std::int16_t{-5}));
          });
}

TEST_F(Parameters, LambdaInLambda) {
  compare(
      [&](auto &out) {
        kernels::table::apply(stream, grid, kernels::twice_closure{{77, 3}, 2}, out);
      },
      [&](auto i) { return rows::apply(i, rows::twice(rows::scaled(77, 3))); });
}

TEST_F(Parameters, StructInAClassOfTheKernelFile) {
  compare(
      [&](auto &out) {
        kernels::table::Walk::run(stream, grid, kernels::Walk_Step{table::Way::down, 7}, out);
      },
      [](auto i) { return i - 7; });
}

// --- work-group memory ---------------------------------------------------------------------------

TEST_F(Parameters, SharedSpan) {
  for (const std::uint32_t length : {64u, 1u, 100u, 257u, 64u})
    compare(
        [&](auto &out) {
          kernels::table::reversed(stream, grid, c.buffer, khal::shared(length), out);
        },
        [&](auto i) {
          return c.host[(i / 64 * length + length - 1 - i % length) % c.host.size()];
        });
}

/// Recorded work keeps the lengths.
TEST_F(Parameters, SharedSpanInAGraph) {
  constexpr std::uint32_t length = 37;
  compare(
      [&](auto &out) {
        khal::Graph graph(device, [&](khal::Stream &recorded) {
          kernels::table::reversed(recorded, grid, c.buffer, khal::shared(length), out);
        });
        graph.replay(stream);
      },
      [&](auto i) { return c.host[(i / 64 * length + length - 1 - i % length) % c.host.size()]; });
}

TEST_F(Parameters, SeveralSharedSpans) {
  for (const std::uint32_t wide : {11u, 0u})
    compare(
        [&](auto &out) {
          const kernels::table::Scratch scratch{khal::shared(3), 1000, khal::shared(wide)};
          kernels::table::several_shared(stream, grid, khal::shared(5), scratch, 9, out);
        },
        [&](auto i) {
          const std::uint32_t first = i - i % 64, l = i % 64;
          const auto of = [&](std::uint32_t count) { return first + l % count; };
          return first + 63 - l + static_cast<std::uint16_t>(of(5) * 3) +
                 static_cast<std::uint8_t>(of(3) * 5) + (wide ? of(wide) * 1000 + wide - 1 : 0) + 9;
        });
}

TEST_F(Parameters, SharedSpanBeyondTheDevice) {
  auto out = device.zeros<std::uint32_t>(items);
  const std::uint64_t most = device.info().limits.max_shared_bytes;
  for (const std::uint64_t count : {most / 4 + 1, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    try {
      kernels::table::reversed(stream, grid, c.buffer, khal::shared(count), out);
      FAIL() << "nothing thrown for " << count;
    } catch (const khal::Error &error) {
      EXPECT_EQ(error.code(), khal::ErrorCode::unsupported);
      EXPECT_NE(std::string(error.what()).find("khal::shared"), std::string::npos) << error.what();
    }
  }
}

// --- values --------------------------------------------------------------------------------------

TEST_F(Parameters, NarrowValues) {
  compare(
      [&](auto &out) {
        kernels::table::narrow_values(stream, grid, 200, -100, 60000, -30000, true, 'k', out);
      },
      [&](auto i) { return rows::narrow_values(i, 200, -100, 60000, -30000, true, 'k'); });
}

TEST_F(Parameters, WideValues) {
  constexpr std::uint64_t wide = 0xfedcba9876543210;
  constexpr std::int64_t negative = -0x123456789abcdef;
  compare([&](auto &out) { kernels::table::wide_values(stream, grid, wide, negative, 12.75, out); },
          [&](auto i) { return rows::wide_values(i, wide, negative, 12.75); });
}

TEST_F(Parameters, NestedArrays) {
  rows::Grid nested{{{-1, 2, -3}, {400, -500, 600}},
                    {1, 20, 30, 40, 255},
                    {true, false, true},
                    {{1ull << 40 | 7, 2}, {3, 1ull << 63 | 11}},
                    {1.5f, 200, 3000},
                    rows::Mode::multiply};
  compare([&](auto &out) { kernels::table::nested_arrays(stream, grid, nested, out); },
          [&](auto i) { return rows::nested_arrays(i, nested); });
}

TEST_F(Parameters, Lookups) {
  const rows::Lookups tables{{11, 1ull << 40 | 22, 33ull << 32, 44}, {3, 5, 250, 7, 0, 129, 6, 2}};
  compare([&](auto &out) { kernels::table::lookups(stream, grid, tables, out); },
          [&](auto i) { return rows::lookups(i, tables); });
}

TEST_F(Parameters, LargeBlock) {
  rows::Large large{};
  std::iota(std::begin(large.numbers), std::end(large.numbers), 5000);
  std::iota(std::begin(large.tail), std::end(large.tail), 100);
  compare([&](auto &out) { kernels::table::large_block(stream, grid, large, out); },
          [&](auto i) { return rows::large_block(i, large); });
}

} // namespace
