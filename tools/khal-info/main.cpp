//===- main.cpp - lists the devices and what they can do --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   khal-info          the devices, best first, for people and for `grep`
//   khal-info --json   the same for programs
//   khal-info --smoke-test [ID…]   runs a small test on every device, or on those named
//
// Exit codes: 0 done, 1 a device doesn't work, 2 bad use of the command, 3 environment (a bad KHAL_… variable).
//
//===------------------------------------------------------------------------------------------===//
#include "smoke_test.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>
#include <sstream>

namespace {

constexpr int exit_failed = 1;
constexpr int exit_bad_use = 2;
constexpr int exit_environment = 3;

/// "1.5 GiB"
std::string bytes_text(std::uint64_t bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < std::size(units); ++unit)
    amount /= 1024;
  std::ostringstream out;
  out << std::fixed << std::setprecision(amount < 100 && unit > 0 ? 1 : 0) << amount << ' '
      << units[unit];
  return out.str();
}

std::string extent_text(const std::array<std::uint32_t, 3> &extent) {
  std::ostringstream out;
  out << extent[0] << " x " << extent[1] << " x " << extent[2];
  return out.str();
}

/// A line of a device's description; long lists go on in further lines of the same column.
void print_row(const std::string &key, const std::string &value) {
  constexpr std::size_t indent = 20;
  constexpr std::size_t width = 100;
  std::cout << "  " << std::left << std::setw(indent - 2) << key;
  std::size_t column = indent;
  std::istringstream words(value);
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > width) {
      std::cout << '\n' << std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      std::cout << ' ';
      ++column;
    }
    std::cout << word;
    column += word.size();
  }
  std::cout << '\n';
}

std::string features_text(const khal::DeviceInfo &info) {
  std::string all;
  for (const std::string &name : khal::feature_names(info.features))
    all += (all.empty() ? "" : " ") + name;
  return all.empty() ? "none" : all;
}

void print(const khal::DeviceInfo &info) {
  std::cout << info.id << "  " << info.name << '\n';
  print_row("driver", info.driver);
  print_row("memory", bytes_text(info.memory_bytes) +
                          (info.shares_host_memory ? ", shared with the host" : ""));
  if (info.units > 0)
    print_row(info.backend == khal::Backend::cpu ? "threads" : "multiprocessors",
              std::to_string(info.units));
  print_row("subgroup size",
            info.subgroup_size > 0 ? std::to_string(info.subgroup_size) : "no subgroups");
  print_row("features", features_text(info));
  print_row("group size", std::to_string(info.limits.max_group_items) + " work-items, " +
                              extent_text(info.limits.max_group_size) + " by dimension");
  print_row("groups", extent_text(info.limits.max_groups));
  print_row("shared memory", bytes_text(info.limits.max_shared_bytes) + " a group");
  print_row("largest buffer", bytes_text(info.limits.max_buffer_bytes));
  if (info.validated)
    print_row("validation", "on");
}

nlohmann::ordered_json to_json(const khal::DeviceInfo &info) {
  return {{"id", info.id},
          {"backend", khal::to_string(info.backend)},
          {"name", info.name},
          {"driver", info.driver},
          {"memory_bytes", info.memory_bytes},
          {"shares_host_memory", info.shares_host_memory},
          {"units", info.units},
          {"subgroup_size", info.subgroup_size},
          {"features", khal::feature_names(info.features)},
          {"limits",
           {{"max_group_size", info.limits.max_group_size},
            {"max_group_items", info.limits.max_group_items},
            {"max_groups", info.limits.max_groups},
            {"max_shared_bytes", info.limits.max_shared_bytes},
            {"max_buffer_bytes", info.limits.max_buffer_bytes}}},
          {"validated", info.validated}};
}

void list_as_json() {
  nlohmann::ordered_json all{{"devices", nlohmann::ordered_json::array()},
                             {"missing", nlohmann::ordered_json::array()}};
  for (const khal::Device &device : khal::Device::all())
    all["devices"].push_back(to_json(device.info()));
  for (const khal::MissingBackend &missing : khal::Device::missing())
    all["missing"].push_back(
        {{"backend", khal::to_string(missing.backend)}, {"reason", missing.reason}});
  // What drivers call things may not be UTF-8.
  std::cout << all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

void list_for_people() {
  for (const khal::Device &device : khal::Device::all()) {
    print(device.info());
    std::cout << '\n';
  }
  for (const khal::MissingBackend &missing : khal::Device::missing())
    std::cout << khal::to_string(missing.backend) << ": " << missing.reason << '\n';
}

std::string microseconds(std::chrono::nanoseconds time) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(1) << static_cast<double>(time.count()) * 1e-3 << " us";
  return out.str();
}

/// A line for each device; false when one doesn't work.
bool run_smoke_tests(const std::vector<std::string> &ids) {
  std::vector<khal::Device> devices;
  for (const std::string &id : ids)
    devices.push_back(khal::open(id));
  if (ids.empty())
    devices = khal::Device::all();
  bool all_work = true;
  for (const khal::Device &device : devices) {
    const SmokeTest test = smoke_test(device);
    std::cout << device.info().id << "  " << device.info().name << ": ";
    if (!test.works)
      std::cout << "DOESN'T WORK: " << test.failure;
    else if (!test.ran_kernel)
      std::cout << "moves data (built without khalc: no kernel was run)";
    else
      std::cout << "works; a small launch takes "
                << (test.timing.device ? microseconds(*test.timing.device) + " on the device, "
                                       : "")
                << microseconds(test.timing.end_to_end) << " end to end";
    std::cout << '\n';
    all_work = all_work && test.works;
  }
  return all_work;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Lists the devices that khal can run kernels on, best first: the first is what\n"
               "khal::Device opens when KHAL_DEVICE doesn't name another.",
               "khal-info");
  bool json = false;
  bool smoke = false;
  std::vector<std::string> ids;
  CLI::Option *json_option = app.add_flag("--json", json, "Print JSON");
  CLI::Option *smoke_option = app.add_flag("--smoke-test", smoke,
                                           "Run a small test on each device; exit code 1 when one "
                                           "doesn't work")
                                  ->excludes(json_option);
  app.add_option("devices", ids, "With --smoke-test: only these (cuda:0, vulkan:1, cpu)")
      ->needs(smoke_option);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : exit_bad_use;
  }
  try {
    bool works = true;
    if (smoke)
      works = run_smoke_tests(ids);
    else
      json ? list_as_json() : list_for_people();
    std::cout.flush();
    if (!std::cout) {
      std::cerr << "khal-info: the output can't be written\n";
      return exit_environment;
    }
    return works ? 0 : exit_failed;
  } catch (const khal::Error &error) {
    std::cerr << "khal-info: " << error.what() << '\n';
    return exit_environment;
  }
}
