//===- Graph.cpp - recorded work as a command buffer ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Graph.h"

#include "vulkan/Device.h"
#include "vulkan/Stream.h"

#include <cstring>

namespace khal::detail::vulkan {

namespace {

/// Where the data of uploads lie, one after another.
class Uploads {
public:
  Uploads(VulkanDevice &device, const std::vector<GraphNode> &nodes) {
    std::uint64_t bytes = 0;
    for (const GraphNode &node : nodes)
      if (const auto *write = std::get_if<WriteNode>(&node.work))
        bytes += rounded(write->data.size());
    if (bytes > 0)
      buffer_ = std::make_shared<DeviceBuffer>(device, bytes, DeviceBuffer::Kind::staging);
  }

  /// Where a copy of the data is from now on.
  std::uint64_t add(const std::vector<std::byte> &data) {
    const std::uint64_t offset = used_;
    std::memcpy(buffer_->mapped() + offset, data.data(), data.size());
    used_ += rounded(data.size());
    return offset;
  }
  const std::shared_ptr<DeviceBuffer> &buffer() const noexcept { return buffer_; }

private:
  static std::uint64_t rounded(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

  std::shared_ptr<DeviceBuffer> buffer_;
  std::uint64_t used_ = 0;
};

struct Recording {
  Commands &commands;
  Uploads &uploads;

  void operator()(const LaunchNode &node) const { commands.launch(node.launch()); }
  void operator()(const WriteNode &node) const {
    const std::uint64_t offset = uploads.add(node.data);
    commands.copy(buffer_of(*node.target), node.offset, uploads.buffer()->handle(), offset,
                  node.data.size());
  }
  void operator()(const CopyNode &node) const {
    commands.copy(buffer_of(*node.target), node.target_offset, buffer_of(*node.source),
                  node.source_offset, node.bytes);
  }
  void operator()(const FillNode &node) const {
    std::uint32_t word = 0;
    std::memcpy(&word, node.pattern.data(), sizeof(word));
    commands.fill(buffer_of(*node.target), node.offset, node.bytes, word);
  }
};

} // namespace

void VulkanGraph::assign(std::vector<GraphNode> nodes) {
  nodes = with_simple_fills(std::move(nodes));
  auto commands = std::make_shared<Commands>(*device_, Commands::Use::again);
  Uploads uploads(*device_, nodes);
  Hazards hazards;
  commands->begin();
  for (const GraphNode &node : nodes) {
    if (hazards.conflict(node))
      commands->order();
    std::visit(Recording{*commands, uploads}, node.work);
    for (const auto &memory : node.memories)
      commands->keep(memory);
  }
  commands->keep(uploads.buffer());
  commands->end();
  device_->instance().throw_validation_messages();
  commands_ = std::move(commands);
}

Ticket VulkanGraph::replay(StreamImpl &stream) {
  return static_cast<VulkanStream &>(stream).replay(commands_);
}

} // namespace khal::detail::vulkan
