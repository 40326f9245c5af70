//===- InstructionEmitter.h - one instruction for all lanes -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_SIMD_INSTRUCTIONEMITTER_H
#define KHALC_TARGET_CPU_SIMD_INSTRUCTIONEMITTER_H

#include "target/cpu/simd/Lanes.h"

namespace llvm {
class IntrinsicInst;
}

namespace khalc::cpu::simd {

/// Emits straight-line code: scalar where all lanes agree, vectors where they don't, and one lane
/// after another for what has no vector form. At least one lane of the mask must be live, but for
/// code that isCheap().
class InstructionEmitter {
public:
  /// `mathsBits`: the size of the vectors that maths functions take; 0 if only scalar ones are called.
  InstructionEmitter(llvm::IRBuilder<> &builder, llvm::IRBuilder<> &variables, Lanes &lanes,
                     unsigned mathsBits)
      : builder(builder), variables(variables), lanes(lanes), mathsBits(mathsBits) {}

  void emit(const llvm::Instruction &instruction, Mask mask);

  /// True for what may be executed with no live lane at all, and costs less than a branch around
  /// a few of it.
  static bool isCheap(const llvm::Instruction &instruction, const Shapes &shapes);

private:
  using Instruction = llvm::Instruction;

  void emitScalar(const Instruction &instruction, Mask mask);
  void emitVariable(const llvm::AllocaInst &variable);
  void emitWide(const Instruction &instruction, Mask mask);
  void emitDivision(const llvm::BinaryOperator &division, Mask mask);
  void emitEachLane(const Instruction &instruction);
  bool fitsVectors(const Instruction &instruction) const;

  // Memory.cpp
  void emitLoad(const llvm::LoadInst &load, Mask mask);
  void emitStore(const llvm::StoreInst &store, Mask mask);
  bool isConsecutive(const llvm::Value *address, llvm::Type *element) const;
  template <typename Fast, typename Slow>
  llvm::Value *chooseByRange(const llvm::Value *address, Fast fast, Slow slow);
  bool emitUnrolled(const Instruction &instruction, Mask mask);
  llvm::Value *laneAddress(const llvm::Value *address, unsigned number);
  void emitOneByOne(const Instruction &instruction, Mask mask);

  // Calls.cpp
  void emitCall(const llvm::CallInst &call, Mask mask);
  bool emitVectorIntrinsic(const llvm::IntrinsicInst &call);
  bool emitVectorMaths(const llvm::CallInst &call);

  llvm::IRBuilder<> &builder;
  llvm::IRBuilder<> &variables; ///< in the entry block
  Lanes &lanes;
  unsigned mathsBits;
};

} // namespace khalc::cpu::simd

#endif // KHALC_TARGET_CPU_SIMD_INSTRUCTIONEMITTER_H
