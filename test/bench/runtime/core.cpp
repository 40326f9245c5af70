//===- core.cpp - the cost of a launch's checks, and of launches on the CPU -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Figures.h"

#include "../../runtime/kernels.h"
#include "core/Backend.h"

namespace bench {

namespace {

using namespace khal::detail;

/// Does nothing, so that what is left of a launch is the core's part.
class Nowhere final : public StreamImpl {
public:
  using StreamImpl::StreamImpl;

  Ticket launch(const KernelLaunch &) override { return ++last; }
  Ticket write(Memory &, std::uint64_t, const void *, std::uint64_t) override { return ++last; }
  Ticket read(Memory &, std::uint64_t, void *, std::uint64_t) override { return ++last; }
  Ticket copy(Memory &, std::uint64_t, Memory &, std::uint64_t, std::uint64_t) override {
    return ++last;
  }
  Ticket fill(Memory &, std::uint64_t, std::uint64_t, std::span<const std::byte>) override {
    return ++last;
  }
  std::optional<Ticket> after(StreamImpl &, Ticket) override { return ++last; }
  Ticket call(std::function<void()>) override { return ++last; }
  std::pair<Ticket, std::shared_ptr<Timestamp>> stamp() override { return {++last, nullptr}; }
  void wait_for(Ticket) override {}
  bool reached(Ticket) override { return true; }
  Ticket last_ticket() const noexcept override { return last; }

private:
  Ticket last = 0;
};

constexpr double checkLimit = 200e-9;
constexpr double cpuLaunchLimit = 5e-6;

void benchChecks(Figures &figures, const khal::Device &cpu) {
  constexpr unsigned count = 10'000;
  khal::Stream stream(std::make_shared<Nowhere>(cpu.impl()));
  khal::Buffer<float> a = cpu.zeros<float>(64), b = cpu.zeros<float>(64);
  figures.measure("cpu: checks of a launch, 2 buffers", checkLimit, [&] {
    return secondsOf([&] {
             for (unsigned i = 0; i < count; ++i)
               test::add(stream, khal::groups(1), a, b);
           }) /
           count;
  });
  std::vector<khal::Buffer<test::u32>> buffers;
  std::vector<BufferArgument> arguments;
  for (unsigned i = 0; i < 20; ++i) {
    buffers.push_back(cpu.zeros<test::u32>(32));
    arguments.push_back(khal::Arg<test::u32>(buffers.back()));
  }
  // Each buffer costs something by itself: the limit is for kernels with a few.
  figures.measure("cpu: checks of a launch, 20 buffers", 10 * checkLimit, [&] {
    return secondsOf([&] {
             for (unsigned i = 0; i < count; ++i)
               launch(stream, test::sum20_kernel, khal::groups(1), arguments, {});
           }) /
           count;
  });
}

} // namespace

void benchCore(Figures &figures) {
  const khal::Device cpu = khal::open("cpu");
  if (!figures.wantedDevice("cpu"))
    return;
  benchChecks(figures, cpu);
  khal::Stream stream(cpu);
  khal::Buffer<test::u32> x = cpu.zeros<test::u32>(32);
  figures.measure("cpu: one group, launched and waited for", cpuLaunchLimit, [&] {
    return secondsOf([&] {
             for (unsigned i = 0; i < launchesARun; ++i) {
               test::step(stream, khal::groups(1), x, 1);
               stream.wait();
             }
           }) /
           launchesARun;
  });
  figures.measure("cpu: one group in a sequence of launches", cpuLaunchLimit, [&] {
    return secondsOf([&] {
             for (unsigned i = 0; i < launchesARun; ++i)
               test::step(stream, khal::groups(1), x, 1);
             stream.wait();
           }) /
           launchesARun;
  });
}

} // namespace bench
