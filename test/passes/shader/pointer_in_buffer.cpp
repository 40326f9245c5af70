// RUN: %exits 1 %khal-opt --abi=shader --stage=spirv %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void in_buffer(span<u32> words, span<float> out) {
  float **slots = reinterpret_cast<float **>(words.data());
  // CHECK: pointer_in_buffer.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a pointer is kept in memory that can't be resolved when compiling for a shader target; index the buffer instead [khal-shader-pointer-in-memory]
  *slots[1] = 3;
  slots[0] = out.data();
}
