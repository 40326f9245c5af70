//===- Graph.cpp - recorded work --------------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Graph.h"

#include "khal/host/graph.hpp"

#include <algorithm>
#include <set>

namespace khal::detail {

namespace {

[[noreturn]] void cannot_record(const char *what) {
  throw Error(ErrorCode::bad_argument,
              std::string("khal::Graph: ") + what +
                  " can't be recorded: put it into a stream of your own, before or after a replay");
}

std::vector<std::byte> bytes_of(const void *data, std::uint64_t bytes) {
  const auto *first = static_cast<const std::byte *>(data);
  return {first, first + bytes};
}

/// Calls one of several functions, by the type of its argument.
template <class... Functions> struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions> Overloaded(Functions...) -> Overloaded<Functions...>;

} // namespace

Ticket Recorder::launch(const KernelLaunch &launch) {
  GraphNode node{LaunchNode{&launch.kernel,
                            launch.groups,
                            launch.groups_in,
                            {launch.buffers.begin(), launch.buffers.end()},
                            {launch.block.begin(), launch.block.end()},
                            {launch.shared_counts.begin(), launch.shared_counts.end()},
                            launch.shared_bytes},
                 {}};
  for (const BufferArgument &argument : launch.buffers)
    node.memories.push_back(argument.memory->shared_from_this());
  if (launch.groups_in)
    node.memories.push_back(launch.groups_in.memory->shared_from_this());
  nodes_.push_back(std::move(node));
  return 0;
}

Ticket Recorder::write(Memory &target, std::uint64_t offset, const void *source,
                       std::uint64_t bytes) {
  nodes_.push_back(
      {WriteNode{&target, offset, bytes_of(source, bytes)}, {target.shared_from_this()}});
  return 0;
}

Ticket Recorder::read(Memory &, std::uint64_t, void *, std::uint64_t) {
  cannot_record("a download");
}

Ticket Recorder::copy(Memory &target, std::uint64_t target_offset, Memory &source,
                      std::uint64_t source_offset, std::uint64_t bytes) {
  nodes_.push_back({CopyNode{&target, target_offset, &source, source_offset, bytes},
                    {target.shared_from_this(), source.shared_from_this()}});
  return 0;
}

Ticket Recorder::fill(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                      std::span<const std::byte> pattern) {
  nodes_.push_back({FillNode{&target, offset, bytes, {pattern.begin(), pattern.end()}},
                    {target.shared_from_this()}});
  return 0;
}

std::optional<Ticket> Recorder::after(StreamImpl &, Ticket) {
  cannot_record("a wait for an event");
}

Ticket Recorder::call(std::function<void()>) {
  cannot_record("a call of the host's function");
}

std::pair<Ticket, std::shared_ptr<Timestamp>> Recorder::stamp() {
  cannot_record("a reading of the clock");
}

std::vector<GraphNode> record(const Device &device, const std::function<void(Stream &)> &put_in) {
  if (!put_in)
    throw Error(ErrorCode::bad_argument, "khal::Graph: there is no function to record: it's empty");
  const auto recorder = std::make_shared<Recorder>(device.impl());
  Stream stream(recorder);
  put_in(stream);
  return recorder->take();
}

std::vector<Access> accesses(const GraphNode &node) {
  std::vector<Access> all;
  const auto add = [&](const Memory *memory, std::uint64_t begin, std::uint64_t bytes,
                       bool writes) {
    if (bytes > 0)
      all.push_back({memory, begin, begin + bytes, writes});
  };
  std::visit(
      Overloaded{
          [&](const LaunchNode &launch) {
            for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
              const BufferArgument &argument = launch.buffers[i];
              add(argument.memory, argument.offset, argument.count * argument.element_size,
                  !(launch.kernel->buffers[i].flags & abi::buffer_read_only));
            }
            if (launch.groups_in)
              add(launch.groups_in.memory, launch.groups_in.offset, 3 * sizeof(std::uint32_t),
                  false);
          },
          [&](const WriteNode &write) { add(write.target, write.offset, write.data.size(), true); },
          [&](const CopyNode &copy) {
            add(copy.target, copy.target_offset, copy.bytes, true);
            add(copy.source, copy.source_offset, copy.bytes, false);
          },
          [&](const FillNode &fill) { add(fill.target, fill.offset, fill.bytes, true); }},
      node.work);
  return all;
}

bool Hazards::conflict(const GraphNode &node) {
  const std::vector<Access> now = accesses(node);
  const auto conflicts = [](const Access &a, const Access &b) {
    return a.memory == b.memory && a.begin < b.end && b.begin < a.end && (a.writes || b.writes);
  };
  bool found = false;
  for (const Access &mine : now)
    found = found || std::any_of(since_.begin(), since_.end(),
                                 [&](const Access &earlier) { return conflicts(mine, earlier); });
  if (found)
    since_.clear();
  for (const Access &mine : now)
    if (std::none_of(since_.begin(), since_.end(), [&](const Access &known) {
          return known.memory == mine.memory && known.begin <= mine.begin &&
                 known.end >= mine.end && known.writes >= mine.writes;
        }))
      since_.push_back(mine);
  return found;
}

namespace {

/// A fill as StagedStream does it: up to three bytes, whole words, up to three bytes; patterns that
/// don't repeat by words are written once and then doubled.
void add_simple_fill(const FillNode &fill, const std::shared_ptr<Memory> &memory,
                     std::vector<GraphNode> &out) {
  const std::span<const std::byte> pattern = fill.pattern;
  const auto repeated = [&](std::uint64_t first, std::uint64_t bytes) {
    std::vector<std::byte> values(bytes);
    for (std::uint64_t i = 0; i < bytes; ++i)
      values[i] = pattern[(first + i) % pattern.size()];
    return values;
  };
  const auto write = [&](std::uint64_t first, std::uint64_t bytes) {
    if (bytes > 0)
      out.push_back(
          {WriteNode{fill.target, fill.offset + first, repeated(first, bytes)}, {memory}});
  };
  if (repeats_by_words(pattern)) {
    const std::uint64_t head = std::min((4 - fill.offset % 4) % 4, fill.bytes);
    const std::uint64_t body = (fill.bytes - head) / 4 * 4;
    write(0, head);
    if (body > 0)
      out.push_back({FillNode{fill.target, fill.offset + head, body, repeated(head, 4)}, {memory}});
    write(head + body, fill.bytes - head - body);
    return;
  }
  constexpr std::uint64_t written = 64 * 1024;
  const std::uint64_t first =
      std::min(fill.bytes, std::max<std::uint64_t>(written / pattern.size(), 1) * pattern.size());
  write(0, first);
  for (std::uint64_t done = first; done < fill.bytes;) {
    const std::uint64_t more = std::min(done, fill.bytes - done);
    out.push_back(
        {CopyNode{fill.target, fill.offset + done, fill.target, fill.offset, more}, {memory}});
    done += more;
  }
}

} // namespace

std::vector<GraphNode> with_simple_fills(std::vector<GraphNode> nodes) {
  std::vector<GraphNode> simple;
  for (GraphNode &node : nodes)
    if (const auto *fill = std::get_if<FillNode>(&node.work))
      add_simple_fill(*fill, node.memories.front(), simple);
    else
      simple.push_back(std::move(node));
  return simple;
}

bool same_shape(const std::vector<GraphNode> &a, const std::vector<GraphNode> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const GraphNode &one, const GraphNode &other) {
                      if (one.work.index() != other.work.index())
                        return false;
                      const auto *launch = std::get_if<LaunchNode>(&one.work);
                      return !launch || launch->kernel == std::get<LaunchNode>(other.work).kernel;
                    });
}

} // namespace khal::detail

namespace khal {

struct Graph::Recording {
  explicit Recording(const Device &its_device)
      : device(its_device), impl(device.impl()->create_graph()) {}

  void assign(std::vector<detail::GraphNode> nodes) {
    std::set<std::shared_ptr<detail::Memory>> used;
    for (const detail::GraphNode &node : nodes)
      used.insert(node.memories.begin(), node.memories.end());
    const std::size_t count = nodes.size();
    impl->assign(std::move(nodes));
    memories.assign(used.begin(), used.end());
    size = count;
  }

  Device device;
  std::unique_ptr<detail::GraphImpl> impl;
  std::vector<std::shared_ptr<detail::Memory>> memories; ///< each once
  std::size_t size = 0;
};

namespace {

[[noreturn]] void moved_from() {
  throw Error(ErrorCode::bad_argument,
              "this khal::Graph was moved from: use the one that it was moved to");
}

} // namespace

Graph::Graph(const Device &device, const std::function<void(Stream &)> &put_in)
    : recording_(std::make_unique<Recording>(device)) {
  update(put_in);
}

Graph::Graph(Graph &&) noexcept = default;
Graph &Graph::operator=(Graph &&) noexcept = default;
Graph::~Graph() = default;

void Graph::update(const std::function<void(Stream &)> &put_in) {
  if (!recording_)
    moved_from();
  recording_->assign(detail::record(recording_->device, put_in));
}

void Graph::replay(Stream &stream) {
  if (!recording_)
    moved_from();
  detail::StreamImpl *const queue = stream.impl().get();
  if (!queue)
    throw Error(ErrorCode::bad_argument, "khal::Graph: the stream was moved from: use the one that "
                                         "it was moved to, or make a new one");
  if (queue->is_recorder())
    detail::cannot_record("the replay of a graph");
  if (queue->device() != recording_->device.impl())
    throw Error(ErrorCode::bad_argument, "khal::Graph: the stream is of " +
                                             queue->device()->info().id + ", but the graph of " +
                                             recording_->device.info().id +
                                             ": use a stream of the graph's device");
  if (recording_->size == 0)
    return;
  const detail::Ticket ticket = recording_->impl->replay(*queue);
  for (const auto &memory : recording_->memories)
    memory->note_use(*queue, ticket);
}

std::size_t Graph::size() const noexcept {
  return recording_ ? recording_->size : 0;
}

Device Graph::device() const {
  if (!recording_)
    moved_from();
  return recording_->device;
}

} // namespace khal
