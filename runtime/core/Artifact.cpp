//===- Artifact.cpp - which of a kernel's compiled forms runs on a device ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "core/Artifact.h"
#include "core/Text.h"

namespace khal::detail {

const abi::Artifact &choose_artifact(const abi::Kernel &kernel, abi::Target target,
                                     const DeviceInfo &device, const VariantRank &rank) {
  const abi::Artifact *best = nullptr;
  int best_rank = 0;
  std::vector<std::string> reasons;
  for (const abi::Artifact &artifact : std::span(kernel.artifacts, kernel.artifact_count)) {
    if (artifact.target != target)
      continue;
    if (artifact.unavailable) {
      reasons.push_back(
          text("the ", abi::name_of(target), " target can't express it: ", artifact.unavailable));
      continue;
    }
    const std::string_view variant = artifact.variant ? artifact.variant : "";
    const std::optional<int> this_rank = rank(variant);
    const std::uint64_t lacking = artifact.features & ~device.features;
    if (!this_rank) {
      reasons.push_back(text("the form for ", variant, " is for a newer or different device"));
    } else if (lacking) {
      reasons.push_back(
          text("the device lacks ", join(feature_names(lacking)), ", which the kernel uses"));
    } else if (!best || *this_rank > best_rank) {
      best = &artifact;
      best_rank = *this_rank;
    }
  }
  if (best)
    return *best;
  if (reasons.empty())
    throw Error(ErrorCode::unsupported,
                text(describe(kernel), " can't run on ", device.id,
                     ": it was compiled without the ", abi::name_of(target),
                     " target, or that target can't express it; compile it with "
                     "khalc --target=",
                     abi::name_of(target),
                     " (or all) and heed its warnings, or open another device"));
  throw Error(ErrorCode::unsupported,
              text(describe(kernel), " can't run on ", device.id, " (", device.name,
                   "): ", join(reasons, "; "),
                   "; open another device, or compile the kernel for this one"));
}

} // namespace khal::detail
