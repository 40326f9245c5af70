//===- khal/kernel/subgroup.hpp - work-items that run in step ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A subgroup is a warp, a wave, a SIMD vector: subgroup_size() work-items of one work-group, whose
// number a kernel must not assume. Only those take part that execute the call together: in a branch
// that some don't take, those that do. Results that would come from a lane that takes no part, or
// that isn't there, have no meaning.
//
// Values: integers and floating-point numbers of any width, and vectors of them, by component. Sums
// and products of floating-point numbers are made in an order that differs between targets; for
// one that doesn't, see group.hpp.
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_SUBGROUP_HPP
#define KHAL_KERNEL_SUBGROUP_HPP

#include "bits.hpp"
#include "combine.hpp"
#include "target.hpp"
#include "vector.hpp"

extern "C" {
khal::u32 __khal_subgroup_size();
khal::u32 __khal_subgroup_lane();
khal::u32 __khal_subgroup_id();
khal::u32 __khal_num_subgroups();
khal::u32 __khal_subgroup_elect();
khal::u32 __khal_subgroup_any(khal::u32 predicate);
khal::u32 __khal_subgroup_all(khal::u32 predicate);
khal::u32 __khal_subgroup_ballot(khal::u32 predicate, khal::u32 word);
khal::u32 __khal_subgroup_shuffle(khal::detail::Shuffle mode, khal::u32 value, khal::u32 operand);
void __khal_subgroup_barrier();
#define KHAL_COMBINE_BUILTIN(name, T)                                                              \
  T __khal_subgroup_combine_##name(khal::detail::Combine operation,                                \
                                   khal::detail::CombineOver range, T value);
KHAL_COMBINE_BUILTIN(u32, khal::u32)
KHAL_COMBINE_BUILTIN(i32, khal::i32)
KHAL_COMBINE_BUILTIN(u64, khal::u64)
KHAL_COMBINE_BUILTIN(i64, khal::i64)
KHAL_COMBINE_BUILTIN(f32, float)
KHAL_COMBINE_BUILTIN(f64, double)
#undef KHAL_COMBINE_BUILTIN
}

namespace khal {

/// How many lanes a subgroup has; the last of a work-group may have fewer active ones. 1 on the CPU
/// target, 32 on PTX, the device's choice on Vulkan.
inline u32 subgroup_size() {
  return __khal_subgroup_size();
}
/// Which lane of its subgroup this work-item is, below subgroup_size().
inline u32 subgroup_lane() {
  return __khal_subgroup_lane();
}
/// Which subgroup of its work-group this work-item is in, below num_subgroups(). How work-items are
/// shared out among subgroups is the device's choice.
inline u32 subgroup_id() {
  return __khal_subgroup_id();
}
inline u32 num_subgroups() {
  return __khal_num_subgroups();
}

/// Waits for the active lanes and makes what each wrote visible to all of them.
inline void subgroup_barrier() {
  __khal_subgroup_barrier();
}
/// True in exactly one of the active lanes.
inline bool subgroup_elect() {
  return __khal_subgroup_elect() != 0;
}
/// True if `condition` holds in any active lane.
inline bool subgroup_any(bool condition) {
  return __khal_subgroup_any(condition) != 0;
}
inline bool subgroup_all(bool condition) {
  return __khal_subgroup_all(condition) != 0;
}
/// Bit n % 32 of word n / 32 is 1 if lane n is active and its condition holds.
inline uint4 subgroup_ballot(bool condition) {
  return {__khal_subgroup_ballot(condition, 0), __khal_subgroup_ballot(condition, 1),
          __khal_subgroup_ballot(condition, 2), __khal_subgroup_ballot(condition, 3)};
}
/// In how many active lanes `condition` holds.
inline u32 subgroup_count(bool condition) {
  const uint4 votes = subgroup_ballot(condition);
  return popcount(votes.x) + popcount(votes.y) + popcount(votes.z) + popcount(votes.w);
}

namespace detail {

/// The value whose words are move(word) of those of `value`.
template <class T, class F> inline T move_words(T value, F move) {
  if constexpr (sizeof(T) == 8) {
    const u64 bits = bit_cast<u64>(value);
    const u32 low = move(static_cast<u32>(bits)), high = move(static_cast<u32>(bits >> 32));
    return bit_cast<T>(u64{low} | u64{high} << 32);
  } else {
    using Bits = unsigned_of<T>;
    return bit_cast<T>(static_cast<Bits>(move(u32{bit_cast<Bits>(value)})));
  }
}
template <class T, u32 N, class F> inline vec<T, N> map(const vec<T, N> &v, F function) {
  if constexpr (N == 2)
    return {function(v.x), function(v.y)};
  else if constexpr (N == 3)
    return {function(v.x), function(v.y), function(v.z)};
  else
    return {function(v.x), function(v.y), function(v.z), function(v.w)};
}

/// 8- and 16-bit numbers are combined as ones of 32 bits.
template <class T> struct Widened {
  using type = T;
};
template <NarrowFloatingPoint T> struct Widened<T> {
  using type = float;
};
template <SignedInteger T>
  requires(sizeof(T) < 4)
struct Widened<T> {
  using type = i32;
};
template <UnsignedInteger T>
  requires(sizeof(T) < 4)
struct Widened<T> {
  using type = u32;
};
template <class T> using widened = typename Widened<T>::type;

// Not fused with what made the values, so that results don't hang on it.
template <Combine O, class T> constexpr T combined(T a, T b) {
#if defined(__clang__)
#pragma clang fp contract(off) reassociate(off)
#endif
  if constexpr (is_equal<O, Combine::add>)
    return static_cast<T>(a + b);
  else if constexpr (is_equal<O, Combine::multiply>)
    return static_cast<T>(a * b);
  else if constexpr (is_equal<O, Combine::minimum>)
    return b < a ? b : a;
  else if constexpr (is_equal<O, Combine::maximum>)
    return a < b ? b : a;
  else if constexpr (is_equal<O, Combine::bit_and>)
    return a & b;
  else if constexpr (is_equal<O, Combine::bit_or>)
    return a | b;
  else
    return a ^ b;
}

/// The lowest integer of a type, or minus infinity; `highest` is the other end.
template <class T> constexpr T lowest() {
  if constexpr (FloatingPoint<T>)
    return static_cast<T>(-__builtin_huge_valf());
  else if constexpr (SignedInteger<T>)
    return static_cast<T>(unsigned_of<T>(1) << (width<T> - 1));
  else
    return 0;
}
template <class T> constexpr T highest() {
  if constexpr (FloatingPoint<T>)
    return static_cast<T>(__builtin_huge_valf());
  else
    return static_cast<T>(~lowest<T>());
}
/// What combined with any value gives that value.
template <Combine O, class T> constexpr T neutral() {
  if constexpr (is_equal<O, Combine::multiply>)
    return T(1);
  else if constexpr (is_equal<O, Combine::minimum>)
    return highest<T>();
  else if constexpr (is_equal<O, Combine::maximum>)
    return lowest<T>();
  else if constexpr (is_equal<O, Combine::bit_and>)
    return static_cast<T>(~T(0));
  else
    return T(0);
}
/// `value` as a T. What is beyond T's numbers can only be the neutral element of a scan.
template <Combine O, class T, class Wide> constexpr T narrowed(Wide value) {
  if constexpr (Integer<T> && sizeof(T) < 4 && is_equal<O, Combine::minimum>)
    return static_cast<T>(value < Wide{highest<T>()} ? value : Wide{highest<T>()});
  else if constexpr (Integer<T> && sizeof(T) < 4 && is_equal<O, Combine::maximum>)
    return static_cast<T>(value > Wide{lowest<T>()} ? value : Wide{lowest<T>()});
  else
    return static_cast<T>(value);
}

inline u32 shuffle_word(Shuffle mode, u32 word, u32 operand) {
  return __khal_subgroup_shuffle(mode, word, operand);
}

// A warp has no instructions for most of the combinations; it has shuffles.
inline constexpr u32 warp_size = 32;

template <Combine O, CombineOver R, class T> inline T combine_whole_warp(T value) {
  const auto shuffled = [&](Shuffle mode, u32 operand) {
    return move_words(value, [=](u32 word) { return shuffle_word(mode, word, operand); });
  };
  if constexpr (is_equal<R, CombineOver::all>) {
    for (u32 distance = warp_size / 2; distance > 0; distance /= 2)
      value = combined<O>(value, shuffled(Shuffle::from_xor, distance));
    return value;
  } else {
    const u32 lane = __khal_subgroup_lane();
    for (u32 distance = 1; distance < warp_size; distance *= 2) {
      const T before = shuffled(Shuffle::from_below, distance);
      value = lane >= distance ? combined<O>(before, value) : value;
    }
    if constexpr (is_equal<R, CombineOver::inclusive>)
      return value;
    const T before = shuffled(Shuffle::from_below, 1);
    return lane > 0 ? before : neutral<O, T>();
  }
}

/// The values of the active lanes one after another.
template <Combine O, CombineOver R, class T> inline T combine_active_lanes(T value, u32 active) {
  const u32 lane = __khal_subgroup_lane();
  T result = neutral<O, T>();
  for (u32 rest = active; rest != 0; rest &= rest - 1) {
    const u32 other = ctz(rest);
    const T one =
        move_words(value, [=](u32 word) { return shuffle_word(Shuffle::from_lane, word, other); });
    const bool counts = is_equal<R, CombineOver::all> || other < lane ||
                        (is_equal<R, CombineOver::inclusive> && other == lane);
    result = counts ? combined<O>(result, one) : result;
  }
  return result;
}

/// For 32- and 64-bit types.
template <Combine O, CombineOver R, class T> inline T combine_words(T value) {
  if constexpr (target::ptx) {
    const u32 active = __khal_subgroup_ballot(1, 0);
    return active == ~0u ? combine_whole_warp<O, R>(value)
                         : combine_active_lanes<O, R>(value, active);
  } else if constexpr (is_same<T, double>) {
    return __khal_subgroup_combine_f64(O, R, value);
  } else if constexpr (is_same<T, float>) {
    return __khal_subgroup_combine_f32(O, R, value);
  } else if constexpr (sizeof(T) == 8) {
    if constexpr (SignedInteger<T>)
      return static_cast<T>(__khal_subgroup_combine_i64(O, R, value));
    else
      return static_cast<T>(__khal_subgroup_combine_u64(O, R, value));
  } else {
    if constexpr (SignedInteger<T>)
      return __khal_subgroup_combine_i32(O, R, value);
    else
      return __khal_subgroup_combine_u32(O, R, value);
  }
}
template <Combine O, CombineOver R, class T> inline T subgroup_combine(const T &value) {
  if constexpr (Arithmetic<T>)
    return narrowed<O, T>(combine_words<O, R>(static_cast<widened<T>>(value)));
  else
    return map(value, [](auto component) { return subgroup_combine<O, R>(component); });
}

template <class T> inline T subgroup_move(Shuffle mode, const T &value, u32 operand) {
  if constexpr (Arithmetic<T>)
    return move_words(value, [=](u32 word) { return shuffle_word(mode, word, operand); });
  else
    return map(value, [=](auto component) { return subgroup_move(mode, component, operand); });
}

/// A number or a vector of numbers that satisfy the constraint.
template <class T> struct ComponentOf {
  using type = T;
};
template <class T, u32 N> struct ComponentOf<vec<T, N>> {
  using type = T;
};
template <class T> using component_of = typename ComponentOf<T>::type;

} // namespace detail

#define KHAL_SUBGROUP_MOVE(name, mode, operand)                                                    \
  template <class T>                                                                               \
    requires Arithmetic<detail::component_of<T>>                                                   \
  inline T name(const T &value, u32 operand) {                                                     \
    return detail::subgroup_move(detail::Shuffle::mode, value, operand);                           \
  }
/// The value in lane `lane`.
KHAL_SUBGROUP_MOVE(subgroup_shuffle, from_lane, lane)
/// The value in the lane whose number differs from this one's in the bits of `mask`.
KHAL_SUBGROUP_MOVE(subgroup_shuffle_xor, from_xor, mask)
/// The value in the lane that is `distance` below.
KHAL_SUBGROUP_MOVE(subgroup_shuffle_up, from_below, distance)
/// The value in the lane that is `distance` above.
KHAL_SUBGROUP_MOVE(subgroup_shuffle_down, from_above, distance)
/// The value in lane `lane`, which is the same number in all active lanes.
KHAL_SUBGROUP_MOVE(subgroup_broadcast, from_lane, lane)
#undef KHAL_SUBGROUP_MOVE

/// The value in the lowest active lane.
template <class T> inline T subgroup_broadcast_first(const T &value) {
  const uint4 active = subgroup_ballot(true);
  const u32 lane = active.x   ? ctz(active.x)
                   : active.y ? 32 + ctz(active.y)
                   : active.z ? 64 + ctz(active.z)
                              : 96 + ctz(active.w);
  return subgroup_shuffle(value, lane);
}

// For each operation: over all active lanes; over those up to this one; over those before this one,
// which gives the first of them the operation's neutral element (0, 1, all bits, or the number that
// is last in the order).
#define KHAL_SUBGROUP_COMBINE_OVER(name, operation, range, Kind)                                   \
  template <class T>                                                                               \
    requires Kind<detail::component_of<T>>                                                         \
  inline T name(const T &value) {                                                                  \
    return detail::subgroup_combine<detail::Combine::operation, detail::CombineOver::range>(       \
        value);                                                                                    \
  }
#define KHAL_SUBGROUP_COMBINE(name, operation, Kind)                                               \
  KHAL_SUBGROUP_COMBINE_OVER(subgroup_##name, operation, all, Kind)                                \
  KHAL_SUBGROUP_COMBINE_OVER(subgroup_inclusive_##name, operation, inclusive, Kind)                \
  KHAL_SUBGROUP_COMBINE_OVER(subgroup_exclusive_##name, operation, exclusive, Kind)
KHAL_SUBGROUP_COMBINE(add, add, Arithmetic)
KHAL_SUBGROUP_COMBINE(mul, multiply, Arithmetic)
KHAL_SUBGROUP_COMBINE(min, minimum, Arithmetic)
KHAL_SUBGROUP_COMBINE(max, maximum, Arithmetic)
KHAL_SUBGROUP_COMBINE(and, bit_and, Integer)
KHAL_SUBGROUP_COMBINE(or, bit_or, Integer)
KHAL_SUBGROUP_COMBINE(xor, bit_xor, Integer)
#undef KHAL_SUBGROUP_COMBINE
#undef KHAL_SUBGROUP_COMBINE_OVER

} // namespace khal

#endif // KHAL_KERNEL_SUBGROUP_HPP
