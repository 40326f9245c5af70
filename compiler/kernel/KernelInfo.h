//===- KernelInfo.h - what the compiler knows of a kernel, for every target -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frontend fills this model once for a file; targets, bindings and reports read it. Nothing in
// it belongs to one target, but for Leaf::objectOffset, which each device ABI has its own of.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_KERNEL_KERNELINFO_H
#define KHALC_KERNEL_KERNELINFO_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace khalc {

/// The C++ ABIs that a kernel file is compiled for. Pointers are 64 bits wide but on Shader.
enum class DeviceAbi { Host, Nvptx, Shader };
inline constexpr unsigned numDeviceAbis = 3;

/// The section that marks [[khal::shared]] variables, in the AST and in IR.
inline constexpr char sharedSection[] = "khal.shared";

/// How the name of every KernelInfo::bodyFunction begins: by it, what isn't the user's own function
/// is known in debug information.
inline constexpr char bodyPrefix[] = "khal_body_";

struct SourcePosition {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// A struct type that the host must know: one that a buffer element, uniform argument or host form
/// of a parameter is or contains. Ordered so that a struct comes after all that it contains.
struct StructInfo {
  struct Member {
    std::string name;
    std::string typeSpelling; ///< host C++ for the type without array extents: "::khal::float3"
    std::string arrayExtents; ///< "[4][2]", or empty
    uint64_t offset = 0;      ///< bytes; of a bit-field the byte that its first bit is in
    std::optional<uint32_t> bits = {}; ///< a bit-field's width
  };
  /// Where the host gets its definition.
  enum class Origin {
    KernelFile, ///< re-declared in the generated header
    UserHeader, ///< `header` is included by the generated header
    Khal,       ///< part of <khal/khal.hpp>
    Generated   ///< the host can't name it as C++ does: declared in the generated namespace
  };
  std::string name;                    ///< unqualified, as declared
  std::string qualifiedName;           ///< "::physics::Particle"
  std::vector<std::string> namespaces; ///< enclosing, outermost first
  Origin origin = Origin::KernelFile;
  std::string header; ///< UserHeader: the spelling that the kernel file includes it with, "<a.h>"
  uint64_t size = 0;
  uint64_t alignment = 0;
  /// Alignment must be written out: the struct is declared with alignas.
  bool overAligned = false;
  bool holdsPointers = false; ///< at any depth; its layout is each ABI's own
  bool isUnion = false;
  std::vector<Member> members;
};

/// The namespace of structs of origin Generated in spellings; the generated header puts its own
/// namespace in its place.
inline constexpr char generatedNamespace[] = "khal_generated";

/// An enumeration that the host must know. A host that includes the user's header has it from there.
struct EnumInfo {
  struct Enumerator {
    std::string name;
    std::string value; ///< decimal
  };
  std::string name;
  std::string qualifiedName;
  std::vector<std::string> namespaces; ///< enclosing, outermost first
  StructInfo::Origin origin = StructInfo::Origin::KernelFile;
  std::string header;     ///< UserHeader: as in StructInfo
  std::string underlying; ///< host spelling: "std::uint8_t"
  bool isScoped = false;
  std::vector<Enumerator> enumerators;
};

/// One scalar piece of a parameter after flattening.
struct Leaf {
  enum class Kind {
    BufferPointer, ///< the address of buffer number `index`
    BufferLength,  ///< the u32 element count of buffer number `index`
    SharedPointer, ///< the address of shared span number `index`
    SharedLength,  ///< the u32 element count of shared span number `index`
    Uniform        ///< `size` bytes of the argument block
  };
  Kind kind = Kind::Uniform;
  uint32_t index = 0;       ///< number of the buffer or shared span
  uint32_t blockOffset = 0; ///< lengths and Uniform: where in the argument block, bytes
  uint32_t size = 0;        ///< Uniform: bytes
  /// Bytes from the start of the parameter's object, in each device ABI (by DeviceAbi).
  std::array<uint32_t, numDeviceAbis> objectOffset{};
};

/// A parameter as the kernel's author wrote it.
struct Parameter {
  enum class Form {
    Span,       ///< span<T>, span<const T>
    Reference,  ///< T&, const T&
    Pointer,    ///< T*, const T*
    SharedSpan, ///< shared_span<T>
    Value,      ///< uniform argument without pointers inside
    Aggregate   ///< struct that holds spans or pointers, flattened
  };
  std::string name;
  Form form = Form::Value;
  /// The element type without const, or for Value and Aggregate the type itself.
  std::string hostType;
  bool readOnly = false; ///< Span, Reference, Pointer: the element type is const
  uint64_t elementSize = 0;
  /// The parameter's object (for Reference and Pointer: one pointer), in each device ABI.
  std::array<uint32_t, numDeviceAbis> objectSize{};
  std::array<uint32_t, numDeviceAbis> objectAlignment{};
  std::vector<Leaf> leaves;
  SourcePosition position;
};

/// One global buffer after flattening.
struct BufferSlot {
  std::string name;        ///< "a", or "view.cells"
  std::string elementType; ///< host spelling, without const
  uint64_t elementSize = 0;
  uint64_t elementAlignment = 0;
  bool readOnly = false;
  bool hasLength = false;
};

/// Work-group memory whose length a launch gives.
struct SharedSpan {
  std::string name;        ///< "tile", or "scratch.rows"
  std::string elementType; ///< host spelling
  uint64_t elementSize = 0;
  uint32_t lengthOffset = 0; ///< where in the argument block its u32 element count is, bytes
};

/// One kernel of a file.
struct KernelInfo {
  std::string name;                    ///< unqualified: "axpy"
  std::string templateArguments;       ///< "<float>", as the host spells it; or empty
  std::vector<std::string> namespaces; ///< enclosing namespaces and classes, outermost first
  std::string displayName;             ///< "ns::axpy<float>"
  /// Unique among all kernels of a program and the same on every machine; a C identifier, from the
  /// mangled name: symbols in objects and modules are built from it.
  std::string symbol;
  /// IR name of the body function, the same on every ABI: `void body(P0 *p0, P1 *p1, …)`, one
  /// pointer to each parameter's object; it copies them out and calls the kernel.
  std::string bodyFunction;
  std::array<uint32_t, 3> groupSize{1, 1, 1};
  bool mayAlias = false;
  std::vector<Parameter> parameters;
  std::vector<BufferSlot> buffers;
  std::vector<SharedSpan> sharedSpans;
  uint32_t blockSize = 0; ///< bytes, a multiple of 4
  SourcePosition position;
};

/// All kernels of one file and the types that the host shares with them.
struct KernelFile {
  std::string path;
  std::vector<KernelInfo> kernels;
  std::vector<EnumInfo> enums;
  std::vector<StructInfo> structs;
};

} // namespace khalc

#endif // KHALC_KERNEL_KERNELINFO_H
