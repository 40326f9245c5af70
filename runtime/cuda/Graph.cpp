//===- Graph.cpp - recorded work as a CUDA graph ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cuda/Graph.h"

#include "core/Text.h"
#include "cuda/Device.h"
#include "cuda/Stream.h"

#include <cstring>

namespace khal::detail::cuda {

namespace {

/// Pinned memory with the data of uploads, one after another.
class Uploads {
public:
  /// The context is current.
  Uploads(CudaDevice &device, const std::vector<GraphNode> &nodes) : device_(device) {
    std::uint64_t bytes = 0;
    for (const GraphNode &node : nodes)
      if (const auto *write = std::get_if<WriteNode>(&node.work))
        bytes += rounded(write->data.size());
    if (bytes == 0)
      return;
    void *memory = nullptr;
    device.api().check(device.api().mem_host_alloc(&memory, bytes, host_alloc_portable),
                       "getting pinned host memory");
    memory_ = static_cast<std::byte *>(memory);
  }
  ~Uploads() {
    if (!memory_)
      return;
    try {
      const Current current = device_.current();
      device_.api().mem_free_host(memory_);
    } catch (const Error &) {
      // The device is lost, or the driver has ended with the process.
    }
  }
  Uploads(const Uploads &) = delete;
  Uploads &operator=(const Uploads &) = delete;

  /// Where a copy of the data is from now on.
  const std::byte *add(const std::vector<std::byte> &data) {
    std::byte *const place = memory_ + used_;
    std::memcpy(place, data.data(), data.size());
    used_ += rounded(data.size());
    return place;
  }

private:
  static std::uint64_t rounded(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

  CudaDevice &device_;
  std::byte *memory_ = nullptr;
  std::uint64_t used_ = 0;
};

struct PutIn {
  CudaStream &stream;
  Uploads &uploads;

  void operator()(const LaunchNode &node) const { stream.enqueue_launch(node.launch()); }
  void operator()(const WriteNode &node) const {
    stream.enqueue_write(*node.target, node.offset, uploads.add(node.data), node.data.size());
  }
  void operator()(const CopyNode &node) const {
    stream.enqueue_copy(*node.target, node.target_offset, *node.source, node.source_offset,
                        node.bytes);
  }
  void operator()(const FillNode &node) const {
    std::uint32_t word = 0;
    std::memcpy(&word, node.pattern.data(), sizeof(word));
    stream.enqueue_fill(*node.target, node.offset, node.bytes, word);
  }
};

} // namespace

/// An executable graph. It is made while the context is current.
class Executable {
public:
  Executable(std::shared_ptr<CudaDevice> device, GraphHandle graph) : device_(std::move(device)) {
    device_->api().check(device_->api().graph_instantiate(&handle_, graph, 0), "making a graph");
  }
  ~Executable() {
    try {
      const Current current = device_->current();
      device_->api().graph_exec_destroy(handle_);
    } catch (const Error &) {
      // The device is lost, or the driver has ended with the process.
    }
  }
  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;

  GraphExecHandle handle() const noexcept { return handle_; }

private:
  std::shared_ptr<CudaDevice> device_;
  GraphExecHandle handle_ = nullptr;
};

/// What a replay uses.
struct CudaGraph::Contents {
  std::shared_ptr<CudaDevice> device;
  std::vector<GraphNode> nodes; ///< keeps the memory
  Uploads uploads;
};

namespace {

/// The driver's description of a graph, which an executable one is made from.
class Template {
public:
  /// Captures what `put_in` puts into the stream.
  template <class PutIn>
  Template(const Api &api, CudaStream &stream, const PutIn &put_in) : api_(api) {
    api.check(api.stream_begin_capture(stream.handle(), capture_mode_relaxed),
              "beginning to record a graph");
    std::exception_ptr error;
    try {
      put_in();
    } catch (...) {
      error = std::current_exception();
    }
    const Result ended = api.stream_end_capture(stream.handle(), &handle_);
    if (!error && ended == success)
      return;
    if (handle_)
      api.graph_destroy(handle_);
    if (error)
      std::rethrow_exception(error);
    api.check(ended, "recording a graph");
  }
  ~Template() { api_.graph_destroy(handle_); }
  Template(const Template &) = delete;
  Template &operator=(const Template &) = delete;

  GraphHandle handle() const noexcept { return handle_; }

private:
  const Api &api_;
  GraphHandle handle_ = nullptr;
};

} // namespace

CudaGraph::CudaGraph(std::shared_ptr<CudaDevice> device)
    : device_(std::move(device)), capture_(device_->create_stream()) {}

CudaGraph::~CudaGraph() = default;

void CudaGraph::assign(std::vector<GraphNode> nodes) {
  nodes = with_simple_fills(std::move(nodes));
  const Api &api = device_->api();
  auto &stream = static_cast<CudaStream &>(*capture_);
  // Loading code and getting memory don't go into a graph.
  for (const GraphNode &node : nodes)
    if (const auto *launch = std::get_if<LaunchNode>(&node.work)) {
      if (launch->groups_in)
        throw Error(
            ErrorCode::unsupported,
            text("khal::Graph: ", describe(*launch->kernel),
                 ": CUDA's graphs can't take a grid from a buffer: launch it in the stream, "
                 "between two graphs"));
      device_->kernel(*launch->kernel);
    }
  const Current current = device_->current();
  std::shared_ptr<Contents> contents(new Contents{device_, nodes, Uploads(*device_, nodes)});
  const Template recorded(api, stream, [&] {
    for (const GraphNode &node : contents->nodes)
      std::visit(PutIn{stream, contents->uploads}, node.work);
  });
  // An update is for replays to come; those under way keep what they began with.
  GraphExecUpdateResult details{};
  const bool updated =
      executable_ && api.graph_exec_update && same_shape(contents_->nodes, contents->nodes) &&
      api.graph_exec_update(executable_->handle(), recorded.handle(), &details) == success;
  if (!updated)
    executable_ = std::make_shared<Executable>(device_, recorded.handle());
  contents_ = std::move(contents);
}

Ticket CudaGraph::replay(StreamImpl &stream) {
  return static_cast<CudaStream &>(stream).replay(executable_->handle(), {executable_, contents_});
}

} // namespace khal::detail::cuda
