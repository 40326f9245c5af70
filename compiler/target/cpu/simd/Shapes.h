//===- Shapes.h - how a value differs from lane to lane ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_SIMD_SHAPES_H
#define KHALC_TARGET_CPU_SIMD_SHAPES_H

#include "shader/Structured.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>

namespace khalc::cpu::simd {

/// What is known of a value in the lanes of a vector of work-items, at one moment:
///
///   Uniform   the same in all lanes that are live
///   Strided   base + lane * stride, modulo the type's size; for pointers in bytes
///   Varying   anything
///
/// `mayWrap`: of a strided value that was widened from a narrower type in which the sum may have
/// wrapped around. It then is strided only if the base leaves room, which is asked at run time.
struct Shape {
  enum class Kind : uint8_t { Unknown, Uniform, Strided, Varying };
  Kind kind = Kind::Unknown;
  bool mayWrap = false;
  int64_t stride = 0;

  static Shape uniform() { return {Kind::Uniform, false, 0}; }
  static Shape varying() { return {Kind::Varying, false, 0}; }
  static Shape strided(int64_t stride, bool mayWrap = false) {
    return stride == 0 && !mayWrap ? uniform() : Shape{Kind::Strided, mayWrap, stride};
  }
  bool isUniform() const { return kind == Kind::Uniform; }
  bool isStrided() const { return kind == Kind::Strided; }
  bool isVarying() const { return kind == Kind::Varying; }
  bool operator==(const Shape &) const = default;
};

/// Divergence analysis of a structured function whose lanes run in lock-step under masks. It goes
/// optimistically up from Unknown until nothing changes. A phi is as its incoming values, and
/// Varying where lanes may have come by different ways.
class Shapes {
public:
  /// `arguments`: shapes of those that aren't uniform. The first lane of a vector has a multiple of
  /// `width` in the strided ones.
  Shapes(const shader::StructuredFunction &tree, unsigned width,
         const llvm::DenseMap<const llvm::Value *, Shape> &arguments);

  Shape of(const llvm::Value *value) const;

  /// If, IfFlag and Switch: lanes may choose different ways. Loop and Scope: lanes may leave it at
  /// different times.
  bool isDivergent(const shader::Node &node) const { return divergent.contains(&node); }

  bool isDivergentFlag(unsigned flag) const { return divergentFlags.contains(flag); }

  /// True if a PhiCopy may write all lanes, since those that aren't live have no use for what they
  /// held before.
  bool mayOverwrite(const shader::Node &phiCopy) const;

  bool hasReturnInside(const shader::Node &node) const { return returns.contains(&node); }

  /// Private memory of which each work-item's elements of `elementBytes` lie side by side, so that
  /// one element of all lanes is a vector; 0 if lanes have whole copies one after another.
  unsigned interleavedElement(const llvm::AllocaInst *variable) const {
    return interleaved.lookup(variable);
  }
  /// The same for an address within such a variable.
  unsigned interleavedElementAt(const llvm::Value *address) const;

  unsigned width() const { return lanes; }

private:
  using Node = shader::Node;
  struct Place {
    const Node *node;
    const Node *parent; ///< null at the top
    unsigned order;
  };

  void index(const shader::Region &region, const Node *parent);
  template <typename Function> void forEachAncestor(const Node *node, Function function) const;
  bool isWithin(const Node *node, const Node *ancestor) const;
  bool divergesBefore(const Node *from, const Node *to) const;

  void settle();
  bool raiseUnknown();
  bool visit(const Node &node);
  bool visitJump(const Node &node);
  bool visitFlag(const Node &node);
  bool visitPhis(const Node &copy);
  bool raise(const llvm::Value &value, Shape shape);
  bool markDivergent(const Node &node) { return divergent.insert(&node).second; }

  Shape shapeOf(const llvm::Instruction &instruction) const;
  Shape shapeOfAddress(const llvm::GetElementPtrInst &address) const;
  Shape shapeOfExtension(const llvm::CastInst &cast) const;
  Shape shapeOfArithmetic(const llvm::BinaryOperator &operation) const;
  bool staysInRange(const llvm::Value *value, bool isSigned, unsigned depth) const;
  unsigned trailingZeros(const llvm::Value *value, unsigned depth) const;
  void findInterleaved(const llvm::Function &function);

  unsigned lanes;
  llvm::DenseMap<const llvm::Value *, Shape> shapes;
  std::vector<Place> places; ///< in the order of the tree
  llvm::DenseMap<const Node *, unsigned> placeOf;
  llvm::DenseMap<const llvm::BasicBlock *, const Node *> codeOf;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<const Node *, 4>> copiesTo;
  llvm::DenseMap<unsigned, llvm::SmallVector<const Node *, 4>> flagTests;
  llvm::DenseSet<const Node *> divergent;
  llvm::DenseSet<unsigned> divergentFlags;
  llvm::DenseSet<const Node *> returns;
  llvm::DenseMap<const llvm::AllocaInst *, unsigned> interleaved;
};

} // namespace khalc::cpu::simd

#endif // KHALC_TARGET_CPU_SIMD_SHAPES_H
