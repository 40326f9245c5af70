//===- main.cpp - khal's CPU kernels against OpenMP and ISPC ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Each kernel is run by turns with its peers, on one thread, after all of them were found to give
// the same; what is printed are medians and ratios. Not a test.
//
//===------------------------------------------------------------------------------------------===//
#include "kernels.khal.hpp"
#include "peers.h"

#include <khal/khal.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using u32 = std::uint32_t;

struct Options {
  unsigned runs = 9;
  u32 scale = 1; ///< divides the problem sizes
};

struct Contender {
  const char *name;
  std::function<void()> run;
  std::function<std::vector<float>()> result;
};

double milliseconds(const std::function<void()> &run) {
  const auto before = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before)
      .count();
}

/// False if the results differ by more than vector functions and contraction explain.
bool agree(const std::vector<float> &a, const std::vector<float> &b, float tolerance) {
  if (a.size() != b.size())
    return false;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    wrong += !(std::abs(a[i] - b[i]) <= tolerance * std::max(1.0f, std::abs(a[i])));
  // Points on the edge of the Mandelbrot set may go either way.
  return wrong * 1000 <= a.size();
}

/// Prints a line of medians. The first contender is khal, the one that ratios are for.
bool compare(const std::string &title, const Options &options, float tolerance,
             const std::vector<Contender> &contenders) {
  for (const Contender &one : contenders)
    one.run();
  for (const Contender &one : contenders)
    if (!agree(contenders.front().result(), one.result(), tolerance)) {
      std::fprintf(stderr, "%s: %s disagrees with khal\n", title.c_str(), one.name);
      return false;
    }
  std::vector<std::vector<double>> times(contenders.size());
  for (unsigned run = 0; run < options.runs; ++run)
    for (std::size_t i = 0; i < contenders.size(); ++i)
      times[i].push_back(milliseconds(contenders[i].run));
  std::printf("%-24s", title.c_str());
  double khal = 0;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    std::nth_element(times[i].begin(), times[i].begin() + options.runs / 2, times[i].end());
    const double median = times[i][options.runs / 2];
    if (i == 0)
      khal = median;
    std::printf("  %s %9.3f ms", contenders[i].name, median);
    if (i > 0)
      std::printf(" (%.2f)", khal / median);
  }
  std::printf("\n");
  std::fflush(stdout);
  return true;
}

std::vector<float> numbers(std::size_t count, float low, float high) {
  std::vector<float> values(count);
  u32 state = 12345;
  for (float &value : values) {
    state = state * 1664525u + 1013904223u;
    value = low + (high - low) * static_cast<float>(state >> 8) / 16777216.0f;
  }
  return values;
}

/// The buffers of each contender, so that none finds another's results in the cache.
struct Set {
  std::vector<std::vector<float>> arrays;
  float *operator[](std::size_t i) { return arrays[i].data(); }
};

class Bench {
public:
  explicit Bench(Options options) : options(options), device(khal::open("cpu")), stream(device) {}

  bool run() { return triad() & nbody() & mandelbrot() & blackScholes() & matmul() & launch(); }

private:
  khal::Buffer<float> upload(const std::vector<float> &values) { return device.upload(values); }

  bool triad() {
    const u32 n = (1u << 24) / options.scale;
    const auto b = numbers(n, 0, 1), c = numbers(n, 1, 2);
    auto a = device.zeros<float>(n);
    const auto kb = upload(b), kc = upload(c);
    std::vector<float> o(n), i(n);
    std::vector<Contender> all = {
        {"khal", [&] { kernels::triad(stream, khal::threads(n), a, kb, kc, 3.0f), stream.wait(); },
         [&] { return a.download(); }},
        {"OpenMP", [&] { openmp::triad(o.data(), b.data(), c.data(), 3.0f, n); },
         [&] { return o; }}};
#ifdef KHAL_BENCH_ISPC
    all.push_back(
        {"ISPC", [&] { ispc_triad(i.data(), b.data(), c.data(), 3.0f, n); }, [&] { return i; }});
#endif
    return compare("triad " + std::to_string(n), options, 1e-6f, all);
  }

  bool nbody() {
    const u32 n = 16384 / options.scale;
    const auto x = numbers(n, -1, 1), y = numbers(n, -2, 1), z = numbers(n, -1, 3),
               m = numbers(n, 0, 1);
    const auto kx = upload(x), ky = upload(y), kz = upload(z), km = upload(m);
    auto ax = device.zeros<float>(n), ay = device.zeros<float>(n), az = device.zeros<float>(n);
    std::vector<float> o[3], i[3];
    for (int d = 0; d < 3; ++d)
      o[d].resize(n), i[d].resize(n);
    std::vector<Contender> all = {{"khal",
                                   [&] {
                                     kernels::nbody(stream, khal::threads(n), kx, ky, kz, km, ax,
                                                    ay, az);
                                     stream.wait();
                                   },
                                   [&] { return ax.download(); }},
                                  {"OpenMP",
                                   [&] {
                                     openmp::nbody(x.data(), y.data(), z.data(), m.data(),
                                                   o[0].data(), o[1].data(), o[2].data(), n);
                                   },
                                   [&] { return o[0]; }}};
#ifdef KHAL_BENCH_ISPC
    all.push_back({"ISPC",
                   [&] {
                     ispc_nbody(x.data(), y.data(), z.data(), m.data(), i[0].data(), i[1].data(),
                                i[2].data(), n);
                   },
                   [&] { return i[0]; }});
#endif
    return compare("n-body " + std::to_string(n), options, 1e-2f, all);
  }

  bool mandelbrot() {
    const u32 width = 2048 / options.scale;
    const std::int32_t most = 100;
    auto counts = device.zeros<std::int32_t>(width * width);
    std::vector<std::int32_t> o(width * width), i(width * width);
    auto floats = [](const std::vector<std::int32_t> &v) {
      return std::vector<float>(v.begin(), v.end());
    };
    std::vector<Contender> all = {
        {"khal",
         [&] {
           kernels::mandelbrot(stream, khal::threads(width, width), counts, width, most);
           stream.wait();
         },
         [&] { return floats(counts.download()); }},
        {"OpenMP", [&] { openmp::mandelbrot(o.data(), width, most); }, [&] { return floats(o); }}};
#ifdef KHAL_BENCH_ISPC
    all.push_back(
        {"ISPC", [&] { ispc_mandelbrot(i.data(), width, most); }, [&] { return floats(i); }});
#endif
    return compare("Mandelbrot " + std::to_string(width) + "^2", options, 0, all);
  }

  bool blackScholes() {
    const u32 n = (4u << 20) / options.scale;
    const auto price = numbers(n, 5, 30), strike = numbers(n, 1, 100),
               years = numbers(n, 0.25f, 10);
    const auto kp = upload(price), ks = upload(strike), ky = upload(years);
    auto call = device.zeros<float>(n);
    std::vector<float> o(n), i(n);
    std::vector<Contender> all = {{"khal",
                                   [&] {
                                     kernels::black_scholes(stream, khal::threads(n), kp, ks, ky,
                                                            call, 0.02f, 0.3f);
                                     stream.wait();
                                   },
                                   [&] { return call.download(); }},
                                  {"OpenMP",
                                   [&] {
                                     openmp::black_scholes(price.data(), strike.data(),
                                                           years.data(), o.data(), 0.02f, 0.3f, n);
                                   },
                                   [&] { return o; }}};
#ifdef KHAL_BENCH_ISPC
    all.push_back({"ISPC",
                   [&] {
                     ispc_black_scholes(price.data(), strike.data(), years.data(), i.data(), 0.02f,
                                        0.3f, n);
                   },
                   [&] { return i; }});
#endif
    return compare("Black-Scholes " + std::to_string(n), options, 1e-3f, all);
  }

  bool matmul() {
    const u32 n = 1024 / options.scale;
    const auto a = numbers(n * n, -1, 1), b = numbers(n * n, -1, 1);
    const auto ka = upload(a), kb = upload(b);
    auto c = device.zeros<float>(n * n);
    std::vector<float> o(n * n), i(n * n);
    std::vector<Contender> all = {
        {"khal", [&] { kernels::matmul(stream, khal::threads(n, n), ka, kb, c, n), stream.wait(); },
         [&] { return c.download(); }},
        {"OpenMP", [&] { openmp::matmul(a.data(), b.data(), o.data(), n); }, [&] { return o; }}};
#ifdef KHAL_BENCH_ISPC
    all.push_back(
        {"ISPC", [&] { ispc_matmul(a.data(), b.data(), i.data(), n); }, [&] { return i; }});
#endif
    return compare("matmul, naive, " + std::to_string(n) + "^3", options, 1e-3f, all);
  }

  /// A launch of one group and the wait for it.
  bool launch() {
    auto one = device.zeros<u32>(1);
    std::vector<double> times;
    for (unsigned i = 0; i < 2000; ++i)
      times.push_back(milliseconds([&] {
        kernels::nothing(stream, khal::groups(1), one);
        stream.wait();
      }));
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    std::printf("%-24s  khal %9.2f us\n", "launch of one group", times[times.size() / 2] * 1e3);
    return true;
  }

  Options options;
  khal::Device device;
  khal::Stream stream;
};

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("khal's CPU kernels against OpenMP and ISPC, medians of interleaved runs");
  app.add_option("--runs", options.runs, "timed runs of each")->check(CLI::Range(1, 1000));
  app.add_option("--divide", options.scale, "divides problem sizes")->check(CLI::Range(1, 16));
  CLI11_PARSE(app, argc, argv);
  setenv("KHAL_CPU_THREADS", "1", /*overwrite=*/0);
  try {
    return Bench(options).run() ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const khal::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
