//===- Interop.cpp - handles out and in -------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// khal/interop/cuda.hpp needs CUDA's header and this doesn't: handles cross as what they are made of.
//
//===------------------------------------------------------------------------------------------===//
#include "khal/interop/cuda_handles.hpp"

#include "core/Text.h"
#include "cuda/Device.h"
#include "cuda/Memory.h"
#include "cuda/Stream.h"

namespace khal::interop::detail_cuda {

namespace {

namespace backend = detail::cuda;

[[noreturn]] void bad(const std::string &sentence) {
  throw Error(ErrorCode::bad_argument, "khal::interop: " + sentence);
}

backend::CudaDevice &cuda_of(const std::shared_ptr<detail::DeviceImpl> &device) {
  auto *const cuda = dynamic_cast<backend::CudaDevice *>(device.get());
  if (!cuda)
    bad(device->info().id + " isn't a CUDA device");
  cuda->ensure_open();
  return *cuda;
}

backend::CudaStream &cuda_of(const Stream &stream) {
  if (!stream.impl())
    bad("the stream was moved from");
  auto *const cuda = dynamic_cast<backend::CudaStream *>(stream.impl().get());
  if (!cuda)
    bad("the stream isn't one of a CUDA device, or it's being recorded");
  return *cuda;
}

} // namespace

void *context_of(const Device &device) {
  return cuda_of(device.impl()).context();
}

int number_of(const Device &device) {
  return cuda_of(device.impl()).number();
}

void *stream_of(const Stream &stream) {
  return cuda_of(stream).handle();
}

std::uint64_t address_of(detail::Memory *memory) {
  if (!memory)
    bad("the buffer has no memory: it was moved from or never made");
  cuda_of(memory->device());
  return static_cast<backend::CudaMemory *>(memory)->address();
}

void note_use(Stream &stream, std::span<detail::Memory *const> memories) {
  backend::CudaStream &cuda = cuda_of(stream);
  for (const detail::Memory *memory : memories)
    if (!memory || memory->device() != cuda.device())
      bad("the buffer has no memory, or isn't of the stream's device");
  const detail::Ticket ticket = cuda.note_foreign_work(memories);
  for (detail::Memory *memory : memories)
    memory->note_use(cuda, ticket);
}

std::shared_ptr<detail::DeviceImpl> import_context(void *context, int number) {
  if (!context)
    bad("there is no context to import: it's null");
  std::string missing;
  const std::shared_ptr<const backend::Api> api = backend::Api::load(missing);
  if (!api)
    throw Error(ErrorCode::no_device, missing);
  return backend::examine(api, number, "cuda:imported",
                          static_cast<backend::ContextHandle>(context));
}

std::shared_ptr<detail::StreamImpl> import_stream(const Device &device, void *stream) {
  cuda_of(device.impl());
  if (!stream)
    bad("CUDA's default stream can't be imported: give a stream of its own");
  auto imported = std::make_shared<backend::CudaStream>(
      std::static_pointer_cast<backend::CudaDevice>(device.impl()),
      static_cast<backend::StreamHandle>(stream));
  device.impl()->know(imported);
  return imported;
}

std::shared_ptr<detail::Memory> import_memory(const Device &device, std::uint64_t address,
                                              std::uint64_t bytes, std::shared_ptr<void> keep) {
  constexpr std::uint64_t alignment = 16;
  cuda_of(device.impl());
  if (address == 0 || bytes == 0)
    bad("imported memory must be some: its address or its size is 0");
  if (address % alignment != 0)
    bad(detail::text("imported memory must begin at a multiple of ", alignment, " bytes"));
  return std::make_shared<backend::CudaMemory>(
      std::static_pointer_cast<backend::CudaDevice>(device.impl()), address, bytes,
      std::move(keep));
}

} // namespace khal::interop::detail_cuda
