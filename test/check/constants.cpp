// Constants of every kind reach the module with their values, and no others do.
// RUN: %khal-opt --abi=host --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=nvptx --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=shader --emit-ir %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

const int four = 4;
constexpr float table[] = {1, 2, 3};
inline constexpr int sizes[2][2] = {{1, 2}, {3, 4}};
constexpr const float *into_table = table + 1;
struct Constants {
  static constexpr u32 mask[2] = {1, 3};
  static const int small = 5;
  static constexpr float weights[3] = {1, 2, 4};
};
template <class T> constexpr T pi[1] = {T(3.14)};
struct Table {
  const float *start;
  float (*shape)(float);
};
const float behind_pointer[] = {7, 8};
inline float doubled(float x) { return 2 * x; }
constexpr Table pointers{behind_pointer, doubled};
const int unused[] = {9, 9};

[[khal::kernel(64)]] void good(span<float> a) {
  static const int odd[] = {1, 3, 5};
  const u32 i = global_index();
  a[i] = four + table[i % 3] + sizes[i % 2][1] + *into_table + Constants::mask[i % 2] +
         Constants().weights[i % 3] + Constants::small + pi<float>[i % 1] + odd[i % 3];
  a[i + 1] = pointers.start[i % 2] + pointers.shape(a[i]);
}

// CHECK-DAG: @{{.*}}table{{.*}} = internal {{.*}}constant [3 x float] [float 1.0
// CHECK-DAG: @{{.*}}sizes{{.*}} = internal {{.*}}constant [2 x [2 x i32]]
// CHECK-DAG: @{{.*}}mask{{.*}} = internal {{.*}}constant [2 x i32] [i32 1, i32 3]
// CHECK-DAG: @{{.*}}weights{{.*}} = internal {{.*}}constant [3 x float]
// CHECK-DAG: @{{.*}}2piIfE{{.*}} = internal {{.*}}constant [1 x float]
// CHECK-DAG: @{{.*}}odd{{.*}} = internal {{.*}}constant [3 x i32] [i32 1, i32 3, i32 5]
// CHECK-DAG: @{{.*}}behind_pointer{{.*}} = internal {{.*}}constant [2 x float]
// CHECK-NOT: external
// CHECK-NOT: unused
// CHECK: define internal {{.*}}doubled
