//===- Stream.cpp - work in order on the pool -------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cpu/Stream.h"

#include "cpu/Device.h"
#include "cpu/Kernel.h"

#include <algorithm>
#include <cstring>

namespace khal::detail::cpu {

namespace {

/// Long copies and fills are shared among the workers in pieces of this many bytes.
constexpr std::uint64_t piece_bytes = 1u << 20;

std::uint64_t pieces(std::uint64_t bytes, std::uint64_t piece) {
  return (bytes + piece - 1) / piece;
}

/// A job of a stream. What it uses is let go of before the stream hears that it's done.
class StreamJob : public Job {
public:
  StreamJob(CpuStream &stream, std::uint64_t total, std::size_t scratch_bytes = 0)
      : Job(total, scratch_bytes), stream_(stream) {}

  /// Called when the job's turn has come, before it's submitted. False when it has no items after all.
  virtual bool prepare() { return true; }
  /// For a job that wasn't.
  void end(std::exception_ptr error) noexcept { finished(std::move(error)); }

protected:
  void uses(Memory &memory) { used_.push_back(memory.shared_from_this()); }

private:
  void finished(std::exception_ptr error) noexcept final {
    used_.clear();
    stream_.finished(std::move(error));
  }

  CpuStream &stream_;
  std::vector<std::shared_ptr<Memory>> used_;
};

class LaunchJob final : public StreamJob {
public:
  LaunchJob(CpuStream &stream, const KernelLaunch &launch, const Kernel &kernel)
      : StreamJob(stream, launch.groups_in ? 0 : items(launch.groups),
                  scratch_bytes(kernel, launch)),
        function_(kernel.function), kernel_(launch.kernel), info_(stream.device()->info()),
        groups_in_(launch.groups_in), block_(launch.block.size() / sizeof(Aligned) + 1) {
    if (groups_in_)
      uses(*groups_in_.memory);
    for (const BufferArgument &argument : launch.buffers) {
      uses(*argument.memory);
      buffers_.push_back(argument.memory->mapped() + argument.offset);
    }
    if (!launch.block.empty())
      std::memcpy(block_.data(), launch.block.data(), launch.block.size());
    launch_.buffers = buffers_.data();
    launch_.block = launch.block.empty() ? nullptr : block_.data();
    std::copy(launch.groups.begin(), launch.groups.end(), launch_.num_groups);
  }

  bool prepare() override {
    if (!groups_in_)
      return true;
    std::array<std::uint32_t, 3> groups{};
    std::memcpy(groups.data(), groups_in_.memory->mapped() + groups_in_.offset, sizeof(groups));
    groups = check_groups(kernel_, groups, info_);
    std::copy(groups.begin(), groups.end(), launch_.num_groups);
    set_total(items(groups));
    return groups[0] != 0;
  }

private:
  static std::uint64_t items(const std::array<std::uint32_t, 3> &groups) {
    return std::uint64_t{groups[0]} * groups[1] * groups[2];
  }
  static std::size_t scratch_bytes(const Kernel &kernel, const KernelLaunch &launch) {
    if (launch.shared_bytes == 0)
      return kernel.scratch_bytes;
    return abi::shared_spans_offset(kernel.scratch_bytes) + launch.shared_bytes;
  }

  struct alignas(abi::block_alignment) Aligned {
    std::byte bytes[abi::block_alignment];
  };

  void run(std::uint64_t first, std::uint64_t end, void *scratch) override {
    function_(&launch_, first, end, scratch);
  }

  abi::CpuFunction function_;
  const abi::Kernel &kernel_;
  const DeviceInfo &info_;
  const GroupsInBuffer groups_in_;
  std::vector<void *> buffers_;
  std::vector<Aligned> block_;
  abi::CpuLaunch launch_{};
};

class CopyJob final : public StreamJob {
public:
  CopyJob(CpuStream &stream, std::byte *target, const std::byte *source, std::uint64_t bytes)
      : StreamJob(stream, pieces(bytes, piece_bytes)), target_(target), source_(source),
        bytes_(bytes) {}
  /// From a copy of the host's data.
  CopyJob(CpuStream &stream, std::byte *target, const void *host, std::uint64_t bytes,
          Memory &memory)
      : CopyJob(stream, target, nullptr, bytes) {
    own_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::memcpy(own_.get(), host, bytes);
    source_ = own_.get();
    uses(memory);
  }
  using StreamJob::uses;

private:
  void run(std::uint64_t first, std::uint64_t end, void *) override {
    const std::uint64_t begin = first * piece_bytes;
    std::memcpy(target_ + begin, source_ + begin, std::min(end * piece_bytes, bytes_) - begin);
  }

  std::byte *target_;
  const std::byte *source_;
  std::uint64_t bytes_;
  std::unique_ptr<std::byte[]> own_;
};

class FillJob final : public StreamJob {
public:
  FillJob(CpuStream &stream, Memory &memory, std::byte *target, std::uint64_t bytes,
          std::span<const std::byte> pattern)
      : FillJob(stream, target, bytes, pattern,
                std::max<std::uint64_t>(piece_bytes / pattern.size(), 1) * pattern.size()) {
    uses(memory);
  }

private:
  FillJob(CpuStream &stream, std::byte *target, std::uint64_t bytes,
          std::span<const std::byte> pattern, std::uint64_t piece)
      : StreamJob(stream, pieces(bytes, piece)), target_(target), bytes_(bytes), piece_(piece),
        pattern_(pattern.begin(), pattern.end()) {}

  void run(std::uint64_t first, std::uint64_t end, void *) override {
    const std::uint64_t begin = first * piece_;
    fill_host(target_ + begin, std::min(end * piece_, bytes_) - begin, pattern_);
  }

  std::byte *target_;
  std::uint64_t bytes_;
  std::uint64_t piece_; ///< a multiple of the pattern
  std::vector<std::byte> pattern_;
};

/// A function of the host's.
class CallJob final : public StreamJob {
public:
  CallJob(CpuStream &stream, std::function<void()> function)
      : StreamJob(stream, 1), function_(std::move(function)) {}

private:
  void run(std::uint64_t, std::uint64_t, void *) override { function_(); }

  std::function<void()> function_;
};

/// The steady clock, read in a stream's order.
class ClockReading final : public Timestamp {
public:
  void read() noexcept { time_ = std::chrono::steady_clock::now(); }
  std::optional<std::chrono::nanoseconds> since(const Timestamp &earlier) const override {
    return time_ - static_cast<const ClockReading &>(earlier).time_;
  }

private:
  std::chrono::steady_clock::time_point time_;
};

/// Calls functions that may, deep inside, lead to further ones: those are called by the outermost,
/// so that long chains of streams that wait for each other don't use up the stack.
void call_flat(std::function<void()> function) {
  static thread_local std::deque<std::function<void()>> *pending = nullptr;
  if (pending) {
    pending->push_back(std::move(function));
    return;
  }
  std::deque<std::function<void()>> own{std::move(function)};
  pending = &own;
  for (; !own.empty(); own.pop_front())
    own.front()();
  pending = nullptr;
}

} // namespace

CpuStream::CpuStream(std::shared_ptr<CpuDevice> device) : StreamImpl(device), cpu_(*device) {}

Ticket CpuStream::put(Step step) {
  bool idle = false;
  Ticket ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    if (error_)
      std::rethrow_exception(error_);
    idle = queue_.empty();
    queue_.push_back(step);
    ticket = ++last_;
  }
  if (idle)
    begin(step);
  return ticket;
}

void CpuStream::begin(const Step &step) {
  if (step.job) {
    std::exception_ptr error;
    bool any = false;
    try {
      any = static_cast<StreamJob &>(*step.job).prepare();
    } catch (...) {
      error = std::current_exception();
    }
    if (any)
      cpu_.pool().submit(step.job);
    else
      call_flat([job = step.job, error] { static_cast<StreamJob &>(*job).end(error); });
    return;
  }
  const auto self = std::static_pointer_cast<CpuStream>(shared_from_this());
  Continuation go_on = [self](std::exception_ptr error) { self->finished(std::move(error)); };
  if (!step.other->call_when_reached(step.ticket, go_on))
    call_flat([go_on] { go_on(nullptr); });
}

/// False when the ticket has been reached already; nothing is called then.
bool CpuStream::call_when_reached(Ticket ticket, Continuation continuation) {
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    error = error_;
    if (!error && done_ >= ticket)
      return false;
    if (!error)
      waiters_.push_back({ticket, continuation});
  }
  if (error)
    call_flat([=] { continuation(error); });
  return true;
}

void CpuStream::finished(std::exception_ptr error) noexcept {
  std::deque<Step> over; // ends, with what it holds, outside the lock
  std::optional<Step> next;
  std::vector<Waiter> reached;
  std::shared_ptr<StreamImpl> self; // when there is something left to do for it
  {
    const std::lock_guard lock(mutex_);
    if (error) {
      // The rest would work on what this job didn't do.
      error_ = error;
      done_ = last_;
      over.swap(queue_);
    } else {
      ++done_;
      over.push_back(std::move(queue_.front()));
      queue_.pop_front();
      if (!queue_.empty())
        next = queue_.front();
    }
    const auto waiting = std::partition(waiters_.begin(), waiters_.end(),
                                        [&](const Waiter &one) { return one.ticket > done_; });
    std::move(waiting, waiters_.end(), std::back_inserter(reached));
    waiters_.erase(waiting, waiters_.end());
    if (next)
      self = shared_from_this();
    progress_.notify_all();
  }
  if (next)
    begin(*next);
  for (Waiter &waiter : reached)
    call_flat([continuation = std::move(waiter.continuation), error] { continuation(error); });
}

Ticket CpuStream::launch(const KernelLaunch &launch) {
  const Kernel &kernel = cpu_.kernel(launch.kernel);
  return put({std::make_shared<LaunchJob>(*this, launch, kernel), nullptr});
}

Ticket CpuStream::write(Memory &target, std::uint64_t offset, const void *source,
                        std::uint64_t bytes) {
  std::byte *const to = target.mapped() + offset;
  {
    const std::lock_guard lock(mutex_);
    if (error_)
      std::rethrow_exception(error_);
    if (queue_.empty()) { // nothing to wait for: no need of a copy and a worker
      std::memcpy(to, source, bytes);
      return last_;
    }
  }
  return put({std::make_shared<CopyJob>(*this, to, source, bytes, target), nullptr});
}

Ticket CpuStream::read(Memory &source, std::uint64_t offset, void *target, std::uint64_t bytes) {
  const Ticket ticket = last_ticket();
  wait_for(ticket);
  std::memcpy(target, source.mapped() + offset, bytes);
  return ticket;
}

Ticket CpuStream::copy(Memory &target, std::uint64_t target_offset, Memory &source,
                       std::uint64_t source_offset, std::uint64_t bytes) {
  auto job = std::make_shared<CopyJob>(*this, target.mapped() + target_offset,
                                       source.mapped() + source_offset, bytes);
  job->uses(target);
  job->uses(source);
  return put({std::move(job), nullptr});
}

Ticket CpuStream::fill(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                       std::span<const std::byte> pattern) {
  return put({std::make_shared<FillJob>(*this, target, target.mapped() + offset, bytes, pattern),
              nullptr});
}

std::optional<Ticket> CpuStream::after(StreamImpl &other, Ticket ticket) {
  auto *const cpu = dynamic_cast<CpuStream *>(&other);
  if (!cpu)
    return std::nullopt;
  if (cpu->reached(ticket))
    return last_ticket();
  return put({nullptr, std::static_pointer_cast<CpuStream>(cpu->shared_from_this()), ticket});
}

Ticket CpuStream::call(std::function<void()> function) {
  return put({std::make_shared<CallJob>(*this, std::move(function)), nullptr});
}

std::pair<Ticket, std::shared_ptr<Timestamp>> CpuStream::stamp() {
  auto reading = std::make_shared<ClockReading>();
  const Ticket ticket = call([reading] { reading->read(); });
  return {ticket, std::move(reading)};
}

void CpuStream::wait_for(Ticket ticket) {
  std::unique_lock lock(mutex_);
  while (done_ < ticket && !queue_.empty()) {
    const std::shared_ptr<Job> first = queue_.front().job;
    lock.unlock();
    const bool helped = first && cpu_.pool().help(*first);
    lock.lock();
    if (!helped)
      break;
  }
  progress_.wait(lock, [&] { return done_ >= ticket; });
  if (error_)
    std::rethrow_exception(error_);
}

bool CpuStream::reached(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  if (error_)
    std::rethrow_exception(error_);
  return done_ >= ticket;
}

Ticket CpuStream::last_ticket() const noexcept {
  const std::lock_guard lock(mutex_);
  return last_;
}

} // namespace khal::detail::cpu
