//===- example.hpp - what every example program does the same ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command line, device, timing, and saying whether the device's results are right. An example is
//
//   int main(int argc, char **argv) {
//     return example::run(argc, argv, "what it does", {{"size", "1000", "how many"}},
//                         [](example::Context &context) { …; context.check("values", good); });
//   }
//
// and ends with 0 only when every check held.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_EXAMPLES_COMMON_EXAMPLE_HPP
#define KHAL_EXAMPLES_COMMON_EXAMPLE_HPP

#include <khal/khal.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace example {

/// `--name=value` on the command line, with what it is when it isn't given.
struct Option {
  std::string name;
  std::string value;
  std::string help;
};

/// Bad use of the command line.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Random numbers that are the same everywhere.
class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}
  std::uint64_t bits() { // splitmix64
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// From -1 up to, but not, 1.
  float unit() { return static_cast<float>(static_cast<std::int32_t>(bits() >> 32)) * 0x1p-31f; }

private:
  std::uint64_t state;
};

/// The largest of some errors; infinite when one isn't a number.
class Worst {
public:
  void add(double error) {
    value_ = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(value_, error);
  }
  double value() const { return value_; }

private:
  double value_ = 0;
};

class Context {
public:
  Context(khal::Device device, std::vector<Option> options)
      : device(std::move(device)), stream(this->device), options(std::move(options)) {}

  const std::string &text(std::string_view name) const {
    for (const Option &option : options)
      if (option.name == name)
        return option.value;
    throw UsageError("no option " + std::string(name));
  }

  /// An option as a number from `least` to `most`.
  std::uint32_t number(std::string_view name, std::uint32_t least, std::uint32_t most) const {
    const std::string &value = text(name);
    std::uint32_t result = 0;
    const char *end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, result);
    if (error != std::errc() || stop != end || result < least || result > most)
      throw UsageError("--" + std::string(name) + "=" + value + ": give a number from " +
                       std::to_string(least) + " to " + std::to_string(most));
    return result;
  }

  /// The least time, in seconds, of several runs of `work` on the stream, after one that warms up.
  template <class Work> double time(Work work) {
    double least = 1e30;
    for (int i = 0; i < 4; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      work();
      stream.wait();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      if (i > 0)
        least = std::min(least, took.count());
    }
    return least;
  }

  /// Says whether something is as it should be.
  void check(const std::string &what, bool right) {
    std::printf("  %-5s %s\n", right ? "right" : "WRONG", what.c_str());
    allRight = allRight && right;
  }

  khal::Device device;
  khal::Stream stream;
  bool allRight = true;

private:
  std::vector<Option> options;
};

inline void print_usage(const char *program, const char *purpose,
                        const std::vector<Option> &options) {
  std::printf("%s\n\n  %s [--device=ID] [--NAME=VALUE …]\n\n", purpose, program);
  for (const Option &option : options)
    std::printf("  --%-10s %s (%s)\n", option.name.c_str(), option.help.c_str(),
                option.value.empty() ? "none" : option.value.c_str());
}

/// Runs an example's body: 0 when all is right, 1 when something is wrong, 2 for bad use.
template <class Body>
int run(int argc, char **argv, const char *purpose, std::vector<Option> options, Body body) try {
  options.insert(
      options.begin(),
      {"device", "", "the device to run on, \"cpu\" or \"vulkan:0\"; the best there is"});
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (argument == "--help" || argument == "-h") {
      print_usage(argv[0], purpose, options);
      return 0;
    }
    const auto option = std::find_if(options.begin(), options.end(), [&](const Option &candidate) {
      return equals != argument.npos && argument.substr(0, equals) == "--" + candidate.name;
    });
    if (option == options.end())
      throw UsageError("unknown argument '" + std::string(argument) + "'; --help lists them");
    option->value = argument.substr(equals + 1);
  }
  const std::string id = options.front().value;
  Context context(id.empty() ? khal::Device() : khal::open(id), std::move(options));
  const khal::DeviceInfo &info = context.device.info();
  std::printf("%s\n  on    %s: %s (%s)\n", purpose, info.id.c_str(), info.name.c_str(),
              info.driver.c_str());
  body(context);
  return context.allRight ? 0 : 1;
} catch (const UsageError &error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 2;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}

} // namespace example

#endif // KHAL_EXAMPLES_COMMON_EXAMPLE_HPP
