//===- Grid.cpp - what became of each operation with each type --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "Grid.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <map>
#include <vector>

namespace library::grid {

namespace {

struct Row {
  const char *section, *operation;
};
const Row rows[] = {
#define PURE(name, ...) {"pure", #name},
#include "grid.def"
#define SUBGROUP(name, ...) {"subgroup", "subgroup_" #name},
#define MOVE(name, ...) {"subgroup", #name},
#include "grid.def"
#define GROUP(name, ...) {"group", "group_" #name},
#include "grid.def"
};
const char *const types[] = {
#define TYPE(T, name) #name,
#include "types.def"
};

std::map<std::string, std::map<std::string, std::string>> cells;
std::vector<std::string> reasons;

/// After all tests: prints the grid and asks that no cell is empty.
class Printer : public testing::Environment {
  void TearDown() override {
    // A run of some tests alone fills some cells alone.
    const bool isWhole = testing::UnitTest::GetInstance()->test_to_run_count() ==
                         testing::UnitTest::GetInstance()->total_test_count();
    std::printf("%-22s", "");
    for (const char *type : types)
      std::printf("%-7s", type);
    std::printf("\n");
    for (const Row &row : rows) {
      std::printf("%-22s", row.operation);
      for (const char *type : types) {
        const std::string &cell = cells[row.operation][type];
        std::printf("%-7s", cell.empty() ? "?" : cell.c_str());
        EXPECT_TRUE(!isWhole || !cell.empty()) << row.operation << " of " << type << " never ran";
      }
      std::printf("\n");
    }
    for (std::size_t i = 0; i < reasons.size(); ++i)
      std::printf("can't %zu: %s\n", i + 1, reasons[i].c_str());
  }
};
const testing::Environment *const printer = testing::AddGlobalTestEnvironment(new Printer);

} // namespace

void passed(const std::string &operation, const std::string &type) {
  std::string &cell = cells[operation][type];
  if (cell.empty())
    cell = "pass";
}

void failed(const std::string &operation, const std::string &type) {
  cells[operation][type] = "FAIL";
}

void not_taken(const std::string &operation, const std::string &type) {
  cells[operation][type] = "-";
}

void cannot(const std::string &section, const std::string &type, const std::string &reason) {
  reasons.push_back(reason);
  for (const Row &row : rows)
    if (row.section == section)
      cells[row.operation][type] = "no " + std::to_string(reasons.size());
}

} // namespace library::grid
