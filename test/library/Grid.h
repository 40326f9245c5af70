//===- Grid.h - what became of each operation with each type ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cell of the grid is filled by a run that was compared, by "-" where the operation doesn't take
// the type, or by why the device can't. One that nothing filled is a fault.
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_LIBRARY_GRID_H
#define KHAL_TEST_LIBRARY_GRID_H

#include <string>

namespace library::grid {

/// `operation` and `type` as in grid.def and types.def.
void passed(const std::string &operation, const std::string &type);
void failed(const std::string &operation, const std::string &type);
void not_taken(const std::string &operation, const std::string &type);
/// All operations of a section ("pure", "subgroup", "group") with this type.
void cannot(const std::string &section, const std::string &type, const std::string &reason);

} // namespace library::grid

#endif // KHAL_TEST_LIBRARY_GRID_H
