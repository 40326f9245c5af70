//===- OpenCl.h - the benchmark's kernels in OpenCL on the CPU --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_CPU_OPENCL_H
#define KHAL_TEST_BENCH_CPU_OPENCL_H

#include "Cases.h"

namespace bench {

/// An OpenCL device that is a CPU, with kernels.cl built for it under -cl-fast-relaxed-math.
class OpenCl : public std::enable_shared_from_this<OpenCl> {
public:
  /// Null where there is none, or the benchmark was built without OpenCL.
  /// \throws std::runtime_error when there is one that doesn't compile the kernels.
  static std::shared_ptr<OpenCl> open();

  virtual ~OpenCl() = default;
  /// \throws std::runtime_error when OpenCL refuses.
  virtual Contender contender(const Case &one, const std::vector<Bytes> &start) = 0;
};

} // namespace bench

#endif // KHAL_TEST_BENCH_CPU_OPENCL_H
