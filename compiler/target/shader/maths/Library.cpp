//===- Library.cpp - the shader target's maths functions, as a library of IR ------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
//
// Compiled by Clang for shaders when khalc is built, and carried in it: see MathLibrary.h.
//
//===------------------------------------------------------------------------------------------===//
#include "Exponential.h"
#include "Gamma.h"
#include "Trigonometry.h"

#define MATHS_FUNCTION_1(name)                                                                     \
  extern "C" float name##OfFloat(float) __asm__("khal.maths." #name ".f32");                       \
  extern "C" double name##OfDouble(double) __asm__("khal.maths." #name ".f64");                    \
  float name##OfFloat(float x) {                                                                   \
    return khal::maths::name(x);                                                                   \
  }                                                                                                \
  double name##OfDouble(double x) {                                                                \
    return khal::maths::name(x);                                                                   \
  }
#define MATHS_FUNCTION_2(name)                                                                     \
  extern "C" float name##OfFloat(float, float) __asm__("khal.maths." #name ".f32");                \
  extern "C" double name##OfDouble(double, double) __asm__("khal.maths." #name ".f64");            \
  float name##OfFloat(float x, float y) {                                                          \
    return khal::maths::name(x, y);                                                                \
  }                                                                                                \
  double name##OfDouble(double x, double y) {                                                      \
    return khal::maths::name(x, y);                                                                \
  }
#define MATHS_FUNCTION_BY_DEVICE(name)                                                             \
  extern "C" float name##OfFloatByDevice(float) __asm__("khal.maths." #name ".device.f32");        \
  float name##OfFloatByDevice(float x) {                                                           \
    return khal::maths::name##ByDevice(x);                                                         \
  }
#include "Functions.def"
