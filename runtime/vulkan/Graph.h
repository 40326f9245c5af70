//===- Graph.h - recorded work as a command buffer --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_GRAPH_H
#define KHAL_RUNTIME_VULKAN_GRAPH_H

#include "core/Graph.h"
#include "vulkan/Commands.h"

namespace khal::detail::vulkan {

/// A command buffer that is recorded once and submitted at each replay. It has barriers only where
/// a piece of work depends on earlier ones.
class VulkanGraph final : public GraphImpl {
public:
  explicit VulkanGraph(std::shared_ptr<VulkanDevice> device) : device_(std::move(device)) {}

  void assign(std::vector<GraphNode> nodes) override;
  Ticket replay(StreamImpl &stream) override;

private:
  std::shared_ptr<VulkanDevice> device_;
  std::shared_ptr<Commands> commands_; ///< also the streams' that are replaying it
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_GRAPH_H
