// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

struct Empty {};
struct Packed {
  [[no_unique_address]] Empty none;
  u32 x;
};
// CHECK: closed_layout.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 'a' of kernel 'kernel' has type '::Packed', whose layout a plain struct can't have; declare its members without {{\[\[}}no_unique_address]] and with no base that is reused for padding [khal-parameter-layout]
[[khal::kernel(64)]] void kernel(span<Packed> a) { a[0].x = 1; }
