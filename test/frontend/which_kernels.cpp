// RUN: %khal-opt --emit-kernels %s | FileCheck --implicit-check-not=display_name %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: "display_name": "plain"
// CHECK: "namespaces": []
// CHECK: "symbol": "khal_Z5plainN4khal4spanIfEE"
// CHECK: "body": "khal_body__Z5plainN4khal4spanIfEE"
[[khal::kernel(64)]] void plain(span<float> a) {}
// CHECK: "display_name": "plain"
// CHECK: "symbol": "khal_Z5plainN4khal4spanIiEE"
[[khal::kernel(64)]] void plain(span<int> a) {}
// CHECK: "display_name": "in_c"
// CHECK: "symbol": "khal_Cin_c"
extern "C" [[khal::kernel(64)]] void in_c(float *a) {}
// What only this file sees has the file's text in its symbol.
// CHECK: "display_name": "hidden"
// CHECK: "symbol": "khal_ZL6hiddenN4khal4spanIfEE_{{[0-9a-f]+}}"
[[khal::kernel(64)]] static void hidden(span<float> a) {}
namespace outer {
namespace {
// CHECK: "display_name": "outer::unnamed"
// CHECK: "namespaces": [
// CHECK-NEXT: "outer"
// CHECK-NEXT: ]
[[khal::kernel(64)]] void unnamed(span<float> a) {}
} // namespace
struct Filter {
  // CHECK: "display_name": "outer::Filter::run"
  // CHECK: "namespaces": [
  // CHECK-NEXT: "outer",
  // CHECK-NEXT: "Filter"
  [[khal::kernel(64)]] static void run(span<float> a) { helper(a); }

private:
  static void helper(span<float> a) { a[0] = 1; }
  // CHECK: "display_name": "outer::Filter::hidden"
  [[khal::kernel(64)]] static void hidden(span<float> a) { helper(a); }
};
} // namespace outer

// Only explicit instantiations and specializations are kernels.
template <class T, u32 N, bool Up = true> [[khal::kernel(64)]] void sort(span<T> a) {}
void host(span<char> a) { sort<char, 3>(a); }
[[khal::kernel(64)]] void declared_only(span<float> a);
template <> [[khal::kernel(32)]] void sort<double, 2, true>(span<double> a) {}
template void sort<float, 4>(span<float>);
extern template void sort<short, 4>(span<short>);
template void sort<float2, 4, false>(span<float2>);
// CHECK: "display_name": "sort<double, 2U, true>"
// CHECK: "display_name": "sort<float, 4U, true>"
// CHECK: "template_arguments": "<float, 4u, true>"
// CHECK: "display_name": "sort<khal::vec<float, 2>, 4U, false>"
// CHECK: "template_arguments": "<::khal::vec<float, 2u>, 4u, false>"
