// Device functions are ordinary C++: they run in a program that knows nothing of khalc, by either
// compiler.
//
// RUN: %cxx -Wall -Wextra -Wpedantic -Werror -O1 %s -o %t.host && %t.host
// RUN: %clangxx -Wall -Wextra -Werror -O1 %s -o %t.clang && %t.clang
#include <khal/kernel.hpp>
#include <khal/kernel/float_parts.hpp>
#include <khal/kernel/matrix.hpp>
#include <khal/kernel/pack.hpp>
#include <khal/kernel/quaternion.hpp>
#include <khal/kernel/random.hpp>

#include <cstdio>

using namespace khal;

static_assert(extract_bits(i32{0xf0}, 4, 4) == -1 && extract_bits(0xf0u, 4, 4) == 15);
static_assert(insert_bits(0u, 0xffu, 4, 4) == 0xf0u && insert_bits(7u, 1u, 40, 3) == 7u);
static_assert(find_msb(-1) == -1 && find_msb(-2) == 0 && find_lsb(8) == 3);
static_assert(rotate(0x80000001u, 1) == 3u && rotate(3u, -1) == 0x80000001u);
static_assert(mul_hi(i64{-1}, i64{1} << 62) == -1 && mul_hi(u64{1} << 63, u64{6}) == 3);
static_assert(bf16(1.0f) + bf16(2.0f) == bf16(3) && bf16(0x1.01p0f).bits == 0x3f80);
static_assert(dot4(i8x4(0x01020304u), i8x4(0xff010101u), 5) == 5 + 4 + 3 + 2 - 1);
static_assert(determinant(float4x4(2.0f)) == 16.0f && transpose(float2x3(1.0f)) == float3x2(1.0f));
static_assert(ldexp(1.0, -1074) > 0.0 && ldexp(1.0, -1076) == 0.0 && ilogb(0.75f) == -1);
static_assert(range(3, 10, 3).size() == 3);

namespace {

int faults = 0;

void expect(bool condition, const char *what) {
  if (condition)
    return;
  std::printf("%s is wrong\n", what);
  ++faults;
}

template <u32 N> bool isNearIdentity(const mat<double, N, N> &m) {
  for (u32 c = 0; c < N; ++c)
    for (u32 r = 0; r < N; ++r)
      if (abs(m[c][r] - (c == r ? 1.0 : 0.0)) > 1e-12)
        return false;
  return true;
}

void matrices() {
  const double4x4 m(double4(2, 0.5, 1, 0), double4(1, 3, 0, 1), double4(0, 1, 4, 2),
                    double4(1, 0, 0.25, 5));
  expect(isNearIdentity(m * inverse(m)), "the inverse of 4x4");
  const double3x3 n(double3(2, 0.5, 1), double3(1, 3, 0), double3(0, 1, 4));
  expect(isNearIdentity(inverse(n) * n), "the inverse of 3x3");
  const double2x2 o(double2(1, 2), double2(3, 5));
  expect(isNearIdentity(o * inverse(o)), "the inverse of 2x2");
  expect(double2(1, 2) * double3x2(double2(1, 0), double2(0, 1), double2(1, 1)) == double3(1, 2, 3),
         "a row vector times a matrix");
}

void rotations() {
  const dquat q = rotation(normalize(double3(1, 2, 3)), 1.0);
  const double3 v(0.3, -1, 2);
  expect(length(rotate(q, v) - to_matrix(q) * v) < 1e-12, "a rotation by matrix");
  const dquat back = to_quaternion(to_matrix(q));
  expect(abs(dot(back, q) - 1) < 1e-12, "a matrix' quaternion");
  expect(length(rotate(inverse(q), rotate(q, v)) - v) < 1e-12, "a rotation back");
  const dquat half = slerp(dquat::identity(), q, 0.5);
  expect(length(rotate(half, rotate(half, v)) - rotate(q, v)) < 1e-12, "half a rotation");
}

/// Every half, and floats around the places where its rounding changes.
void halves() {
  for (u32 bits = 0; bits < 0x10000; ++bits) {
    const float value = detail::from_half_bits(bits);
    if (value != value)
      continue;
    expect(detail::half_bits(value) == bits, "a half there and back");
#if KHAL_HAS_F16
    expect(bit_cast<u16>(static_cast<f16>(value)) == bits, "a half's value");
    const float between = bit_cast<float>(bit_cast<u32>(value) + (bits % 3) * 0x1000u - 1);
    if (between == between)
      expect(bit_cast<u16>(static_cast<f16>(between)) == detail::half_bits(between), "rounding");
#endif
  }
}

void upperHalves() {
  for (u32 bits = 0; bits < 0x10000; ++bits) {
    const bf16 value = bf16::from_bits(static_cast<u16>(bits));
    if (isnan(value))
      continue;
    expect(bf16(float(value)).bits == bits, "a bf16 there and back");
    // A little beyond half way to the next goes there, even where a float can't tell.
    if (abs(value) >= bf16(0x1p-100f) && abs(value) < bf16(0x1p120f)) {
      const double next = bf16::from_bits(static_cast<u16>(bits + 1));
      const double middle = (double(float(value)) + next) / 2;
      expect(bf16(middle + (next - middle) * 0x1p-30).bits == bits + 1,
             "a double above the middle");
      expect(bf16(middle - (next - middle) * 0x1p-30).bits == bits, "a double below the middle");
      expect(bf16(middle).bits == bits + (bits & 1), "a double in the middle");
    }
  }
  expect(float(bf16((1 << 24) + (1 << 16) + 1)) == float((1 << 24) + (1 << 17)),
         "an integer above the middle");
}

} // namespace

int main() {
  matrices();
  rotations();
  halves();
  upperHalves();
  return faults != 0;
}
