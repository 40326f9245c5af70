// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %khal-opt --emit-kernels --clang=-DGOOD %s | FileCheck --check-prefix=GOOD %s
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] [[khal::may_alias]] void after(span<float> a) {}
[[khal::may_alias, khal::kernel(64)]] void before(span<float> a) {}
[[khal::kernel(64)]] void neither(span<float> a) {}

#ifndef GOOD
// CHECK: may_alias.cpp:[[@LINE+1]]:3: error: 'khal::may_alias' attribute takes no arguments
[[khal::may_alias(1)]] void argument(span<float> a) {}
// CHECK: may_alias.cpp:[[@LINE+1]]:3: error: 'khal::may_alias' does nothing here; it marks a function that has 'khal::kernel' too [khal-may-alias-without-kernel]
[[khal::may_alias]] int variable;
#endif

// GOOD: "display_name": "after"
// GOOD: "may_alias": true
// GOOD: "display_name": "before"
// GOOD: "may_alias": true
// GOOD: "display_name": "neither"
// GOOD: "may_alias": false
