//===- khal/kernel/sync.hpp - barriers, fences and the scopes of memory -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_SYNC_HPP
#define KHAL_KERNEL_SYNC_HPP

#include "scalar.hpp"

extern "C" {
void __khal_barrier();
void __khal_fence(khal::u32 scope);
}

namespace khal {

/// Who sees a memory operation in its order.
enum class scope : u32 {
  group = 0, ///< the work-items of the work-group
  device = 1 ///< all work-items of the device
};

/// Waits until every work-item of the work-group is here, and makes what each of them wrote to
/// shared and global memory visible to all of them. Reached by all work-items of the group or none.
inline void barrier() {
  __khal_barrier();
}

/// Orders this work-item's memory operations before the fence ahead of those after it, as seen by
/// the work-items in the scope. Doesn't wait for anyone.
inline void fence(scope s = scope::device) {
  __khal_fence(static_cast<u32>(s));
}

} // namespace khal

#endif // KHAL_KERNEL_SYNC_HPP
