//===- Harness.h - timed launches of CUDA modules ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_CUDA_HARNESS_H
#define KHAL_TEST_BENCH_CUDA_HARNESS_H

#include "../kernels/Cases.h"

#include <cuda.h>

#include <memory>
#include <string>
#include <vector>

namespace bench {

/// The least that runs a CUDA module through the driver and times it with events. It knows nothing
/// of who wrote a module, so that both sides of a comparison are run alike.
class Harness {
public:
  /// Opens the first device. Throws std::runtime_error when there is none.
  Harness();
  ~Harness();
  Harness(const Harness &) = delete;
  Harness &operator=(const Harness &) = delete;

  const std::string &deviceName() const { return name; }

  /// Device memory, passed as kernel parameter i.
  class Buffer {
  public:
    ~Buffer();

  private:
    friend class Harness;
    CUdeviceptr address = 0;
    std::uint64_t size = 0;
  };
  std::unique_ptr<Buffer> buffer(std::uint64_t bytes);
  void upload(const Buffer &to, const void *data);
  std::vector<std::uint8_t> download(const Buffer &from);

  /// How words reach a kernel after its buffers.
  enum class Passing {
    Block,  ///< all as one parameter by value
    Singly, ///< one parameter each
  };

  /// A kernel with its buffers.
  class Program {
  public:
    ~Program();

  private:
    friend class Harness;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    std::vector<CUdeviceptr> buffers;
    Grid groupSize{1, 1, 1};
    Passing passing = Passing::Block;
  };
  /// `image`: PTX text or a cubin.
  std::unique_ptr<Program> program(const std::string &image, const std::string &entry,
                                   const std::vector<const Buffer *> &buffers, Grid groupSize,
                                   Passing passing);

  /// Seconds on the device for one of `repeats` launches that follow each other.
  double time(const Program &program, const Words &words, Grid groups, unsigned repeats);

private:
  CUcontext context = nullptr;
  CUevent start = nullptr, stop = nullptr;
  std::string name;
};

} // namespace bench

#endif // KHAL_TEST_BENCH_CUDA_HARNESS_H
