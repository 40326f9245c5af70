//===- khal/abi.h - what compiled kernels and the runtime agree on -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one home of every number that both sides of a launch must share: binding slots, the layout
// of the argument block, artifact tags and the descriptor that a compiled kernel carries. The
// compiler writes these structures into `name.khal.o`; the runtime reads them. Nothing here
// depends on a target's API.
//
// The flattened form of a kernel's arguments, the same for every target:
//   - `buffers`: one entry for each global buffer, in parameter order (structs that hold spans are
//     walked member by member);
//   - `block`: the bytes of all uniform arguments, each at its C++ alignment in parameter order,
//     followed by one `uint32_t` element count for each buffer that has a length, in buffer order,
//     and one for each shared span;
//   - shared spans: work-group memory whose length the launch gives, one behind another, each at a
//     multiple of shared_span_alignment (see shared_span_end()).
//
// How a target receives them:
//   | target | buffers                               | block                                        |
//   | cpu    | CpuLaunch::buffers[i]                 | CpuLaunch::block                             |
//   | ptx    | kernel parameter i, a global pointer  | last kernel parameter, by value              |
//   | spirv  | set 0, binding i, storage buffer      | push constant if shader_block_bytes() <=     |
//   |        |                                       | max_push_constant_bytes, else                |
//   |        |                                       | (and with feature_uniform_block) a uniform   |
//   |        |                                       | buffer at set 0, binding buffer_count        |
//   | glsl   | binding i, storage block              | uniform block at binding buffer_count        |
//   | hlsl   | register t<i> if read-only, else u<i> | constant buffer at register b0, with the     |
//   |        |                                       | number of groups (3 words) after it          |
//   | msl    | [[buffer(i)]], device memory          | [[buffer(buffer_count)]], as setBytes gives  |
//   | wgsl   | group 0, binding i, storage           | group 0, binding buffer_count, uniform       |
//   A block of size 0 isn't passed at all (shader targets: of shader_block_bytes() 0; hlsl always
//   has one). In the uniform and constant buffers of glsl, hlsl and wgsl the block is an array of
//   vectors of four words, so that its size is rounded up to 16 bytes.
//
// Where shared spans are:
//   | cpu    | behind the scratch memory: from scratch + shared_spans_offset(scratch_bytes)         |
//   | ptx    | dynamic shared memory                                                                |
//   | shader | work-group arrays; the specialisation constant shared_constant_id + i is the element |
//   |        | count of number i, at least 1 (glsl, hlsl and msl: the macro                         |
//   |        | SPIRV_CROSS_CONSTANT_ID_<id>; wgsl: an override)                                     |
//
// On a shader target a buffer's start must lie at a multiple of the device's
// minStorageBufferOffsetAlignment. For a slice that doesn't, the launch binds the aligned address
// below it, sets the specialisation constant `offsets_constant_id` to 1 (glsl and hlsl: the macro
// SPIRV_CROSS_CONSTANT_ID_0; msl: a function constant; wgsl: an override) and appends one
// `uint32_t` a buffer to the block: the bytes from the bound address to the slice. Kernels see no
// cost while the constant is 0; the appended words are part of the shader's block declaration
// always, so the block as declared there has `shader_block_bytes()` bytes.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_ABI_H
#define KHAL_ABI_H

#include <cstdint>

namespace khal::abi {

/// Bumped whenever a structure in this file changes meaning. A runtime refuses other versions.
inline constexpr std::uint32_t version = 3;

/// What every Vulkan device must offer for push constants (Vulkan 1.1, Required Limits).
inline constexpr std::uint32_t max_push_constant_bytes = 128;

/// The largest argument block that every target accepts.
inline constexpr std::uint32_t max_block_bytes = 4096;

/// The block's alignment: no uniform argument may need more.
inline constexpr std::uint32_t block_alignment = 16;

/// spirv: id of the boolean specialisation constant that says that buffer offsets follow the block.
inline constexpr std::uint32_t offsets_constant_id = 0;

/// spirv: id of the specialisation constant that holds the first shared span's element count.
inline constexpr std::uint32_t shared_constant_id = 1;

/// Every shared span begins at a multiple of this many bytes; no element may need more.
inline constexpr std::uint32_t shared_span_alignment = 16;

/// The byte at which the next shared span begins after one of `bytes` that begins at `begin`.
constexpr std::uint64_t shared_span_end(std::uint64_t begin, std::uint64_t bytes) {
  return (begin + bytes + shared_span_alignment - 1) / shared_span_alignment *
         shared_span_alignment;
}

/// cpu: alignment of the scratch memory and of the shared spans' beginning behind it.
inline constexpr std::uint32_t scratch_alignment = 64;
constexpr std::uint64_t shared_spans_offset(std::uint32_t scratch_bytes) {
  return (std::uint64_t{scratch_bytes} + scratch_alignment - 1) / scratch_alignment *
         scratch_alignment;
}

/// spirv: bytes of the block with the buffer offsets that may follow it.
constexpr std::uint32_t shader_block_bytes(std::uint32_t block_size, std::uint32_t buffer_count) {
  return block_size + 4 * buffer_count;
}

/// The SPIR-V descriptor set that holds everything.
inline constexpr std::uint32_t descriptor_set = 0;

/// Largest work-group that every target runs.
inline constexpr std::uint32_t max_group_items = 1024;

enum class Target : std::uint32_t {
  cpu = 0,
  ptx = 1,
  spirv = 2,
  glsl = 3, ///< GLSL 4.50 compute, for OpenGL and Vulkan
  hlsl = 4, ///< HLSL, shader model 6.0 and later
  msl = 5,  ///< Metal Shading Language
  wgsl = 6  ///< WebGPU Shading Language
};
inline constexpr std::uint32_t target_count = 7;

/// As khalc's --target takes it, by Target.
inline constexpr const char *target_names[target_count] = {"cpu",  "ptx", "spirv", "glsl",
                                                           "hlsl", "msl", "wgsl"};

/// The name of a target; "unknown" for a number that this version doesn't have.
constexpr const char *name_of(Target target) {
  const auto number = static_cast<std::uint32_t>(target);
  return number < target_count ? target_names[number] : "unknown";
}

/// What a device must have beyond its target's base to run an artifact. The base for spirv is
/// Vulkan 1.1 with storage buffers of 32-bit elements.
enum Feature : std::uint64_t {
  feature_int8 = 1u << 0,           ///< 8-bit integer arithmetic
  feature_int16 = 1u << 1,          ///< 16-bit integer arithmetic
  feature_int64 = 1u << 2,          ///< 64-bit integer arithmetic
  feature_float16 = 1u << 3,        ///< half precision arithmetic
  feature_float64 = 1u << 4,        ///< double precision arithmetic
  feature_storage8 = 1u << 5,       ///< 8-bit elements in storage buffers
  feature_storage16 = 1u << 6,      ///< 16-bit elements in storage buffers
  feature_atomic_int64 = 1u << 7,   ///< 64-bit integer atomics on buffers
  feature_atomic_float32 = 1u << 8, ///< float atomic add on buffers
  feature_subgroups = 1u << 9,      ///< subgroup operations in compute
  feature_vulkan_memory_model = 1u << 10,
  feature_uniform8 = 1u << 11,            ///< 8-bit members in the argument block
  feature_uniform16 = 1u << 12,           ///< 16-bit members in the argument block
  feature_shared_atomic_int64 = 1u << 13, ///< 64-bit integer atomics on work-group memory
  feature_special_float16 = 1u << 14,     ///< half: zeros' signs, infinities and NaN are kept
  feature_special_float32 = 1u << 15,     ///< the same of float
  feature_special_float64 = 1u << 16,     ///< the same of double
  feature_subnormal16 = 1u << 17,         ///< half: subnormals can be kept
  feature_subnormal32 = 1u << 18,         ///< the same of float
  feature_subnormal64 = 1u << 19,         ///< the same of double
  feature_subgroup_int64 = 1u << 20,      ///< subgroup operations on 64-bit integers
  feature_dot_product = 1u << 21,         ///< integer dot products as instructions
  feature_debug_info = 1u << 22,          ///< non-semantic instructions in shaders: what -g adds
  /// The argument block comes in a uniform buffer however small it is: work-items index it apart,
  /// which push constants don't allow. Every device has it.
  feature_uniform_block = 1u << 23,
};

/// One launch as the CPU target's code sees it.
struct CpuLaunch {
  void *const *buffers; ///< one address for each buffer, in flattened order
  const void *block;    ///< argument block, aligned to block_alignment; null when its size is 0
  std::uint32_t num_groups[3];
};

/// Runs the work-groups with linear index `first_group` up to and excluding `end_group`, one after
/// another. `scratch` is `Artifact::scratch_bytes` of memory, followed by the shared spans, aligned
/// to scratch_alignment, that no other call uses meanwhile; its contents on entry don't matter. Thread-safe for disjoint group ranges.
using CpuFunction = void (*)(const CpuLaunch *launch, std::uint64_t first_group,
                             std::uint64_t end_group, void *scratch);

/// One kernel compiled for one target (and one variant of it).
struct Artifact {
  Target target;
  std::uint32_t scratch_bytes; ///< cpu: work memory a caller must provide; 0 elsewhere
  std::uint64_t features;      ///< union of Feature bits that the device must have
  /// cpu: the level ("x86-64-v3"); ptx: the architecture ("sm_75"); spirv: the least Vulkan version
  /// ("1.1"); glsl, hlsl, msl: the language version ("450", "6.0", "2.2"); wgsl: empty.
  const char *variant;
  const char *entry; ///< name of the entry point in `code`; unused for cpu
  /// spirv: words; cpu: null; others: text, zero-terminated. Null when unavailable.
  const void *code;
  std::uint64_t code_size; ///< in bytes; for text without the terminating zero
  CpuFunction function;    ///< cpu only
  /// Why the target can't express the kernel, as khalc said when it compiled; null when it can.
  const char *unavailable = nullptr;
  /// The largest buffer that the code can address, in bytes; 0 when any that a device has. Code that
  /// keeps pointers in memory has fewer bits for their offsets on spirv.
  std::uint64_t max_buffer_bytes = 0;
};

enum BufferFlag : std::uint32_t {
  buffer_read_only = 1u << 0, ///< the kernel never writes it (const element type)
  buffer_has_length = 1u << 1 ///< its element count is in the block
};

struct BufferInfo {
  const char *name;           ///< as the kernel's author knows it: "a", or "view.cells"
  std::uint32_t element_size; ///< bytes
  std::uint32_t flags;        ///< BufferFlag bits
};

/// A shared span: what a parameter of type khal::shared_span is.
struct SharedSpanInfo {
  const char *name;            ///< as the kernel's author knows it: "tile", or "scratch.rows"
  std::uint32_t element_size;  ///< bytes
  std::uint32_t length_offset; ///< where in the block its element count is, bytes
};

enum KernelFlag : std::uint32_t {
  kernel_may_alias = 1u << 0 ///< [[khal::may_alias]]: written buffers may overlap others
};

/// A compiled kernel: what the generated header's stub hands to the runtime.
struct Kernel {
  std::uint32_t abi_version;
  std::uint32_t flags; ///< KernelFlag bits
  const char *name;    ///< qualified, with template arguments: "sort::bitonic<float>"
  const char *file;    ///< source file as given to khalc, for messages
  std::uint32_t line;
  std::uint32_t group_size[3];
  std::uint32_t buffer_count;
  std::uint32_t block_size; ///< bytes; a multiple of 4
  const BufferInfo *buffers;
  std::uint32_t artifact_count;
  std::uint32_t shared_bytes; ///< static work-group memory, as an upper estimate for reports
  const Artifact *artifacts;
  const SharedSpanInfo *shared_spans = nullptr;
  std::uint32_t shared_span_count = 0;
};

} // namespace khal::abi

#endif // KHAL_ABI_H
