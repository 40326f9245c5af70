//===- sweep_strict.cpp - maths functions on many numbers, by --fp=strict ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#define SWEEP_NAMESPACE sweep_strict
#include "kernels.hpp"
