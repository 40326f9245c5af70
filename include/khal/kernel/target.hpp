//===- khal/kernel/target.hpp - which target a kernel is being compiled for -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
//   if constexpr (khal::target::ptx) { … } else { … }
//
// The shader targets (SPIR-V, GLSL, HLSL, MSL and WGSL) are compiled from one parse: `spirv` is true
// on all of them.
//
// A compiler other than khalc sees the code as the CPU target does.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_TARGET_HPP
#define KHAL_KERNEL_TARGET_HPP

namespace khal::target {

#if defined(__KHAL__)
inline constexpr bool cpu = __KHAL_TARGET_CPU__;
inline constexpr bool ptx = __KHAL_TARGET_PTX__;
inline constexpr bool spirv = __KHAL_TARGET_SPIRV__;
#else
inline constexpr bool cpu = true;
inline constexpr bool ptx = false;
inline constexpr bool spirv = false;
#endif

} // namespace khal::target

#endif // KHAL_KERNEL_TARGET_HPP
