//===- Graph.h - recorded work as a CUDA graph ------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CUDA_GRAPH_H
#define KHAL_RUNTIME_CUDA_GRAPH_H

#include "core/Graph.h"
#include "cuda/Api.h"

namespace khal::detail::cuda {

class CudaDevice;

class Executable;

/// Captured from a stream, piece after piece. New arguments for the same kernels go into the
/// executable graph that there is, where the driver can do that.
class CudaGraph final : public GraphImpl {
public:
  explicit CudaGraph(std::shared_ptr<CudaDevice> device);
  ~CudaGraph() override;

  void assign(std::vector<GraphNode> nodes) override;
  Ticket replay(StreamImpl &stream) override;

private:
  struct Contents;

  std::shared_ptr<CudaDevice> device_;
  std::shared_ptr<StreamImpl> capture_;    ///< nothing is ever done in it
  std::shared_ptr<Executable> executable_; ///< also the streams' that are replaying it
  std::shared_ptr<Contents> contents_;     ///< likewise
};

} // namespace khal::detail::cuda

#endif // KHAL_RUNTIME_CUDA_GRAPH_H
