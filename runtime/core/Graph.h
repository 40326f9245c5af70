//===- Graph.h - recorded work ----------------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_GRAPH_H
#define KHAL_RUNTIME_CORE_GRAPH_H

#include "core/Backend.h"

#include <variant>

namespace khal::detail {

/// What a stream was given, with copies of everything that the caller owns but buffers, which
/// GraphNode::memories keeps.
struct LaunchNode {
  const abi::Kernel *kernel;
  std::array<std::uint32_t, 3> groups;
  GroupsInBuffer groups_in;
  std::vector<BufferArgument> buffers;
  std::vector<std::byte> block;
  std::vector<std::uint32_t> shared_counts;
  std::uint32_t shared_bytes;

  KernelLaunch launch() const {
    return {*kernel, groups, groups_in, buffers, block, shared_counts, shared_bytes};
  }
};
struct WriteNode {
  Memory *target;
  std::uint64_t offset;
  std::vector<std::byte> data;
};
struct CopyNode {
  Memory *target;
  std::uint64_t target_offset;
  Memory *source;
  std::uint64_t source_offset;
  std::uint64_t bytes;
};
struct FillNode {
  Memory *target;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::vector<std::byte> pattern;
};

struct GraphNode {
  std::variant<LaunchNode, WriteNode, CopyNode, FillNode> work;
  std::vector<std::shared_ptr<Memory>> memories;
};

/// A part of a buffer that a node uses.
struct Access {
  const Memory *memory;
  std::uint64_t begin, end; ///< bytes
  bool writes;
};
std::vector<Access> accesses(const GraphNode &node);

/// Finds out where nodes, taken in order, must wait for earlier ones.
class Hazards {
public:
  /// Whether `node` uses what a node since the last true one changed, or changes what one used.
  bool conflict(const GraphNode &node);

private:
  std::vector<Access> since_;
};

/// The same fills by writes, copies and fills whose pattern is a word at a multiple of four: all
/// that devices can do. Other nodes stay as they are.
std::vector<GraphNode> with_simple_fills(std::vector<GraphNode> nodes);

/// Whether both do the same kinds of work with the same kernels in the same order.
bool same_shape(const std::vector<GraphNode> &a, const std::vector<GraphNode> &b);

/// The backend's side of a Graph. Used by one thread at a time.
class GraphImpl {
public:
  virtual ~GraphImpl() = default;
  /// Makes ready what replay() puts in from now on. When it throws, nothing has changed.
  virtual void assign(std::vector<GraphNode> nodes) = 0;
  /// `stream` is of the graph's device. There is at least one node.
  virtual Ticket replay(StreamImpl &stream) = 0;
};

/// A stream that only notes what it's given.
class Recorder final : public StreamImpl {
public:
  using StreamImpl::StreamImpl;

  std::vector<GraphNode> take() { return std::exchange(nodes_, {}); }

  Ticket launch(const KernelLaunch &launch) override;
  Ticket write(Memory &target, std::uint64_t offset, const void *source,
               std::uint64_t bytes) override;
  Ticket read(Memory &source, std::uint64_t offset, void *target, std::uint64_t bytes) override;
  Ticket copy(Memory &target, std::uint64_t target_offset, Memory &source,
              std::uint64_t source_offset, std::uint64_t bytes) override;
  Ticket fill(Memory &target, std::uint64_t offset, std::uint64_t bytes,
              std::span<const std::byte> pattern) override;
  std::optional<Ticket> after(StreamImpl &other, Ticket ticket) override;
  Ticket call(std::function<void()> function) override;
  std::pair<Ticket, std::shared_ptr<Timestamp>> stamp() override;
  /// Nothing is ever under way.
  void wait_for(Ticket) override {}
  bool reached(Ticket) override { return true; }
  Ticket last_ticket() const noexcept override { return 0; }
  bool is_recorder() const noexcept override { return true; }

private:
  std::vector<GraphNode> nodes_;
};

/// What `put_in` puts into a stream of the device.
std::vector<GraphNode> record(const Device &device, const std::function<void(Stream &)> &put_in);

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_GRAPH_H
