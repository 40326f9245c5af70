//===- GeneratedNamespace.h - where the host has types that it can't name ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_KERNEL_GENERATEDNAMESPACE_H
#define KHALC_KERNEL_GENERATEDNAMESPACE_H

namespace khalc {

/// The namespace, in StructInfo and in spellings, of types that the host can't name as C++ does:
/// closures, structs nested in a class or function of the kernel file. The generated header has
/// them in its own namespace, whose name it puts in this one's place.
inline constexpr char generatedNamespace[] = "khal_generated";

} // namespace khalc

#endif // KHALC_KERNEL_GENERATEDNAMESPACE_H
