//===- Launch.cpp - a launch's arguments checked ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Graph.h"
#include "core/Text.h"

#include <cstring>
#include <limits>

namespace khal::detail {

namespace {

constexpr std::uint64_t max_u32 = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void bad(const abi::Kernel &kernel, const std::string &sentence,
                      ErrorCode code = ErrorCode::bad_argument) {
  throw Error(code, describe(kernel) + ": " + sentence);
}

void check_version(const abi::Kernel &kernel) {
  // The descriptor's other members mean something only in the version that this runtime knows.
  if (kernel.abi_version != abi::version)
    throw Error(ErrorCode::unsupported,
                text("a kernel was compiled by a khalc whose kernels have form ",
                     kernel.abi_version, ", and this runtime runs form ", abi::version,
                     ": compile it with the khalc that came with this runtime"));
}

/// Everything that is wrong before a single argument is looked at.
void check_kernel(const abi::Kernel &kernel, std::size_t buffer_count, std::size_t block_bytes) {
  check_version(kernel);
  if (buffer_count != kernel.buffer_count || block_bytes != kernel.block_size)
    bad(kernel, text("it takes ", kernel.buffer_count, " buffers and ", kernel.block_size,
                     " bytes of values, and its stub gives ", buffer_count, " and ", block_bytes,
                     ": its .khal.hpp and .khal.o are of different khalc runs; build both anew"));
}

void check_buffer(const abi::Kernel &kernel, std::size_t index, const BufferArgument &argument,
                  const DeviceImpl &device) {
  const abi::BufferInfo &info = kernel.buffers[index];
  const auto name = [&] { return describe_argument(kernel, index); };
  if (!argument.memory)
    bad(kernel, name() + " has no memory: the buffer was moved from or never made");
  if (argument.memory->device().get() != &device)
    bad(kernel, text(name(), " is on ", argument.memory->device()->info().id,
                     ", but the stream is of ", device.info().id,
                     ": make the buffer with the stream's device, or copy_from() it there"));
  if (argument.element_size != info.element_size)
    bad(kernel, text(name(), " has elements of ", argument.element_size, " bytes, and the kernel ",
                     info.element_size,
                     ": its .khal.hpp and .khal.o are of different khalc runs; build both anew"));
  if (argument.count < argument.least_count)
    bad(kernel, text(name(), " is empty, but the kernel takes a reference to an element: give it a "
                             "buffer of at least one"));
  if ((info.flags & abi::buffer_has_length) && argument.count > max_u32)
    bad(kernel, text(name(), " has ", argument.count, " elements, and a span counts ", max_u32,
                     " at most: pass it in slices"));
}

/// A buffer that the kernel writes must not share a byte with another argument: the compiler relies
/// on it.
void check_overlap(const abi::Kernel &kernel, std::span<const BufferArgument> buffers) {
  const auto end = [](const BufferArgument &argument) {
    return argument.offset + argument.count * argument.element_size;
  };
  for (std::size_t i = 0; i < buffers.size(); ++i)
    for (std::size_t k = i + 1; k < buffers.size(); ++k) {
      const BufferArgument &a = buffers[i];
      const BufferArgument &b = buffers[k];
      if (a.memory != b.memory || a.count == 0 || b.count == 0 || a.offset >= end(b) ||
          b.offset >= end(a))
        continue;
      const std::uint32_t both = kernel.buffers[i].flags & kernel.buffers[k].flags;
      if (both & abi::buffer_read_only)
        continue;
      const std::size_t written = kernel.buffers[i].flags & abi::buffer_read_only ? k : i;
      bad(kernel,
          text(describe_argument(kernel, written), ", which the kernel writes, overlaps ",
               describe_argument(kernel, written == i ? k : i),
               ": pass separate buffers or slices, or mark the kernel [[khal::may_alias]]"));
    }
}

/// The element counts of the kernel's shared spans, which the block holds.
std::vector<std::uint32_t> shared_counts(const abi::Kernel &kernel,
                                         std::span<const std::byte> block) {
  std::vector<std::uint32_t> counts(kernel.shared_span_count);
  for (std::size_t i = 0; i < counts.size(); ++i)
    std::memcpy(&counts[i], block.data() + kernel.shared_spans[i].length_offset, sizeof counts[i]);
  return counts;
}

/// What they take together, within the device's limit.
std::uint32_t check_shared(const abi::Kernel &kernel, std::span<const std::uint32_t> counts,
                           const DeviceInfo &device) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    bytes =
        abi::shared_span_end(bytes, std::uint64_t{counts[i]} * kernel.shared_spans[i].element_size);
  const std::uint64_t all = abi::shared_span_end(kernel.shared_bytes, 0) + bytes;
  const std::uint32_t most = device.limits.max_shared_bytes;
  if (kernel.shared_bytes > most || (bytes > 0 && all > most))
    bad(kernel,
        text("it needs ", describe_bytes(kernel.shared_bytes), " of work-group memory",
             bytes > 0 ? text(" and ", describe_bytes(bytes), " more for its shared spans") : "",
             ", and ", device.id, " (", device.name, ") has ", describe_bytes(most),
             bytes > 0 ? ": give khal::shared() fewer elements" : ""),
        ErrorCode::unsupported);
  return static_cast<std::uint32_t>(bytes);
}

void check_group(const abi::Kernel &kernel, const DeviceInfo &device) {
  const DeviceLimits &limits = device.limits;
  std::uint64_t items = 1;
  for (unsigned d = 0; d < 3; ++d)
    items *= kernel.group_size[d];
  const std::array<std::uint64_t, 3> size = {kernel.group_size[0], kernel.group_size[1],
                                             kernel.group_size[2]};
  bool fits = items > 0 && items <= limits.max_group_items;
  for (unsigned d = 0; d < 3; ++d)
    fits = fits && size[d] <= limits.max_group_size[d];
  if (!fits)
    bad(kernel,
        text("its groups of ", describe(size), " work-items are beyond what ", device.id, " (",
             device.name, ") can run: ", limits.max_group_items, " in all and ",
             describe(
                 {limits.max_group_size[0], limits.max_group_size[1], limits.max_group_size[2]}),
             " by dimension"),
        ErrorCode::unsupported);
}

/// No group at all in the first dimension when there is nothing to do.
std::array<std::uint32_t, 3> within_limits(const abi::Kernel &kernel,
                                           const std::array<std::uint64_t, 3> &groups,
                                           const DeviceInfo &device) {
  if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0)
    return {0, 0, 0};
  static constexpr const char *names[] = {"x", "y", "z"};
  for (unsigned d = 0; d < 3; ++d) {
    if (groups[d] > device.limits.max_groups[d])
      bad(kernel, text("the grid of ", describe(groups), " groups is beyond what ", device.id, " (",
                       device.name, ") can launch: ", device.limits.max_groups[d], " in ", names[d],
                       "; let each work-item do several elements, use another dimension too, or "
                       "launch several times over slices"));
    if (groups[d] * kernel.group_size[d] > max_u32 + 1)
      bad(kernel, text("the grid has ", groups[d] * kernel.group_size[d], " work-items in ",
                       names[d], ", and a 32-bit index counts ", max_u32 + 1, " at most"));
  }
  return {static_cast<std::uint32_t>(groups[0]), static_cast<std::uint32_t>(groups[1]),
          static_cast<std::uint32_t>(groups[2])};
}

/// The grid in groups.
std::array<std::uint32_t, 3> count_groups(const abi::Kernel &kernel, const Grid &grid,
                                          const DeviceInfo &device) {
  std::array<std::uint64_t, 3> groups = grid.extent();
  if (grid.unit() == Grid::Unit::threads)
    for (unsigned d = 0; d < 3; ++d)
      groups[d] = groups[d] / kernel.group_size[d] + (groups[d] % kernel.group_size[d] != 0);
  return within_limits(kernel, groups, device);
}

GroupsInBuffer groups_in_buffer(const abi::Kernel &kernel, const Grid &grid,
                                const DeviceImpl &device) {
  if (!grid.source())
    bad(kernel, "the buffer of khal::groups_from has no memory: it was moved from or never made");
  if (grid.source()->device().get() != &device)
    bad(kernel, text("the buffer of khal::groups_from is on ", grid.source()->device()->info().id,
                     ", but the stream is of ", device.info().id));
  if (grid.source_count() < 3)
    bad(kernel, text("khal::groups_from needs three numbers, and its buffer or slice has ",
                     grid.source_count()));
  return {grid.source(), grid.offset()};
}

} // namespace

std::array<std::uint32_t, 3> check_groups(const abi::Kernel &kernel,
                                          const std::array<std::uint32_t, 3> &found,
                                          const DeviceInfo &device) {
  return within_limits(kernel, {found[0], found[1], found[2]}, device);
}

void launch(Stream &stream, const abi::Kernel &kernel, const Grid &grid,
            std::span<const BufferArgument> buffers, std::span<const std::byte> block) {
  check_kernel(kernel, buffers.size(), block.size());
  if (!stream.impl())
    bad(kernel, "the stream was moved from: use the one that it was moved to, or make a new one");
  StreamImpl &queue = *stream.impl();
  const DeviceImpl &device = *queue.device();
  for (std::size_t i = 0; i < buffers.size(); ++i)
    check_buffer(kernel, i, buffers[i], device);
  if (!(kernel.flags & abi::kernel_may_alias))
    check_overlap(kernel, buffers);
  check_group(kernel, device.info());
  const std::vector<std::uint32_t> counts = shared_counts(kernel, block);
  const std::uint32_t shared_bytes = check_shared(kernel, counts, device.info());
  GroupsInBuffer source;
  std::array<std::uint32_t, 3> groups{};
  if (grid.in_buffer())
    source = groups_in_buffer(kernel, grid, device);
  else if (groups = count_groups(kernel, grid, device.info()); groups[0] == 0)
    return;
  const Ticket ticket =
      queue.launch({kernel, groups, source, buffers, block, counts, shared_bytes});
  for (const BufferArgument &argument : buffers)
    argument.memory->note_use(queue, ticket);
  if (source)
    source.memory->note_use(queue, ticket);
}

} // namespace khal::detail

namespace khal {

void warm_up(const Device &device, std::span<const abi::Kernel *const> kernels) {
  for (const abi::Kernel *kernel : kernels) {
    detail::check_version(*kernel);
    detail::check_group(*kernel, device.info());
    device.impl()->prepare(*kernel);
  }
}

void warm_up(const Device &device, const std::function<void(Stream &)> &put_in) {
  for (const detail::GraphNode &node : detail::record(device, put_in))
    if (const auto *launch = std::get_if<detail::LaunchNode>(&node.work))
      device.impl()->prepare(*launch->kernel);
}

} // namespace khal
