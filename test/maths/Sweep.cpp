//===- Sweep.cpp - the worst errors of a function on devices ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "Sweep.h"

#include "Units.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <future>
#include <random>

namespace {

/// One column's buffers in one thread.
template <class T> class Lane {
public:
  Lane(const Column &column, std::size_t batch)
      : column(column), stream(column.device), x(column.device.buffer<T>(batch)),
        y(column.device.buffer<T>(batch)), out(column.device.buffer<T>(batch)), got(batch) {}

  /// Puts the batch's numbers into x and y by `fill`, and starts the function.
  template <class Fill> void start(const FunctionOf<T> &function, const Fill &fill) {
    fill(stream, x, y);
    function.launch[static_cast<std::size_t>(column.mode)](stream, x, y, out);
  }

  /// Waits for the function, and compares the first right.size() results.
  void compare(const FunctionOf<T> &function, std::span<const T> xs, std::span<const T> ys,
               std::span<const Exact<T>> right) {
    stream.wait();
    out.download(got);
    Circumstances in{.isStrict = column.mode == Mode::strict,
                     .fusesFma = column.fusesFma(),
                     .losesLanes = column.losesLanes()};
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (xs[i] != 0 && std::abs(xs[i]) < std::numeric_limits<T>::min())
        continue;
      const double error = units(got[i], right[i]);
      worst.error = std::max(worst.error, error);
      if (error <= 1 || column.mode == Mode::fast) // no limit is below 1
        continue;
      in.x = static_cast<double>(xs[i]);
      worst.add({.error = error, .excess = error / function.limit(in), .x = xs[i], .y = ys[i]});
    }
  }

  Worst<T> worst;

private:
  const Column &column;
  khal::Stream stream;
  khal::Buffer<T> x, y, out;
  std::vector<T> got;
};

/// The numbers of one batch on the host, and how they get to a device.
template <class T> struct Numbers {
  std::vector<T> x, y;
};

/// Every step-th float. Devices make their own: nothing is sent to them.
class EveryFloat {
public:
  EveryFloat(std::uint32_t step) : step(step) {}

  void begin(std::uint64_t index, Numbers<float> &numbers) {
    first = static_cast<std::uint32_t>(index * step);
    for (std::size_t i = 0; i < numbers.x.size(); ++i)
      numbers.x[i] = std::bit_cast<float>(first + static_cast<std::uint32_t>(i) * step);
  }

  void operator()(khal::Stream &stream, khal::Buffer<float> &x, khal::Buffer<float> &) const {
    makeFloats(stream, first, step, x);
  }

private:
  std::uint32_t step, first = 0;
};

/// Random numbers that depend on the batch's index alone.
template <class T> class Random {
public:
  void begin(std::uint64_t index, Numbers<T> &numbers) {
    bits.seed(index + 1);
    for (std::size_t i = 0; i < numbers.x.size(); ++i) {
      numbers.x[i] = number(i % 4);
      numbers.y[i] = number(i / 4 % 4);
    }
    now = &numbers;
  }

  void operator()(khal::Stream &stream, khal::Buffer<T> &x, khal::Buffer<T> &y) const {
    x.upload(stream, now->x);
    y.upload(stream, now->y);
  }

private:
  T number(std::uint64_t turn) {
    if (turn == 0) {
      const std::uint64_t raw = bits();
      T value;
      std::memcpy(&value, &raw, sizeof value);
      return std::abs(value) < std::numeric_limits<T>::min() ? T(0) : value;
    }
    const double scale = turn == 1 ? 2 : turn == 2 ? 40 : 1000;
    return static_cast<T>((static_cast<double>(bits() >> 11) * 0x1p-52 - 1) * scale);
  }

  std::mt19937_64 bits;
  const Numbers<T> *now = nullptr;
};

} // namespace

template <class T, class Fill>
std::vector<Worst<T>> Sweep::run(const FunctionOf<T> &function, std::uint64_t count,
                                 std::size_t batch, Fill fill) const {
  batch = static_cast<std::size_t>(std::min<std::uint64_t>(batch, count));
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&, fill]() mutable {
    std::vector<Lane<T>> lanes;
    for (const Column &column : columns)
      lanes.emplace_back(column, batch);
    Numbers<T> numbers{std::vector<T>(batch), std::vector<T>(batch)};
    std::vector<Exact<T>> exact(batch);
    for (;;) {
      const std::uint64_t first = next.fetch_add(batch);
      if (first >= count)
        break;
      fill.begin(first, numbers);
      for (Lane<T> &lane : lanes)
        lane.start(function, fill);
      // While devices work. The last batch is full, but not all of it counts.
      const auto counted = std::span(exact).first(std::min<std::uint64_t>(batch, count - first));
      function.exact(numbers.x, numbers.y, counted);
      for (Lane<T> &lane : lanes)
        lane.compare(function, numbers.x, numbers.y, counted);
    }
    std::vector<Worst<T>> worst;
    for (const Lane<T> &lane : lanes)
      worst.push_back(lane.worst);
    return worst;
  };
  std::vector<std::future<std::vector<Worst<T>>>> workers;
  for (unsigned i = 0; i < std::min<std::uint64_t>(threads, (count + batch - 1) / batch); ++i)
    workers.push_back(std::async(std::launch::async, work));
  std::vector<Worst<T>> worst(columns.size());
  for (auto &worker : workers) {
    const auto its = worker.get();
    for (std::size_t i = 0; i < worst.size(); ++i)
      worst[i].add(its[i]);
  }
  return worst;
}

std::vector<Worst<float>> Sweep::everyFloat(const FunctionOf<float> &function,
                                            std::uint32_t step) const {
  const std::uint64_t count = ((std::uint64_t{1} << 32) + step - 1) / step;
  return run(function, count, 1 << 20, EveryFloat(step));
}

template <class T>
std::vector<Worst<T>> Sweep::random(const FunctionOf<T> &function, std::uint64_t count) const {
  return run(function, count, 1 << 16, Random<T>());
}

template std::vector<Worst<float>> Sweep::random(const FunctionOf<float> &, std::uint64_t) const;
template std::vector<Worst<double>> Sweep::random(const FunctionOf<double> &, std::uint64_t) const;
