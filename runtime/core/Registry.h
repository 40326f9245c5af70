//===- Registry.h - the devices of a process --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CORE_REGISTRY_H
#define KHAL_RUNTIME_CORE_REGISTRY_H

#include "core/Backend.h"

namespace khal::detail {

struct Registry {
  std::vector<std::shared_ptr<DeviceImpl>> devices; ///< best first
  std::vector<MissingBackend> missing;
};

/// Looks for devices at the first call. The registry is never destroyed: at a process's end drivers
/// may be gone before static objects are.
const Registry &registry();

/// Lets go of every device, so that each ends with its last user; the next use of registry() looks
/// anew. For tests that watch how devices end.
void release_devices();

} // namespace khal::detail

#endif // KHAL_RUNTIME_CORE_REGISTRY_H
