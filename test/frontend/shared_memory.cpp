// One global for each shared variable of each function and each instantiation; no guards, no value.
// RUN: %khal-opt --abi=shader --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=nvptx --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=host --emit-ir %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-DAG: @{{.*}}kernel{{.*}}4tile = internal {{.*}}global [16 x [17 x float]] poison, section "khal.shared"
// CHECK-DAG: @{{.*}}sumILj4E{{.*}}7partial{{.*}} = internal {{.*}}global [4 x float] poison, section "khal.shared"
// CHECK-DAG: @{{.*}}sumILj8E{{.*}}partial{{.*}} = internal {{.*}}global [8 x float] poison, section "khal.shared"
// CHECK-DAG: @{{.*}}scopesIfET_S0_E1t = internal {{.*}}global i32 poison, section "khal.shared"
// CHECK-DAG: @{{.*}}scopesIfET_S0_E1t_0 = internal {{.*}}global i64 poison, section "khal.shared"
// CHECK-DAG: @"{{.*}}kernel{{.*}}5inner" = internal {{.*}}global {{.*}} poison, section "khal.shared"
// CHECK-NOT: guard
// CHECK-NOT: unused

template <u32 N> float sum(float x) {
  [[khal::shared]] float partial[N];
  partial[local_index() % N] = x;
  barrier();
  return partial[0];
}

template <class T> inline T scopes(T x) {
  {
    [[khal::shared]] int t;
    t = 1;
    x += t;
  }
  {
    [[khal::shared]] u64 t;
    t = 2;
    x += t;
  }
  return x;
}

inline void not_called() {
  [[khal::shared]] int unused;
  unused = 1;
}

[[khal::kernel(64)]] void kernel(span<float> a) {
  [[khal::shared]] float tile[16][17];
  tile[local_index() % 16][0] = a[0];
  a[1] = sum<4>(a[1]) + sum<8>(a[2]) + scopes(a[3]);
  const auto lambda = [&] {
    [[khal::shared]] uint3 inner;
    inner = local_id();
    barrier();
    return inner.x;
  };
  a[4] = tile[0][0] + lambda();
}
