//===- InstructionWriter.h - single instructions in SPIR-V ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_SPIRV_INSTRUCTIONWRITER_H
#define KHALC_SHADER_SPIRV_INSTRUCTIONWRITER_H

#include "shader/spirv/DebugInfo.h"
#include "shader/spirv/Resources.h"

#include "llvm/IR/InstVisitor.h"

namespace khalc::diag {
class Engine;
}

namespace khalc::spirv {

/// 1 / sqrt(x) where a reciprocal need not be exact: one instruction.
bool isReciprocalSquareRoot(const llvm::BinaryOperator &division);
/// A value's name as the source has it, as far as LLVM knows: without what inlining adds. May be
/// empty.
llvm::StringRef sourceName(const llvm::Value &value);

/// Prints straight-line instructions of a lowered function and keeps the ids of their results.
class InstructionWriter : public llvm::InstVisitor<InstructionWriter, Id> {
public:
  InstructionWriter(Builder &builder, Types &types, Resources &resources, const KernelInfo &kernel,
                    const Form &form, diag::Engine &diagnostics)
      : builder(builder), types(types), resources(resources), kernel(kernel), form(form),
        diagnostics(diagnostics) {}

  /// Has debug information of the function printed with it, in place of bare lines.
  void addDebugInfo(const llvm::Function &function) { debugInfo.emplace(builder, function); }
  /// The first block begins, its variables are declared.
  void beginFunction(Id function);
  /// Prints one instruction, after its source line if that is new.
  void write(llvm::Instruction &instruction);
  /// The id of a value that was printed, or of a constant.
  Id value(const llvm::Value *value);
  void define(const llvm::Value *value, Id id) { ids[value] = id; }
  /// A new block begins: SPIR-V's current line ends with the block.
  void forgetLine() {
    currentLine = {};
    if (debugInfo)
      debugInfo->forget();
  }
  bool failed() const { return hasFailed; }

  // InstVisitor: each gives the result's id, 0 for none.
  Id visitInstruction(llvm::Instruction &instruction);
  Id visitAllocaInst(llvm::AllocaInst &) { return 0; } // see Resources::declarePrivates
  Id visitGetElementPtrInst(llvm::GetElementPtrInst &) { return 0; } // see element pointers
  Id visitLoadInst(llvm::LoadInst &load);
  Id visitStoreInst(llvm::StoreInst &store);
  Id visitAtomicRMWInst(llvm::AtomicRMWInst &operation);
  Id visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &exchange);
  Id visitFenceInst(llvm::FenceInst &fence);
  Id visitExtractValueInst(llvm::ExtractValueInst &extract);
  Id visitExtractElementInst(llvm::ExtractElementInst &extract);
  Id visitInsertElementInst(llvm::InsertElementInst &insert);
  Id visitBinaryOperator(llvm::BinaryOperator &operation);
  Id visitUnaryOperator(llvm::UnaryOperator &operation);
  Id visitICmpInst(llvm::ICmpInst &comparison);
  Id visitFCmpInst(llvm::FCmpInst &comparison);
  Id visitCastInst(llvm::CastInst &cast);
  Id visitSelectInst(llvm::SelectInst &select);
  Id visitFreezeInst(llvm::FreezeInst &freeze);
  Id visitCallInst(llvm::CallInst &call);

private:
  Id unsupported(const llvm::Instruction &instruction, const std::string &what,
                 const std::string &instead);
  Id pointerTo(const llvm::Value *pointer, const llvm::Instruction &user);
  Id logical(llvm::BinaryOperator &operation);
  Id signedRemainder(llvm::BinaryOperator &operation);
  Id reciprocalSquareRoot(llvm::BinaryOperator &operation);
  Id compareBools(llvm::ICmpInst &comparison);
  Id boolToNumber(llvm::CastInst &cast);
  Id bitcastByParts(llvm::CastInst &cast);
  Id builtin(llvm::CallInst &call);
  Id subgroup(llvm::CallInst &call);
  Id vote(spv::Op op, llvm::CallInst &call);
  Id ballot(llvm::CallInst &call);
  Id shuffle(llvm::CallInst &call);
  Id combine(llvm::CallInst &call, bool isSigned);
  Id dotProduct(llvm::CallInst &call);
  Id isSet(const llvm::Value *predicate);
  Id yesOrNo(Id condition);
  Id halfFromBits(llvm::CallInst &call);
  Id bitsFromHalf(llvm::CallInst &call);
  Id inputComponent(spv::BuiltIn input, const llvm::Value *dimension);
  Id intrinsic(llvm::IntrinsicInst &call);
  Id extended(GLSLstd450 instruction, llvm::CallInst &call, unsigned operands);
  Id multiplyAdd(llvm::CallInst &call);
  Id arcTangent(llvm::CallInst &call, Id general);
  Id minOrMaxNumber(llvm::CallInst &call, GLSLstd450 instruction);
  Id scopeOf(const llvm::LLVMContext &context, llvm::SyncScope::ID scope);
  Id semanticsOf(llvm::AtomicOrdering ordering);
  const shader::Resource *resourceOf(const llvm::Value *pointer);
  void noContraction(Id id, const llvm::Instruction &instruction);
  void line(const llvm::Instruction &instruction);
  void variables(const llvm::Instruction &instruction);
  Id ext(Id type, GLSLstd450 instruction, llvm::ArrayRef<uint32_t> operands);

  Builder &builder;
  Types &types;
  Resources &resources;
  const KernelInfo &kernel;
  const Form &form;
  diag::Engine &diagnostics;
  llvm::DenseMap<const llvm::Value *, Id> ids;
  std::pair<Id, std::pair<unsigned, unsigned>> currentLine;
  std::optional<DebugInfo> debugInfo;
  bool hasFailed = false;
};

} // namespace khalc::spirv

#endif // KHALC_SHADER_SPIRV_INSTRUCTIONWRITER_H
