//===- khal/interop/cuda_handles.hpp - CUDA's handles without CUDA's header -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal: what khal/interop/cuda.hpp gives their types.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_INTEROP_CUDA_HANDLES_HPP
#define KHAL_INTEROP_CUDA_HANDLES_HPP

#include "khal/khal.hpp"

namespace khal::interop {

namespace detail_cuda {
void *context_of(const Device &device);
int number_of(const Device &device);
void *stream_of(const Stream &stream);
std::uint64_t address_of(detail::Memory *memory);
void note_use(Stream &stream, std::span<detail::Memory *const> memories);
std::shared_ptr<detail::DeviceImpl> import_context(void *context, int number);
std::shared_ptr<detail::StreamImpl> import_stream(const Device &device, void *stream);
std::shared_ptr<detail::Memory> import_memory(const Device &device, std::uint64_t address,
                                              std::uint64_t bytes, std::shared_ptr<void> keep);
} // namespace detail_cuda

} // namespace khal::interop

#endif // KHAL_INTEROP_CUDA_HANDLES_HPP
