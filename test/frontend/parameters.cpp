// RUN: %khal-opt --emit-kernels %s | FileCheck %s
#include "Inputs/particle.hpp"
#include <array>
#include <khal/kernel.hpp>
using namespace khal;

struct Params {
  u32 m, k, n;
};
struct View {
  span<const float> cells;
  float scale;
  int *flags[2];
  Params params;
};

// CHECK-LABEL: "display_name": "flat"
// CHECK: "block_size": 32
// CHECK: "name": "count"
// CHECK-NEXT: "form": "reference"
// CHECK-NEXT: "type": "std::uint32_t"
// CHECK: "read_only": false
// CHECK-NEXT: "element_size": 4
// CHECK-NEXT: "object_size": [
// CHECK-NEXT: 8,
// CHECK-NEXT: 8,
// CHECK-NEXT: 4
// CHECK: "name": "raw"
// CHECK-NEXT: "form": "pointer"
// CHECK-NEXT: "type": "double"
// CHECK: "read_only": true
// CHECK: "name": "on"
// CHECK-NEXT: "form": "value"
// CHECK-NEXT: "type": "bool"
// CHECK: "kind": "uniform"
// CHECK-NEXT: "block_offset": 0
// CHECK-NEXT: "size": 1
// CHECK: "name": "v"
// CHECK-NEXT: "form": "value"
// CHECK-NEXT: "type": "::khal::vec<float, 3u>"
// CHECK: "kind": "uniform"
// CHECK-NEXT: "block_offset": 4
// CHECK-NEXT: "size": 12
// CHECK: "name": "last"
// CHECK: "kind": "uniform"
// CHECK-NEXT: "block_offset": 16
// CHECK-NEXT: "size": 8
// CHECK: "kind": "pointer"
// CHECK-NEXT: "buffer": 2
// CHECK: "kind": "length"
// CHECK-NEXT: "buffer": 2
// CHECK-NEXT: "block_offset": 24
[[khal::kernel(64)]] void flat(u32 &count, const double *raw, bool on, float3 v, i64 last,
                               span<const shapes::Particle> particles, span<u8> bytes) {}

// CHECK-LABEL: "display_name": "view"
// CHECK: "block_size": 20
// CHECK: "form": "aggregate"
// CHECK-NEXT: "type": "::View"
// CHECK: "object_size": [
// CHECK-NEXT: 56,
// CHECK-NEXT: 56,
// CHECK-NEXT: 32
// CHECK: "name": "view.cells"
// CHECK: "read_only": true
// CHECK-NEXT: "has_length": true
// CHECK: "name": "view.flags[0]"
// CHECK-NEXT: "type": "std::int32_t"
// CHECK: "read_only": false
// CHECK-NEXT: "has_length": false
// CHECK: "name": "view.flags[1]"
[[khal::kernel(64)]] void view(View view) {}

// CHECK-LABEL: "display_name": "arrays"
// CHECK: "name": "weights"
// CHECK: "type": "::std::array<float, 4u>"
[[khal::kernel(64)]] void arrays(std::array<float, 4> weights, span<float[2][3]> rows) {}
// CHECK: "name": "rows"
// CHECK: "type": "float[2][3]"
// CHECK: "element_size": 24

// CHECK-LABEL: "structs": [
// CHECK: "qualified_name": "::khal::vec<float, 3u>"
// CHECK: "origin": "khal"
// CHECK: "qualified_name": "::shapes::Particle"
// CHECK: "origin": "header"
// CHECK-NEXT: "header": "\"Inputs/particle.hpp\""
// CHECK: "name": "position"
// CHECK-NEXT: "type": "::khal::vec<float, 3u>"
// CHECK: "qualified_name": "::Params"
// CHECK: "origin": "kernel file"
// CHECK: "qualified_name": "::View"
// CHECK: "name": "cells"
// CHECK-NEXT: "type": "::khal::span<const float>"
// CHECK: "name": "flags"
// CHECK-NEXT: "type": "std::int32_t *"
// CHECK-NEXT: "extents": "[2]"
// CHECK: "qualified_name": "::std::array<float, 4
// CHECK: "header": "<array>"
