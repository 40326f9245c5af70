//===- Expressions.h - values of a lowered kernel as WGSL expressions -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_WGSL_EXPRESSIONS_H
#define KHALC_SHADER_WGSL_EXPRESSIONS_H

#include "shader/wgsl/Resources.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstVisitor.h"

namespace khalc::diag {
class Engine;
}

namespace khalc::wgsl {

/// Gives each value the text that stands for it. A pure operation with one use is written where it
/// is used; others are named by `let`. Phis are variables and are read where they are used: a
/// variable changes only on the way to its block, after which all uses read anew.
class Expressions : public llvm::InstVisitor<Expressions, std::string> {
public:
  Expressions(const KernelInfo &kernel, Resources &resources, Names &names,
              diag::Engine &diagnostics)
      : kernel(kernel), resources(resources), names(names), diagnostics(diagnostics) {}

  /// Prints one instruction as a statement at `indent` spaces, or keeps it for where it is used.
  void print(llvm::raw_ostream &out, unsigned indent, llvm::Instruction &instruction);
  /// A value as an operand: a name, a literal, a call or something in parentheses.
  std::string operand(const llvm::Value *value);
  /// A value as a whole expression.
  std::string whole(const llvm::Value *value);
  /// The phis that the value's text reads.
  const llvm::SmallPtrSet<const llvm::Value *, 4> &phisIn(const llvm::Value *value);
  void name(const llvm::Value *value, std::string text) { texts[value] = std::move(text); }
  const std::string &nameOf(const llvm::Value *value) { return texts[value]; }

  bool failed() const { return hasFailed; }
  bool usesHalf() const { return hasHalf; }
  bool usesSubgroups() const { return hasSubgroups; }
  void noteType(const llvm::Type *type) { hasHalf |= type->isHalfTy(); }

  // InstVisitor: each gives an expression, which is in parentheses where it must be.
  std::string visitInstruction(llvm::Instruction &instruction);
  std::string visitLoadInst(llvm::LoadInst &load);
  std::string visitAtomicRMWInst(llvm::AtomicRMWInst &operation);
  std::string visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &exchange);
  std::string visitExtractValueInst(llvm::ExtractValueInst &extract);
  std::string visitBinaryOperator(llvm::BinaryOperator &operation);
  std::string visitUnaryOperator(llvm::UnaryOperator &operation);
  std::string visitICmpInst(llvm::ICmpInst &comparison);
  std::string visitFCmpInst(llvm::FCmpInst &comparison);
  std::string visitCastInst(llvm::CastInst &cast);
  std::string visitSelectInst(llvm::SelectInst &select);
  std::string visitFreezeInst(llvm::FreezeInst &freeze);
  std::string visitCallInst(llvm::CallInst &call);

private:
  std::string unsupported(const llvm::Instruction &instruction, const std::string &what,
                          const std::string &instead);
  bool isStatement(const llvm::Instruction &instruction) const;
  void printStatement(llvm::raw_ostream &out, llvm::Instruction &instruction);
  std::string place(const llvm::Value *pointer, const llvm::Instruction &user);
  std::string signedOperand(const llvm::Value *value);
  std::string isNan(const llvm::Value *value);
  std::string builtin(llvm::CallInst &call);
  std::string subgroup(llvm::CallInst &call);
  std::string shuffle(llvm::CallInst &call);
  std::string combine(llvm::CallInst &call, bool isSigned);
  std::string inputComponent(llvm::StringRef input, const llvm::Value *dimension);
  std::string intrinsic(llvm::IntrinsicInst &call);
  std::string function(const char *name, const llvm::CallInst &call);
  std::string arcTangent(const llvm::CallInst &call);
  std::string numberOf(const char *function, const llvm::CallInst &call);
  std::string groupSizeComponent(const llvm::Value *dimension);

  const KernelInfo &kernel;
  Resources &resources;
  Names &names;
  diag::Engine &diagnostics;
  llvm::DenseMap<const llvm::Value *, std::string> texts;
  llvm::DenseMap<const llvm::Value *, llvm::SmallPtrSet<const llvm::Value *, 4>> phiUses;
  bool hasFailed = false;
  bool hasHalf = false;
  bool hasSubgroups = false;
};

} // namespace khalc::wgsl

#endif // KHALC_SHADER_WGSL_EXPRESSIONS_H
