//===- Graph.h - recorded work as a list ------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CPU_GRAPH_H
#define KHAL_RUNTIME_CPU_GRAPH_H

#include "core/Graph.h"

namespace khal::detail::cpu {

/// Gives the stream piece by piece: there is no driver whose calls could be saved.
class CpuGraph final : public GraphImpl {
public:
  void assign(std::vector<GraphNode> nodes) override { nodes_ = std::move(nodes); }
  Ticket replay(StreamImpl &stream) override;

private:
  std::vector<GraphNode> nodes_;
};

} // namespace khal::detail::cpu

#endif // KHAL_RUNTIME_CPU_GRAPH_H
