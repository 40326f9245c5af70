//===- OpenCl.cpp - the benchmark's kernels in OpenCL on the CPU ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "OpenCl.h"

#ifdef KHAL_BENCH_OPENCL

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS)
    throw std::runtime_error(std::string("OpenCL: ") + what + " fails with " +
                             std::to_string(status));
}

cl_device_id findCpu() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS)
    return nullptr;
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : platforms)
    if (cl_device_id device = nullptr;
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
      return device;
  return nullptr;
}

std::string readSource() {
  std::ifstream file(KHAL_BENCH_OPENCL);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty())
    throw std::runtime_error("can't read " KHAL_BENCH_OPENCL);
  return text.str();
}

/// Handles live until the program ends: a benchmark opens one of each.
class Device final : public OpenCl {
public:
  explicit Device(cl_device_id device) {
    cl_int status = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    const std::string source = readSource();
    const char *text = source.c_str();
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "-cl-fast-relaxed-math", nullptr, nullptr),
          "clBuildProgram");
  }

  Contender contender(const Case &one, const std::vector<Bytes> &start) override {
    cl_int status = CL_SUCCESS;
    const cl_kernel kernel = clCreateKernel(program, one.name.c_str(), &status);
    check(status, "clCreateKernel");
    cl_uint argument = 0;
    std::vector<std::shared_ptr<_cl_mem>> buffers;
    for (const Bytes &bytes : start) {
      cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes.size(),
                                     const_cast<std::byte *>(bytes.data()), &status);
      check(status, "clCreateBuffer");
      buffers.emplace_back(buffer, &clReleaseMemObject);
      check(clSetKernelArg(kernel, argument++, sizeof(buffer), &buffer), "clSetKernelArg");
    }
    for (const std::uint32_t value : one.values)
      check(clSetKernelArg(kernel, argument++, sizeof(value), &value), "clSetKernelArg");
    std::array<std::size_t, 3> size{};
    for (std::size_t d = 0; d < size.size(); ++d)
      size[d] = one.groups[d] * one.groupSize[d];
    const auto self = std::static_pointer_cast<Device>(shared_from_this());
    const std::size_t bytes = start[one.result].size();
    return {"pocl",
            [=, groupSize = one.groupSize, owners = buffers] {
              check(clEnqueueNDRangeKernel(self->queue, kernel, 3, nullptr, size.data(),
                                           groupSize.data(), 0, nullptr, nullptr),
                    "clEnqueueNDRangeKernel");
              check(clFinish(self->queue), "clFinish");
            },
            [=, result = buffers[one.result]] {
              Bytes read(bytes);
              check(clEnqueueReadBuffer(self->queue, result.get(), CL_TRUE, 0, bytes, read.data(),
                                        0, nullptr, nullptr),
                    "clEnqueueReadBuffer");
              return read;
            }};
  }

private:
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
};

} // namespace

std::shared_ptr<OpenCl> OpenCl::open() {
  const cl_device_id device = findCpu();
  return device ? std::make_shared<Device>(device) : nullptr;
}

} // namespace bench

#else

namespace bench {

std::shared_ptr<OpenCl> OpenCl::open() {
  return nullptr;
}

} // namespace bench

#endif
