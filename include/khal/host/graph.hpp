//===- khal/host/graph.hpp - work recorded once and replayed ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   khal::Graph graph(dev, [&](khal::Stream &stream) {
//     kernels::blur(stream, khal::threads(w, h), a, b);
//     kernels::blur(stream, khal::threads(w, h), b, a);
//   });
//   for (int i = 0; i < 100; ++i)
//     graph.replay(stream);
//   graph.update([&](khal::Stream &stream) { … });       // the same work with other arguments
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_HOST_GRAPH_HPP
#define KHAL_HOST_GRAPH_HPP

#include "khal/host/stream.hpp"

#include <functional>

namespace khal {

/// Launches, uploads, copies and fills that are recorded once and then put into a stream as one
/// piece, at much less cost than one by one. A graph keeps the buffers that it uses. It is used
/// from one thread at a time; a stream may still be busy with an earlier replay of it.
class Graph {
public:
  /// Records what `put_in` puts into the stream that it's given: that is checked as always, but not
  /// done. What is uploaded is copied now and is the same at each replay. The stream can't be
  /// waited for, timed or given events, and must not be kept.
  /// \throws Error as the recorded calls do, or what `put_in` throws.
  Graph(const Device &device, const std::function<void(Stream &)> &put_in);
  Graph(Graph &&) noexcept;
  Graph &operator=(Graph &&) noexcept;
  ~Graph();

  /// Records anew, usually the same work with other buffers, values or grids: cheaper than a new
  /// graph when the kernels are the same ones in the same order. Replays that are under way go on
  /// as they began. When it throws, the graph is as it was.
  void update(const std::function<void(Stream &)> &put_in);

  /// Puts the recorded work into a stream of the same device. Work before it in the stream is done
  /// before, work after it after; inside, what doesn't depend on each other may be done at a time.
  void replay(Stream &stream);

  /// Pieces of work.
  std::size_t size() const noexcept;

  Device device() const;

private:
  struct Recording;
  std::unique_ptr<Recording> recording_; ///< null when moved from
};

} // namespace khal

#endif // KHAL_HOST_GRAPH_HPP
