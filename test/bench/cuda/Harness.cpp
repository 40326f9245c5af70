//===- Harness.cpp - timed launches of CUDA modules -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Harness.h"

#include <cstring>
#include <stdexcept>

namespace bench {

namespace {

void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *error = nullptr;
  cuGetErrorName(result, &error);
  throw std::runtime_error(std::string(what) + " failed: " + (error ? error : "unknown error"));
}

} // namespace

Harness::Harness() {
  check(cuInit(0), "cuInit");
  CUdevice device = 0;
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  char text[256] = {};
  check(cuDeviceGetName(text, sizeof text, device), "cuDeviceGetName");
  name = text;
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuEventCreate(&start, CU_EVENT_DEFAULT), "cuEventCreate");
  check(cuEventCreate(&stop, CU_EVENT_DEFAULT), "cuEventCreate");
}

Harness::~Harness() {
  cuEventDestroy(start);
  cuEventDestroy(stop);
}

Harness::Buffer::~Buffer() {
  cuMemFree(address);
}

Harness::Program::~Program() {
  cuModuleUnload(module);
}

std::unique_ptr<Harness::Buffer> Harness::buffer(std::uint64_t bytes) {
  auto made = std::make_unique<Buffer>();
  made->size = bytes;
  check(cuMemAlloc(&made->address, bytes), "cuMemAlloc");
  return made;
}

void Harness::upload(const Buffer &to, const void *data) {
  check(cuMemcpyHtoD(to.address, data, to.size), "cuMemcpyHtoD");
}

std::vector<std::uint8_t> Harness::download(const Buffer &from) {
  std::vector<std::uint8_t> bytes(from.size);
  check(cuMemcpyDtoH(bytes.data(), from.address, from.size), "cuMemcpyDtoH");
  return bytes;
}

std::unique_ptr<Harness::Program> Harness::program(const std::string &image,
                                                   const std::string &entry,
                                                   const std::vector<const Buffer *> &buffers,
                                                   Grid groupSize, Passing passing) {
  auto made = std::make_unique<Program>();
  check(cuModuleLoadData(&made->module, image.c_str()), "cuModuleLoadData");
  check(cuModuleGetFunction(&made->function, made->module, entry.c_str()), "cuModuleGetFunction");
  for (const Buffer *buffer : buffers)
    made->buffers.push_back(buffer->address);
  made->groupSize = groupSize;
  made->passing = passing;
  return made;
}

double Harness::time(const Program &program, const Words &words, Grid groups, unsigned repeats) {
  std::vector<CUdeviceptr> buffers = program.buffers;
  Words values = words;
  std::vector<void *> parameters;
  for (CUdeviceptr &buffer : buffers)
    parameters.push_back(&buffer);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i == 0 || program.passing == Passing::Singly)
      parameters.push_back(&values[i]);

  check(cuEventRecord(start, nullptr), "cuEventRecord");
  for (unsigned i = 0; i < repeats; ++i)
    check(cuLaunchKernel(program.function, groups[0], groups[1], groups[2], program.groupSize[0],
                         program.groupSize[1], program.groupSize[2], 0, nullptr, parameters.data(),
                         nullptr),
          "cuLaunchKernel");
  check(cuEventRecord(stop, nullptr), "cuEventRecord");
  check(cuEventSynchronize(stop), "cuEventSynchronize");
  float milliseconds = 0;
  check(cuEventElapsedTime(&milliseconds, start, stop), "cuEventElapsedTime");
  return 1e-3 * static_cast<double>(milliseconds) / repeats;
}

} // namespace bench
