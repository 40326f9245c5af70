//===- Comparison.cpp - all sides of a case, checked against each other and timed -------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Comparison.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace bench {

namespace {

/// Above so much of the best peer's time a case is named at the end.
constexpr double mostOfBest = 1.15;

double milliseconds(const std::function<void()> &run) {
  const auto before = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before)
      .count();
}

template <class T> T read(const Bytes &bytes, std::size_t at) {
  T value;
  std::memcpy(&value, &bytes[at], sizeof(T));
  return value;
}

bool agree(const Bytes &a, const Bytes &b, const Agreement &agreement) {
  if (a.size() != b.size())
    return false;
  if (agreement.kind == Agreement::Kind::Equal)
    return a == b;
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < a.size(); at += 4) {
    if (agreement.kind == Agreement::Kind::Mostly) {
      wrong += read<std::uint32_t>(a, at) != read<std::uint32_t>(b, at);
      continue;
    }
    const double x = read<float>(a, at), y = read<float>(b, at);
    if (!(std::abs(x - y) <= agreement.tolerance * std::max({1.0, std::abs(x), std::abs(y)})))
      return false;
  }
  return static_cast<double>(wrong) <= agreement.tolerance * static_cast<double>(a.size() / 4);
}

double geometricMean(const std::vector<double> &values) {
  double logs = 0;
  for (double value : values)
    logs += std::log(value);
  return std::exp(logs / static_cast<double>(values.size()));
}

/// By OpenMP's runtime, in chunks that are taken by whoever is free.
void shareOut(const Rows &rows, const std::vector<void *> &buffers, std::uint32_t count,
              unsigned threads) {
  if (threads == 1)
    return rows(buffers, 0, count);
  const std::uint32_t chunks = std::min(count, threads * 16);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
    rows(buffers, static_cast<std::uint32_t>(std::uint64_t{count} * chunk / chunks),
         static_cast<std::uint32_t>(std::uint64_t{count} * (chunk + 1) / chunks));
}

/// Memory aligned as khal's.
std::shared_ptr<void> aligned(const Bytes &start) {
  constexpr std::size_t alignment = 64;
  const std::size_t size = (start.size() + alignment - 1) / alignment * alignment;
  std::shared_ptr<void> memory(std::aligned_alloc(alignment, size), std::free);
  if (!memory)
    throw std::bad_alloc();
  std::memcpy(memory.get(), start.data(), start.size());
  return memory;
}

} // namespace

double Comparison::Times::median() const {
  std::vector<double> sorted(all);
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
  return sorted[sorted.size() / 2];
}

double Comparison::Times::least() const {
  return *std::min_element(all.begin(), all.end());
}

Contender Comparison::peer(const Case &one, const char *name, const Rows &rows,
                           const std::vector<Bytes> &start) const {
  std::vector<std::shared_ptr<void>> owners;
  std::vector<void *> buffers;
  for (const Bytes &bytes : start) {
    owners.push_back(aligned(bytes));
    buffers.push_back(owners.back().get());
  }
  const std::size_t result = one.result, bytes = start[result].size();
  return {
      name,
      [=, count = one.rows, threads = options.threads] { shareOut(rows, buffers, count, threads); },
      [=] {
        const auto *first = static_cast<const std::byte *>(owners[result].get());
        return Bytes(first, first + bytes);
      }};
}

std::vector<Contender> Comparison::contendersFor(const Case &one) const {
  const std::vector<Bytes> start = contents(one);
  std::vector<Contender> all{one.khal(device, start), peer(one, "OpenMP", one.openmp, start)};
  if (one.ispc)
    all.push_back(peer(one, "ISPC", one.ispc, start));
  if (openCl)
    all.push_back(openCl->contender(one, start));
  return all;
}

void Comparison::run(const Case &one) {
  const auto &names = options.names;
  if (!names.empty() && std::find(names.begin(), names.end(), one.name) == names.end())
    return;
  const std::vector<Contender> contenders = contendersFor(one);
  for (const Contender &contender : contenders)
    contender.run();
  const Bytes ours = contenders.front().result();
  for (const Contender &contender : contenders)
    if (!agree(ours, contender.result(), one.agreement))
      throw std::runtime_error(one.name + ": " + contender.name + " disagrees with khal");

  std::vector<Times> times(contenders.size());
  for (unsigned run = 0; run < options.runs; ++run)
    for (std::size_t i = 0; i < contenders.size(); ++i)
      times[i].all.push_back(milliseconds(contenders[i].run));

  const double median = times[0].median(), least = times[0].least();
  std::printf("%-14s khal %9.3f ms", one.name.c_str(), median);
  double worst = 0;
  for (std::size_t i = 1; i < contenders.size(); ++i) {
    const double ratio = median / times[i].median();
    std::printf(" | %s %9.3f ms %5.2f %5.2f", contenders[i].name.c_str(), times[i].median(), ratio,
                least / times[i].least());
    ratios[contenders[i].name].push_back(ratio);
    worst = std::max(worst, ratio);
  }
  std::printf("\n");
  std::fflush(stdout);
  if (worst > mostOfBest)
    behind.push_back(one.name);
}

void Comparison::printMeans() const {
  for (const auto &[name, values] : ratios)
    std::printf("khal / %s: geometric mean %.3f of %zu kernels\n", name.c_str(),
                geometricMean(values), values.size());
  for (const std::string &name : behind)
    std::printf("above %.2f of the best: %s\n", mostOfBest, name.c_str());
}

} // namespace bench
