//===- khal/khal.hpp - the host side of khal --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a program needs to run compiled kernels:
//
//   khal::Device dev;                          // the best there is, or KHAL_DEVICE=vulkan:0
//   khal::Buffer<float> a = dev.upload(host);  // device memory, with C++ layout
//   khal::Stream s(dev);                       // work in order
//   kernels::scale(s, khal::threads(a.size()), a, 2.0f);   // from scale.khal.hpp; checked by type
//   s.wait();
//   std::vector<float> r = a.download();
//
// host/device.hpp has Device, host/stream.hpp Stream, Event and Timer, host/buffer.hpp Buffer and
// Slice, host/launch.hpp threads(), groups() and warm_up(), host/graph.hpp Graph, host/workspace.hpp Workspace,
// host/error.hpp Error. A program includes this file only.
//
// Environment:
//   KHAL_DEVICE             the device of `khal::Device dev;`: "cpu", "vulkan:0", "cuda"
//   KHAL_CACHE              where built kernels are kept on disk; 0: nowhere
//   KHAL_CPU_THREADS        threads of the CPU device; the processor's count by default
//   KHAL_VULKAN_VALIDATION  1: watch Vulkan with its validation layer; complaints become Errors
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_KHAL_HPP
#define KHAL_KHAL_HPP

#include "khal/host/buffer.hpp"
#include "khal/host/device.hpp"
#include "khal/host/error.hpp"
#include "khal/host/graph.hpp"
#include "khal/host/launch.hpp"
#include "khal/host/stream.hpp"
#include "khal/host/workspace.hpp"
#include "khal/kernel/vector.hpp"

#endif // KHAL_KHAL_HPP
