//===- Run.cpp - runs compiled programs -------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Run.h"

#include "../Random.h"
#include "Program.h"

#include "khal/khal.hpp"

#include <csignal>
#include <cstring>
#include <stdexcept>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace khal::fuzz {

namespace {

constexpr unsigned secondsToRun = 120;

/// What every program is given: the same for all, so that one behaves alike in any batch.
struct Inputs {
  std::vector<std::uint32_t> in;
  std::vector<std::byte> records, work, arguments;
};

std::vector<std::byte> randomBytes(Random &random, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::byte &byte : bytes)
    byte = std::byte(random.below(256));
  return bytes;
}

Inputs makeInputs(std::size_t recordSize, std::size_t workSize, std::size_t argumentSize) {
  Random random(20);
  Inputs inputs;
  for (unsigned i = 0; i < sizes::inputs; ++i)
    inputs.in.push_back(std::uint32_t(random.next()) >> (random.chance(50) ? random.below(32) : 0));
  inputs.records = randomBytes(random, recordSize * sizes::records);
  inputs.work = randomBytes(random, workSize * sizes::items * sizes::workPerItem);
  inputs.arguments = randomBytes(random, argumentSize);
  return inputs;
}

template <class T> T *symbol(void *library, const std::string &name) {
  void *address = dlsym(library, name.c_str());
  if (!address)
    throw std::runtime_error(dlerror());
  return reinterpret_cast<T *>(address);
}

void append(std::string &bytes, const void *data, std::size_t size) {
  bytes.append(static_cast<const char *>(data), size);
}

std::string runOnHost(void *library, unsigned index) {
  const std::string number = std::to_string(index);
  const auto *bytes = symbol<const std::uint32_t>(library, "sizes_" + number);
  auto *kernel =
      symbol<void(std::uint32_t, const void *, const void *, void *, void *, const void *)>(
          library, "kernel_" + number);
  Inputs inputs = makeInputs(bytes[0], bytes[1], bytes[2]);
  std::vector<std::uint32_t> out(sizes::items);
  for (unsigned x = 0; x < sizes::items; ++x)
    kernel(x, inputs.in.data(), inputs.records.data(), inputs.work.data(), out.data(),
           inputs.arguments.data());
  std::string result;
  append(result, out.data(), out.size() * sizeof(out[0]));
  append(result, inputs.work.data(), inputs.work.size());
  return result;
}

std::string runOnDevice(void *library, unsigned index, const Device &device, Stream &stream) {
  const auto &kernel =
      *symbol<const abi::Kernel>(library, "khal_kernel_khal_Ckernel_" + std::to_string(index));
  enum { in, records, work, out, bufferCount };
  const std::uint32_t lengths[bufferCount] = {sizes::inputs, sizes::records,
                                              sizes::items * sizes::workPerItem, sizes::items};
  if (kernel.buffer_count != bufferCount)
    throw std::runtime_error("the kernel has other parameters than expected");
  Inputs inputs =
      makeInputs(kernel.buffers[records].element_size, kernel.buffers[work].element_size,
                 kernel.block_size - sizeof(lengths));
  std::vector<std::byte> block = inputs.arguments;
  block.resize(kernel.block_size);
  std::memcpy(block.data() + inputs.arguments.size(), lengths, sizeof(lengths));

  const Buffer<std::uint32_t> inBuffer = device.upload(inputs.in);
  const Buffer<std::byte> recordBuffer = device.upload(inputs.records);
  const Buffer<std::byte> workBuffer = device.upload(inputs.work);
  const Buffer<std::uint32_t> outBuffer = device.zeros<std::uint32_t>(sizes::items);
  detail::Memory *memories[bufferCount] = {inBuffer.memory(), recordBuffer.memory(),
                                           workBuffer.memory(), outBuffer.memory()};
  std::vector<detail::BufferArgument> arguments;
  for (unsigned i = 0; i < bufferCount; ++i)
    arguments.push_back({memories[i], 0, lengths[i], kernel.buffers[i].element_size, 0});
  const std::uint32_t group = kernel.group_size[0] * kernel.group_size[1] * kernel.group_size[2];
  detail::launch(stream, kernel, groups(sizes::items / group), arguments, block);
  stream.wait();

  const std::vector<std::uint32_t> values = outBuffer.download();
  const std::vector<std::byte> bytes = workBuffer.download();
  std::string result;
  append(result, values.data(), values.size() * sizeof(values[0]));
  append(result, bytes.data(), bytes.size());
  return result;
}

// An outcome through a pipe: its failure's length and text, then the same for its bytes.
void send(int pipe, const std::string &text) {
  const auto sendAll = [pipe](const char *data, std::size_t size) {
    while (size > 0) {
      const ssize_t sent = ::write(pipe, data, size);
      if (sent <= 0)
        ::_exit(1);
      data += sent, size -= std::size_t(sent);
    }
  };
  const std::uint64_t size = text.size();
  sendAll(reinterpret_cast<const char *>(&size), sizeof(size));
  sendAll(text.data(), text.size());
}

bool receive(int pipe, std::string &text) {
  const auto receiveAll = [pipe](char *data, std::size_t size) {
    while (size > 0) {
      const ssize_t got = ::read(pipe, data, size);
      if (got <= 0)
        return false;
      data += got, size -= std::size_t(got);
    }
    return true;
  };
  std::uint64_t size = 0;
  if (!receiveAll(reinterpret_cast<char *>(&size), sizeof(size)))
    return false;
  text.resize(size);
  return receiveAll(text.data(), size);
}

void runAll(const std::string &path, unsigned count, const std::string &where, int pipe) {
  std::optional<Stream> stream;
  void *library = nullptr;
  std::string broken;
  try {
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      throw std::runtime_error(dlerror());
    if (where != "host")
      stream.emplace(open(where));
  } catch (const std::exception &error) {
    broken = error.what();
  }
  for (unsigned i = 0; i < count; ++i) {
    Outcome outcome{broken, {}};
    if (broken.empty()) {
      try {
        outcome.bytes =
            stream ? runOnDevice(library, i, stream->device(), *stream) : runOnHost(library, i);
      } catch (const std::exception &error) {
        outcome.failure = error.what();
      }
    }
    send(pipe, outcome.failure);
    send(pipe, outcome.bytes);
  }
}

} // namespace

std::vector<Outcome> runLibrary(const std::string &library, unsigned count,
                                const std::string &device) {
  int pipe[2];
  if (::pipe(pipe) != 0)
    throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe[0]);
    ::alarm(secondsToRun);
    runAll(library, count, device, pipe[1]);
    ::_exit(0); // nothing that belongs to the parent is flushed or destroyed
  }
  ::close(pipe[1]);
  std::vector<Outcome> outcomes(count);
  unsigned done = 0;
  while (done < count && receive(pipe[0], outcomes[done].failure) &&
         receive(pipe[0], outcomes[done].bytes))
    ++done;
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  for (unsigned i = done; i < count; ++i)
    outcomes[i].failure =
        i == done ? "ended by signal " + std::to_string(WTERMSIG(status)) : "not run";
  return outcomes;
}

bool vulkanIsLlvmpipe() {
  static const bool answer = [] {
    const pid_t child = ::fork();
    if (child == 0) {
      bool is = false;
      try {
        is = open("vulkan").info().name.find("llvmpipe") != std::string::npos;
      } catch (const std::exception &) {
        // No Vulkan at all: then nothing is said of it.
      }
      ::_exit(is ? 1 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
  }();
  return answer;
}

} // namespace khal::fuzz
