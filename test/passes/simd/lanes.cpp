// RUN: %khal-opt --abi=host --stage=cpu-lowered %s | FileCheck %s
//
// Eight lanes, as AVX2 has.
#include <khal/kernel.hpp>
using namespace khal;

// Neighbours' elements are loaded and stored at once; what all lanes agree on is loaded once.
// CHECK-LABEL: define internal void @{{.*}}consecutive{{.*}}.group
// CHECK: load float, ptr %factor
// CHECK: load <8 x float>, ptr
// CHECK: fmul{{.*}} <8 x float>
// CHECK: store <8 x float>
// CHECK: add nuw nsw i32 %local.x{{.*}}, 8
[[khal::kernel(64)]] void consecutive(span<float> a, const float &factor) {
  a[global_id().x] *= factor;
}

// Elements elsewhere are gathered and scattered.
// CHECK-LABEL: define internal void @{{.*}}indexed{{.*}}.group
// CHECK: [[AT:%.*]] = load <8 x i32>, ptr
// CHECK: call <8 x float> @llvm.masked.gather.v8f32
// CHECK: call void @llvm.masked.scatter.v8f32
[[khal::kernel(64)]] void indexed(span<float> a, span<const float> b, span<const u32> at) {
  const u32 i = global_id().x;
  a[i * 3] = b[at[i]];
}

// Lanes that don't take a branch have no part in what is stored in it.
// CHECK-LABEL: define internal void @{{.*}}divergent{{.*}}.group
// CHECK: [[MASK:%.*]] = icmp ult <8 x i32>
// CHECK: call void @llvm.masked.store.v8i32.p0({{.*}}, <8 x i1> [[MASK]])
[[khal::kernel(64)]] void divergent(span<u32> a) {
  const u32 i = global_id().x;
  if (i < a.size())
    a[i] = i;
}

// A condition that is the same for all is a branch, and none of the lanes is masked in it.
// CHECK-LABEL: define internal void @{{.*}}uniform_branch{{.*}}.group
// CHECK-NOT: masked
// CHECK: br i1
// CHECK-NOT: masked
// CHECK: ret void
[[khal::kernel(64)]] void uniform_branch(span<u32> a, u32 choice) {
  if (choice > 3)
    a[global_id().x] = global_id().x;
}

// A loop that lanes leave by themselves goes on until none is left, without masks while all are.
// CHECK-LABEL: define internal void @{{.*}}divergent_loop{{.*}}.group
// CHECK: some.lanes:
// CHECK: [[LIVE:%.*]] = phi <8 x i1>
// CHECK: lanes.left:
// CHECK: [[ALL:%.*]] = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1>
// CHECK-NEXT: br i1 [[ALL]], label %all.lanes, label %fewer
// CHECK: loop.next:
// CHECK: call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> {{.*}})
// CHECK-NEXT: br i1 {{.*}}, label %some.lanes
[[khal::kernel(64)]] void divergent_loop(span<u32> a) {
  u32 x = a[global_id().x], n = 0;
  while (x > 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++n;
  }
  a[global_id().x] = n;
}

// While all lanes stay, which two scalars tell, it has no masks. All that fits the registers is done at
// once: here 32 work-items, side by side.
// CHECK-LABEL: define internal void @{{.*}}strided_loop{{.*}}.group
// CHECK: call <32 x float> @llvm.masked.load.v32f32
// CHECK: all.lanes:
// CHECK: load <32 x float>, ptr %arrayidx
// CHECK: [[LAST:%.*]] = add i64 {{.*}}, 31
// CHECK: icmp ult i64 [[LAST]]
// CHECK: br i1 {{.*}}, label %all.stay, label %some.leave
[[khal::kernel(64)]] void strided_loop(span<float> sums, span<const float> a, u32 n) {
  float sum = 0;
  for (u32 k = local_id().x; k < n; k += 64)
    sum += a[k];
  sums[global_id().x] = sum;
}

// Atomics go lane by lane, live ones alone.
// CHECK-LABEL: define internal void @{{.*}}by_turns{{.*}}.group
// CHECK: lane:
// CHECK: call i8 @llvm.cttz.i8
// CHECK: atomicrmw add ptr
[[khal::kernel(64)]] void by_turns(span<u32> bins, span<const u32> data) {
  if (data[global_id().x] > 9)
    atomic_add(bins[data[global_id().x] % 16], 1u);
}

// When all are live, there's no loop over them.
// CHECK-LABEL: define internal void @{{.*}}all_by_turns{{.*}}.group
// CHECK-NOT: cttz
// CHECK-COUNT-8: atomicrmw add ptr
// CHECK-NOT: atomicrmw
// CHECK: ret void
[[khal::kernel(64)]] void all_by_turns(span<u32> bins, span<const u32> data) {
  atomic_add(bins[data[global_id().x] % 16], 1u);
}

// In memory that only the group sees, which one thread runs, nothing comes between.
// CHECK-LABEL: define internal void @{{.*}}in_shared_memory{{.*}}.group
// CHECK-NOT: atomicrmw
// CHECK: ret void
[[khal::kernel(64)]] void in_shared_memory(span<u32> bins, span<const u32> data) {
  [[khal::shared]] u32 local[64];
  local[local_id().x] = 0;
  barrier();
  atomic_add(local[data[global_id().x] % 64], 1u);
  barrier();
  bins[global_id().x] = local[local_id().x];
}

// What is the same for the whole group is kept once across barriers, not for each work-item.
// CHECK-LABEL: define internal void @{{.*}}uniform_across{{.*}}.group
// CHECK-DAG: [[STEP:%.*]] = alloca i32
// CHECK-NOT: gather
// CHECK: store i32 {{.*}}, ptr [[STEP]]
// CHECK-NOT: gather
// CHECK: ret void
[[khal::kernel(64)]] void uniform_across(span<float> a, u32 n) {
  [[khal::shared]] float tile[64];
  float sum = 0;
  for (u32 step = 0; step < n; ++step) {
    tile[local_id().x] = a[step * 64 + local_id().x];
    barrier();
    sum += tile[step % 64];
    barrier();
  }
  a[local_id().x] = sum;
}

// The rest of a group that isn't a multiple of the width has lanes that aren't live.
// CHECK-LABEL: define internal void @{{.*}}remainder{{.*}}.group
// CHECK: store <8 x i32>
// CHECK: masked.store.v8i32.p0({{.*}}, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>)
[[khal::kernel(20)]] void remainder(span<u32> a) { a[group_id().x * 20 + local_id().x] = 1; }

// An element of a private array lies beside those of the other lanes.
// CHECK-LABEL: define internal void @{{.*}}private_array{{.*}}.group
// CHECK: alloca [8 x [32 x i8]]
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK: ret void
[[khal::kernel(64)]] void private_array(span<u32> a, u32 n) {
  u32 kept[5];
  for (u32 k = 0; k < n; ++k)
    kept[k % 5] = a[global_id().x] + k;
  a[global_id().x] = kept[n % 5];
}

// So does one of an array that is filled by copying a row.
// CHECK-LABEL: define internal void @{{.*}}copied_array{{.*}}.group
// CHECK-NOT: memcpy
// CHECK: store <8 x i32> {{.*}} align 4
// CHECK-NOT: memcpy
// CHECK: ret void
[[khal::kernel(64)]] void copied_array(span<u32> a, span<const u32> rows, u32 n) {
  u32 kept[4];
  for (u32 k = 0; k < 4; ++k)
    kept[k] = rows[global_id().x * 4 + k];
  for (u32 k = 0; k < n; ++k)
    kept[k % 4] += kept[(k + 1) % 4];
  a[global_id().x] = kept[n % 4];
}
