//===- khal/interop/cuda.hpp - khal beside a program's own CUDA -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles out, so that cuBLAS, NCCL or the program's own kernels work on khal's buffers in khal's
// streams; and in, for contexts, streams and memory that are there already. khal works in the device's
// primary context, which is the CUDA runtime's too. Needs the CUDA toolkit's cuda.h, and no library.
//
//   cublasSetStream(blas, khal::interop::cuda_stream(stream));
//   cublasSaxpy(blas, n, &alpha, khal::interop::cuda_pointer(x), 1, khal::interop::cuda_pointer(y), 1);
//   khal::interop::note_use(stream, x, y);
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_INTEROP_CUDA_HPP
#define KHAL_INTEROP_CUDA_HPP

#include "khal/interop/cuda_handles.hpp"

#include <cuda.h>

namespace khal::interop {

/// The context and device behind a device. \throws Error bad_argument, as all here, when it isn't of the
/// CUDA backend.
inline CUcontext cuda_context(const Device &device) {
  return static_cast<CUcontext>(detail_cuda::context_of(device));
}
inline CUdevice cuda_device(const Device &device) {
  return detail_cuda::number_of(device);
}

/// The stream that a stream's work goes to: what the program puts in comes between khal's work before
/// and after.
inline CUstream cuda_stream(const Stream &stream) {
  return static_cast<CUstream>(detail_cuda::stream_of(stream));
}

/// Where a buffer's or slice's first element is; as a pointer for the CUDA runtime's users.
template <class T> CUdeviceptr cuda_address(const Slice<T> &slice) {
  return detail_cuda::address_of(slice.memory()) + slice.offset();
}
template <class T> CUdeviceptr cuda_address(const Buffer<T> &buffer) {
  return detail_cuda::address_of(buffer.memory());
}
template <class T> T *cuda_pointer(const Slice<T> &slice) {
  return reinterpret_cast<T *>(cuda_address(slice));
}
template <class T> T *cuda_pointer(Buffer<T> &buffer) {
  return reinterpret_cast<T *>(cuda_address(buffer));
}
template <class T> const T *cuda_pointer(const Buffer<T> &buffer) {
  return reinterpret_cast<const T *>(cuda_address(buffer));
}

/// Tells that work which the program has put into cuda_stream(stream) uses these buffers or slices:
/// they may be dropped, and download() and the like wait for that work, as for khal's own.
template <class... Buffers> void note_use(Stream &stream, const Buffers &...buffers) {
  detail::Memory *const memories[] = {buffers.memory()...};
  detail_cuda::note_use(stream, memories);
}

/// khal's view of a context of the program's: a Device that Device::all() doesn't list. The program
/// keeps the context until this, and the buffers, streams and graphs made with it, are gone.
class ImportedContext {
public:
  ImportedContext(CUcontext context, CUdevice device)
      : device_(detail_cuda::import_context(context, device)) {}
  ~ImportedContext() { detail::close(*device_.impl()); }
  ImportedContext(const ImportedContext &) = delete;
  ImportedContext &operator=(const ImportedContext &) = delete;

  const Device &device() const noexcept { return device_; }

private:
  Device device_;
};

/// A stream of the program's, of the device's context, as a Stream; khal doesn't destroy it. It must
/// live as long.
inline Stream import_stream(const Device &device, CUstream stream) {
  return Stream(detail_cuda::import_stream(device, stream));
}

/// Memory of the program's that the device's context reaches, as a Buffer; khal doesn't free it. It is
/// aligned as its elements want, at least to 16 bytes. `keep` goes when nothing uses the buffer any
/// more.
template <class T>
Buffer<T> import_buffer(const Device &device, CUdeviceptr address, std::size_t count,
                        std::shared_ptr<void> keep = nullptr) {
  return detail::BufferAccess::make<T>(
      detail_cuda::import_memory(device, address, count * sizeof(T), std::move(keep)), count);
}

} // namespace khal::interop

#endif // KHAL_INTEROP_CUDA_HPP
