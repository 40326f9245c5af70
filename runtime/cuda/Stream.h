//===- Stream.h - work in order in a CUDA stream ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events are recorded after transfers and now and then after launches. They tell how far the stream
// has come; memory in use is let go of when an event after its last use has happened.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CUDA_STREAM_H
#define KHAL_RUNTIME_CUDA_STREAM_H

#include "core/Staging.h"
#include "cuda/Api.h"

#include <deque>

namespace khal::detail::cuda {

class CudaDevice;
class Event;

class CudaStream final : public StagedStream {
public:
  explicit CudaStream(std::shared_ptr<CudaDevice> device);
  /// One of the program's, which stays its own.
  CudaStream(std::shared_ptr<CudaDevice> device, StreamHandle foreign);
  ~CudaStream() override;

  StreamHandle handle() const noexcept { return handle_; }

  /// For graphs: put work into the CUDA stream alone, which is being captured. The context is
  /// current.
  void enqueue_launch(const KernelLaunch &launch);
  void enqueue_write(Memory &target, std::uint64_t offset, const std::byte *pinned,
                     std::uint64_t bytes);
  void enqueue_copy(Memory &target, std::uint64_t target_offset, Memory &source,
                    std::uint64_t source_offset, std::uint64_t bytes);
  /// `offset` and `bytes` are multiples of 4.
  void enqueue_fill(Memory &target, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word);
  /// Launches a graph, and keeps what it needs until it's done.
  Ticket replay(GraphExecHandle graph, const std::vector<std::shared_ptr<void>> &kept);

  /// What the program has put into the CUDA stream by itself gets a ticket.
  Ticket note_foreign_work(std::span<Memory *const> used);

  Ticket launch(const KernelLaunch &launch) override;
  Ticket copy(Memory &target, std::uint64_t target_offset, Memory &source,
              std::uint64_t source_offset, std::uint64_t bytes) override;
  std::optional<Ticket> after(StreamImpl &other, Ticket ticket) override;
  Ticket call(std::function<void()> function) override;
  std::pair<Ticket, std::shared_ptr<Timestamp>> stamp() override;
  void wait_for(Ticket ticket) override;
  bool reached(Ticket ticket) override;
  Ticket last_ticket() const noexcept override;

protected:
  std::unique_ptr<StagingChunk> make_chunk(std::uint64_t bytes) override;
  Ticket copy_in(Memory &target, std::uint64_t offset, StagingChunk &chunk,
                 std::uint64_t chunk_offset, std::uint64_t bytes) override;
  Ticket copy_out(Memory &source, std::uint64_t offset, StagingChunk &chunk,
                  std::uint64_t chunk_offset, std::uint64_t bytes) override;
  Ticket fill_words(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                    std::uint32_t word) override;

private:
  /// Memory, or a graph, in use up to a ticket.
  struct Use {
    Ticket ticket;
    std::shared_ptr<void> thing;
  };
  /// An event that happens when the work up to a ticket is done.
  struct Mark {
    Ticket ticket;
    std::shared_ptr<Event> event;
  };
  enum class Marking { always, now_and_then };

  Ticket put_in(std::span<Memory *const> used, Marking marking);
  Ticket put_in(std::initializer_list<Memory *> used, Marking marking) {
    return put_in(std::span(used.begin(), used.size()), marking);
  }
  Ticket launch_from_buffer(const KernelLaunch &launch);
  void copy_bytes(DeviceAddress target, DeviceAddress source, std::uint64_t bytes);
  void mark();
  const Mark &mark_for(Ticket ticket);
  void release_done(Ticket done);

  CudaDevice &cuda_;
  StreamHandle handle_ = nullptr;
  bool owned_ = true;
  /// Of the launch that is being put in; kept so that their memory is.
  std::vector<DeviceAddress> addresses_;
  std::vector<void *> parameters_;
  std::vector<Memory *> used_;
  mutable std::mutex mutex_;
  std::deque<Use> uses_;   ///< in the order of their tickets
  std::deque<Mark> marks_; ///< likewise
  std::vector<std::shared_ptr<Event>> idle_events_;
  Ticket last_ = 0;
  Ticket done_ = 0; ///< known to be done
};

} // namespace khal::detail::cuda

#endif // KHAL_RUNTIME_CUDA_STREAM_H
