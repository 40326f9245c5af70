// What a target can't express is an error at the first line that needs it.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 1 %khalc --target=wgsl -o %t/wgsl %s 2>&1 | FileCheck --check-prefix=WGSL %s
// RUN: not ls %t/wgsl
// RUN: %exits 1 %khalc --target=all,msl -o %t/msl %s 2>&1 | FileCheck --check-prefix=MSL %s
// RUN: %exits 1 %khalc --target=hlsl -o %t/hlsl %s 2>&1 | FileCheck --check-prefix=HLSL %s
// RUN: %khalc --target=glsl,spirv --emit=json,text -o %t/able %s
// RUN: %khalc --emit=json,text,object -o %t/all %s
// RUN: ls %t/all | FileCheck --check-prefix=FILES %s
// RUN: %khalc --target=all --emit=json -o %t/optional %s
// RUN: FileCheck --check-prefix=WHY --input-file=%t/optional/double.khal.json %s
// RUN: FileCheck --check-prefix=JSON --input-file=%t/able/double.khal.json %s

#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void twice(span<double> a) {
  // HLSL: double.cpp:[[#@LINE+4]]:{{.*}} error: HLSL has no double precision; use float [khal-shader-no-double]
  // WGSL: double.cpp:[[#@LINE+3]]:{{.*}} error: WGSL has no double precision; use float [khal-shader-no-double]
  // MSL-NOT: WGSL{{.*}} error
  // MSL: double.cpp:[[#@LINE+1]]:{{.*}} error: Metal 2.2 has no double precision; use float [khal-shader-no-double]
  a[0] *= 2;
}

[[khal::kernel(64)]] void thrice(span<float> a) { a[0] *= 3; }

// FILES-NOT: {{comp|hlsl|metal|wgsl}}

// JSON: "target": "spirv",
// JSON: "target": "glsl",

// WHY: "unavailable": "HLSL has no double precision; use float"
// WHY: "unavailable": "Metal 2.2 has no double precision; use float"
// WHY: "unavailable": "WGSL has no double precision; use float"
