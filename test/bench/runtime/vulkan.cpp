//===- vulkan.cpp - launches, graphs and copies next to hand-written Vulkan -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Figures.h"
#include "VulkanPeer.h"

#include "../../runtime/kernels.h"

#include <algorithm>
#include <cstdio>

namespace bench {

namespace {

using test::u32;

constexpr double launchLimit = 1.10;
constexpr double graphLimit = 1.05;
constexpr double copyLimit = 1.05;
constexpr u32 items = 32;

/// Both sides' buffers, kernels and queues on one physical device.
class Sides {
public:
  explicit Sides(const khal::Device &its_device)
      : device(its_device),
        peer(dynamic_cast<khal::detail::vulkan::VulkanDevice &>(*its_device.impl())) {}

  void launches(Figures &figures) {
    peer.setKernel(test::step_kernel, peerX);
    const auto khalLaunches = [&] {
      for (unsigned i = 0; i < launchesARun; ++i)
        test::step(stream, khal::groups(1), x, i);
    };
    const auto peerLaunches = [&] {
      for (unsigned i = 0; i < launchesARun; ++i)
        peer.launch(i, items);
    };
    figures.compare(
        name("submit of a small launch"), launchLimit,
        [&] {
          const double seconds = secondsOf(khalLaunches) / launchesARun;
          stream.wait();
          return seconds;
        },
        [&] {
          const double seconds = secondsOf(peerLaunches) / launchesARun;
          peer.wait();
          return seconds;
        });
    figures.compare(
        name("small launches until all are done"), launchLimit,
        [&] {
          return secondsOf([&] {
                   khalLaunches();
                   stream.wait();
                 }) /
                 launchesARun;
        },
        [&] {
          return secondsOf([&] {
                   peerLaunches();
                   peer.wait();
                 }) /
                 launchesARun;
        });
  }

  void graphs(Figures &figures) {
    khal::Graph graph(device, [&](khal::Stream &recorded) {
      for (unsigned i = 0; i < launchesAGraph; ++i)
        test::step(recorded, khal::groups(1), x, 1);
    });
    peer.record(launchesAGraph, 1, items);
    figures.compare(
        name("replay of a graph of 1000 launches"), graphLimit,
        [&] {
          return secondsOf([&] {
            graph.replay(stream);
            stream.wait();
          });
        },
        [&] {
          return secondsOf([&] {
            peer.replay();
            peer.wait();
          });
        });
  }

  void copies(Figures &figures) {
    const std::size_t bytes =
        std::min<std::size_t>(copiedBytes, device.info().limits.max_buffer_bytes / 2);
    std::vector<std::byte> host(bytes, std::byte{1}), back(bytes);
    khal::Buffer<std::byte> a = device.buffer<std::byte>(bytes),
                            b = device.buffer<std::byte>(bytes);
    const VulkanPeer::Buffer &peerA = peer.buffer(bytes), &peerB = peer.buffer(bytes);
    figures.compare(
        name("upload"), copyLimit, [&] { return secondsOf([&] { a.upload(host); }); },
        [&] { return secondsOf([&] { peer.upload(peerA, host.data(), bytes); }); });
    figures.compare(
        name("download"), copyLimit, [&] { return secondsOf([&] { a.download(back); }); },
        [&] { return secondsOf([&] { peer.download(back.data(), peerA, bytes); }); });
    khal::Buffer<std::byte> shared = device.host_buffer<std::byte>(bytes);
    const VulkanPeer::Buffer &peerShared = peer.buffer(bytes, /*staging=*/true);
    compareCopy(figures, "upload from a host buffer", a, shared, peerA, peerShared);
    compareCopy(figures, "download to a host buffer", shared, a, peerShared, peerA);
    compareCopy(figures, "copy on the device", b, a, peerB, peerA);
  }

private:
  void compareCopy(Figures &figures, const char *what, khal::Buffer<std::byte> &to,
                   const khal::Buffer<std::byte> &from, const VulkanPeer::Buffer &peerTo,
                   const VulkanPeer::Buffer &peerFrom) {
    figures.compare(
        name(what), copyLimit,
        [&] {
          return secondsOf([&] {
            to.copy_from(stream, from);
            stream.wait();
          });
        },
        [&] {
          return secondsOf([&] {
            peer.copy(peerTo, peerFrom, to.size());
            peer.wait();
          });
        });
  }

  std::string name(const char *what) const { return device.info().id + ": " + what; }

  khal::Device device;
  khal::Stream stream{device};
  khal::Buffer<u32> x = device.zeros<u32>(items);
  VulkanPeer peer;
  const VulkanPeer::Buffer &peerX = peer.buffer(items * sizeof(u32));
};

} // namespace

void benchVulkan(Figures &figures) {
  for (const khal::Device &device : khal::Device::all()) {
    if (device.info().backend != khal::Backend::vulkan || !figures.wantedDevice(device.info().id))
      continue;
    const auto &vulkan = dynamic_cast<khal::detail::vulkan::VulkanDevice &>(*device.impl());
    if (!vulkan.physical().features->timeline_semaphores()) {
      std::printf("%s: not compared, since it has no timeline semaphores\n",
                  device.info().id.c_str());
      continue;
    }
    Sides sides(device);
    sides.launches(figures);
    sides.graphs(figures);
    sides.copies(figures);
  }
}

} // namespace bench
