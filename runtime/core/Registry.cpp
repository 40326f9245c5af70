//===- Registry.cpp - the devices of a process ------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Registry.h"
#include "core/Text.h"

#include <algorithm>
#include <cstdlib>

namespace khal::detail {

#define KHAL_BACKEND(NAME)                                                                         \
  namespace NAME {                                                                                 \
  ProbeResult probe();                                                                             \
  }
#include "core/Backends.def"
#undef KHAL_BACKEND

namespace {

std::mutex registry_mutex;
std::atomic<Registry *> the_registry; // guarded by registry_mutex when it is changed

void add(Registry &registry, Backend backend, ProbeResult result) {
  if (result.devices.empty())
    registry.missing.push_back({backend, std::move(result.missing)});
  for (auto &device : result.devices)
    registry.devices.push_back(std::move(device));
}

} // namespace

const Registry &registry() {
  if (const Registry *found = the_registry.load(std::memory_order_acquire))
    return *found;
  const std::lock_guard lock(registry_mutex);
  if (const Registry *found = the_registry.load(std::memory_order_acquire))
    return *found;
  auto made = std::make_unique<Registry>();
#define KHAL_BACKEND(NAME) add(*made, Backend::NAME, NAME::probe());
#include "core/Backends.def"
#undef KHAL_BACKEND
  std::stable_sort(made->devices.begin(), made->devices.end(),
                   [](const auto &a, const auto &b) { return a->preference() > b->preference(); });
  the_registry.store(made.get(), std::memory_order_release);
  return *made.release();
}

void release_devices() {
  const std::lock_guard lock(registry_mutex);
  const std::unique_ptr<Registry> old(the_registry.exchange(nullptr));
  if (old)
    for (const auto &device : old->devices)
      device->close();
}

} // namespace khal::detail

namespace khal {

namespace {

std::string known_devices() {
  std::vector<std::string> lines;
  for (const auto &device : detail::registry().devices)
    lines.push_back(device->info().id);
  std::string all = "there are: " + detail::join(lines);
  for (const MissingBackend &missing : detail::registry().missing)
    all += detail::text("; ", to_string(missing.backend), ": ", missing.reason);
  return all;
}

std::shared_ptr<detail::DeviceImpl> find(std::string_view id) {
  // Within a backend "first" means number 0, wherever that device stands in the order of
  // preference.
  const std::string wanted = id.find(':') == std::string_view::npos && id != "cpu"
                                 ? std::string(id) + ":0"
                                 : std::string(id);
  for (const auto &device : detail::registry().devices)
    if (device->info().id == wanted || (device->info().backend == Backend::cpu && id == "cpu:0"))
      return device;
  return nullptr;
}

std::shared_ptr<detail::DeviceImpl> default_device() {
  const char *wanted = std::getenv("KHAL_DEVICE");
  if (!wanted || !*wanted)
    return detail::registry().devices.front();
  if (auto device = find(wanted))
    return device;
  throw Error(ErrorCode::no_device,
              detail::text("the environment variable KHAL_DEVICE asks for \"", wanted,
                           "\", which isn't there; ", known_devices()));
}

} // namespace

Device::Device() : impl_(default_device()) {}

std::vector<Device> Device::all() {
  std::vector<Device> devices;
  for (const auto &impl : detail::registry().devices)
    devices.emplace_back(impl);
  return devices;
}

std::vector<MissingBackend> Device::missing() {
  return detail::registry().missing;
}

const DeviceInfo &Device::info() const noexcept {
  return impl_->info();
}

Device open(std::string_view id) {
  if (auto device = find(id))
    return Device(std::move(device));
  throw Error(ErrorCode::no_device,
              detail::text("there is no device \"", id, "\"; ", known_devices()));
}

} // namespace khal
