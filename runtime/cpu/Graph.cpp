//===- Graph.cpp - recorded work as a list ----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cpu/Graph.h"

namespace khal::detail::cpu {

namespace {

struct PutIn {
  StreamImpl &stream;

  Ticket operator()(const LaunchNode &node) const { return stream.launch(node.launch()); }
  Ticket operator()(const WriteNode &node) const {
    return stream.write(*node.target, node.offset, node.data.data(), node.data.size());
  }
  Ticket operator()(const CopyNode &node) const {
    return stream.copy(*node.target, node.target_offset, *node.source, node.source_offset,
                       node.bytes);
  }
  Ticket operator()(const FillNode &node) const {
    return stream.fill(*node.target, node.offset, node.bytes, node.pattern);
  }
};

} // namespace

Ticket CpuGraph::replay(StreamImpl &stream) {
  Ticket ticket = 0;
  for (const GraphNode &node : nodes_)
    ticket = std::visit(PutIn{stream}, node.work);
  return ticket;
}

} // namespace khal::detail::cpu
