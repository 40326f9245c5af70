//===- cuda.cpp - launches, graphs and copies next to the driver's own calls ------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Figures.h"

#include "../../runtime/kernels.h"
#include "cuda/Device.h"

#include <algorithm>

namespace bench {

namespace {

using namespace khal::detail::cuda;
using test::u32;

constexpr double launchLimit = 1.10;
constexpr double graphLimit = 1.05;
constexpr double copyLimit = 1 / 0.95;
constexpr u32 items = 32;

/// A program for one purpose: the context is current in its thread, its arguments lie ready, nothing
/// is checked and nothing kept alive.
class Peer {
public:
  explicit Peer(CudaDevice &known) : api(known.api()), current(known.current()) {
    api.check(api.stream_create(&stream, stream_non_blocking), "stream");
    empty = load(test::empty_kernel);
    step = load(test::step_kernel);
    x = allocate(items * sizeof(u32));
  }
  ~Peer() {
    wait();
    if (executable)
      api.graph_exec_destroy(executable);
    api.event_destroy(event); // wait() has made it
    for (const DeviceAddress address : memory)
      api.mem_free(address);
    for (const ModuleHandle module : modules)
      api.module_unload(module);
    api.stream_destroy(stream);
  }
  Peer(const Peer &) = delete;
  Peer &operator=(const Peer &) = delete;

  DeviceAddress allocate(std::size_t bytes) {
    DeviceAddress address = 0;
    api.check(api.mem_alloc(&address, bytes), "memory");
    memory.push_back(address);
    return address;
  }

  void launchEmpty() {
    api.check(api.launch_kernel(empty, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr), "launch");
  }
  void launchStep(u32 value) {
    u32 block[2] = {value, items};
    void *parameters[] = {&x, block};
    api.check(api.launch_kernel(step, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr), "launch");
  }
  void record(unsigned launches) {
    api.check(api.stream_begin_capture(stream, capture_mode_relaxed), "capture");
    for (unsigned i = 0; i < launches; ++i)
      launchStep(1);
    GraphHandle graph = nullptr;
    api.check(api.stream_end_capture(stream, &graph), "capture");
    api.check(api.graph_instantiate(&executable, graph, 0), "graph");
    api.graph_destroy(graph);
  }
  void replay() { api.check(api.graph_launch(executable, stream), "replay"); }
  void upload(DeviceAddress target, const void *source, std::size_t bytes) {
    api.check(api.memcpy_host_to_device(target, source, bytes, stream), "upload");
  }
  void download(void *target, DeviceAddress source, std::size_t bytes) {
    api.check(api.memcpy_device_to_host(target, source, bytes, stream), "download");
  }
  void copy(DeviceAddress target, DeviceAddress source, std::size_t bytes) {
    api.check(api.memcpy_device_to_device(target, source, bytes, stream), "copy");
  }
  /// As khal waits: for an event.
  void wait() {
    if (!event)
      api.check(api.event_create(&event, event_disable_timing), "event");
    api.check(api.event_record(event, stream), "event");
    api.check(api.event_synchronize(event), "wait");
  }

private:
  FunctionHandle load(const khal::abi::Kernel &kernel) {
    FunctionHandle function = nullptr;
    for (const khal::abi::Artifact &artifact : std::span(kernel.artifacts, kernel.artifact_count))
      if (artifact.target == khal::abi::Target::ptx) {
        ModuleHandle &module = modules.emplace_back();
        api.check(api.module_load_data(&module, artifact.code, 0, nullptr, nullptr), "module");
        api.check(api.module_get_function(&function, module, artifact.entry), "function");
      }
    return function;
  }

  const Api &api;
  const Current current;
  StreamHandle stream = nullptr;
  EventHandle event = nullptr;
  FunctionHandle empty = nullptr, step = nullptr;
  GraphExecHandle executable = nullptr;
  DeviceAddress x = 0;
  std::vector<DeviceAddress> memory;
  std::vector<ModuleHandle> modules;
};

class Sides {
public:
  explicit Sides(const khal::Device &its_device) : device(its_device) {
    khal::warm_up(device, [&](khal::Stream &warm) { test::empty(warm, khal::groups(1)); });
  }

  void launches(Figures &figures) {
    // khal's side is measured as programs are that leave CUDA to it, and as those that use it too.
    compareLaunches(figures, "submit of an empty kernel", /*current=*/false);
    compareLaunches(figures, "the same, with the context current", /*current=*/true);
    compare(
        figures, "empty kernels until all are done", launchLimit,
        [&] {
          for (unsigned i = 0; i < launchesARun; ++i)
            test::empty(stream, khal::groups(1));
          stream.wait();
        },
        [&](Peer &peer) {
          for (unsigned i = 0; i < launchesARun; ++i)
            peer.launchEmpty();
          peer.wait();
        },
        launchesARun);
    compare(
        figures, "kernels with a buffer until all are done", launchLimit,
        [&] {
          for (unsigned i = 0; i < launchesARun; ++i)
            test::step(stream, khal::groups(1), x, i);
          stream.wait();
        },
        [&](Peer &peer) {
          for (unsigned i = 0; i < launchesARun; ++i)
            peer.launchStep(i);
          peer.wait();
        },
        launchesARun);
  }

  void graphs(Figures &figures) {
    khal::Graph graph(device, [&](khal::Stream &recorded) {
      for (unsigned i = 0; i < launchesAGraph; ++i)
        test::step(recorded, khal::groups(1), x, 1);
    });
    {
      const std::unique_ptr<Peer> recording = makePeer();
      recording->record(launchesAGraph);
      const auto khalReplay = [&] {
        graph.replay(stream);
        stream.wait();
      };
      const auto peerReplay = [&] {
        recording->replay();
        recording->wait();
      };
      figures.compare(
          name("replay of a graph of 1000 launches"), graphLimit,
          [&] { return secondsOf(khalReplay); }, [&] { return secondsOf(peerReplay); });
    }
  }

  void copies(Figures &figures) {
    const std::size_t bytes = std::min<std::size_t>(copiedBytes, device.info().memory_bytes / 16);
    const std::unique_ptr<Peer> peer = makePeer();
    const DeviceAddress peerA = peer->allocate(bytes), peerB = peer->allocate(bytes);
    khal::Buffer<std::byte> a = device.buffer<std::byte>(bytes),
                            b = device.buffer<std::byte>(bytes);
    std::vector<std::byte> host(bytes, std::byte{1}), back(bytes);
    // From and to memory that isn't pinned the driver copies through memory of its own, as khal does.
    compareCopies(
        figures, "upload from ordinary memory", [&] { a.upload(host); }, *peer,
        [&] { peer->upload(peerA, host.data(), bytes); });
    compareCopies(
        figures, "download to ordinary memory", [&] { a.download(back); }, *peer,
        [&] { peer->download(back.data(), peerA, bytes); });
    void *pinned = nullptr;
    const Api &api = dynamic_cast<CudaDevice &>(*device.impl()).api();
    api.check(api.mem_host_alloc(&pinned, bytes, host_alloc_portable), "pinned memory");
    khal::Buffer<std::byte> shared = device.host_buffer<std::byte>(bytes);
    compareCopies(
        figures, "upload from pinned memory",
        [&] {
          a.copy_from(stream, shared);
          stream.wait();
        },
        *peer, [&] { peer->upload(peerA, pinned, bytes); });
    compareCopies(
        figures, "download to pinned memory",
        [&] {
          shared.copy_from(stream, a);
          stream.wait();
        },
        *peer, [&] { peer->download(pinned, peerA, bytes); });
    api.check(api.mem_free_host(pinned), "pinned memory");
    compareCopies(
        figures, "copy on the device",
        [&] {
          b.copy_from(stream, a);
          stream.wait();
        },
        *peer, [&] { peer->copy(peerB, peerA, bytes); });
  }

private:
  std::string name(const char *what) const { return device.info().id + ": " + what; }
  std::unique_ptr<Peer> makePeer() {
    return std::make_unique<Peer>(dynamic_cast<CudaDevice &>(*device.impl()));
  }

  template <class KhalWork, class PeerWork>
  void compare(Figures &figures, const char *what, double limit, const KhalWork &khalWork,
               const PeerWork &peerWork, unsigned operations) {
    const std::unique_ptr<Peer> peer = makePeer();
    figures.compare(
        name(what), limit, [&] { return secondsOf(khalWork) / operations; },
        [&] { return secondsOf([&] { peerWork(*peer); }) / operations; });
  }

  void compareLaunches(Figures &figures, const char *what, bool current) {
    const std::unique_ptr<Peer> peer = makePeer();
    const auto &api = dynamic_cast<CudaDevice &>(*device.impl()).api();
    const auto khalLaunches = [&] {
      for (unsigned i = 0; i < launchesARun; ++i)
        test::empty(stream, khal::groups(1));
    };
    figures.compare(
        name(what), launchLimit,
        [&] {
          ContextHandle old = nullptr;
          if (!current)
            api.check(api.ctx_pop(&old), "context");
          const double seconds = secondsOf(khalLaunches) / launchesARun;
          if (!current)
            api.check(api.ctx_push(old), "context");
          stream.wait();
          return seconds;
        },
        [&] {
          const double seconds = secondsOf([&] {
                                   for (unsigned i = 0; i < launchesARun; ++i)
                                     peer->launchEmpty();
                                 }) /
                                 launchesARun;
          peer->wait();
          return seconds;
        });
  }

  template <class KhalWork, class PeerWork>
  void compareCopies(Figures &figures, const char *what, const KhalWork &khalWork, Peer &peer,
                     const PeerWork &peerWork) {
    figures.compare(
        name(what), copyLimit, [&] { return secondsOf(khalWork); },
        [&] {
          return secondsOf([&] {
            peerWork();
            peer.wait();
          });
        });
  }

  khal::Device device;
  khal::Stream stream{device};
  khal::Buffer<u32> x = device.zeros<u32>(items);
};

} // namespace

void benchCuda(Figures &figures) {
  for (const khal::Device &device : khal::Device::all()) {
    if (device.info().backend != khal::Backend::cuda || !figures.wantedDevice(device.info().id))
      continue;
    Sides sides(device);
    sides.launches(figures);
    sides.graphs(figures);
    sides.copies(figures);
  }
}

} // namespace bench
