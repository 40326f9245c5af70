// Kernels in class templates: those of explicit instantiations, with the class's arguments first.
// RUN: %khal-opt --emit-kernels %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

template <class T, u32 N> struct Filter {
  [[khal::kernel(N * 32)]] static void run(span<T> a) { a[0] = N; }
  template <class U> [[khal::kernel(64)]] static void to(span<const T> a, span<U> b) {
    b[0] = U(a[0]);
  }
  struct Inner {
    [[khal::kernel(64)]] static void deep(span<T> a) { a[0] = 1; }
  };
};
template struct Filter<float, 3>;
template void Filter<u32, 4>::to<u8>(span<const u32>, span<u8>);
/// Used, and not asked for.
inline u32 used() { return sizeof(Filter<i64, 5>::Inner); }
/// A specialisation is a class of its own.
template <> struct Filter<u16, 1> {
  [[khal::kernel(64)]] static void special(span<u16> a) { a[0] = 9; }
};

// CHECK-COUNT-4: "display_name":
// CHECK-NOT: "display_name":
// RUN: %khal-opt --emit-kernels %s | FileCheck --check-prefix=NAMES %s
// NAMES-DAG: "display_name": "Filter<float, 3>::run"
// NAMES-DAG: "display_name": "Filter<float, 3>::Inner::deep"
// NAMES-DAG: "display_name": "Filter<unsigned int, 4>::to<unsigned char>"
// NAMES-DAG: "display_name": "Filter<unsigned short, 1>::special"
// NAMES-DAG: "template_arguments": "<float, 3u>"
// NAMES-DAG: "template_arguments": "<std::uint32_t, 4u, std::uint8_t>"
// NAMES-DAG: "template_arguments": "<std::uint16_t, 1u>"
