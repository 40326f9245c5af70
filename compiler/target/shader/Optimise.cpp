//===- Optimise.cpp - LLVM's passes as the shader path runs them ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/Optimise.h"

#include "ir/Passes.h"
#include "ir/PrivateArrays.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/BDCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace khalc::shader {

namespace {

SimplifyCFGOptions controlFlowOptions() {
  // Select chains of a few instructions are cheaper than divergence; lookup tables and sunk code
  // would turn registers into memory.
  return SimplifyCFGOptions()
      .convertSwitchToLookupTable(false)
      .hoistCommonInsts(true)
      .sinkCommonInsts(false)
      .needCanonicalLoops(true);
}

InstCombineOptions combineOptions() {
  return InstCombineOptions().setVerifyFixpoint(false);
}

void addLoopPasses(FunctionPassManager &passes, unsigned level) {
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  LoopPassManager rotateAndHoist;
  rotateAndHoist.addPass(
      LICMPass(LICMOptions(SetLicmMssaOptCap, SetLicmMssaNoAccForPromotionCap, false)));
  // Loops keep their test at the top, as written: drivers unroll these, and make less of a copied
  // test before the loop (up to a fifth slower on an NVIDIA H200).
  rotateAndHoist.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/false, false));
  rotateAndHoist.addPass(
      LICMPass(LICMOptions(SetLicmMssaOptCap, SetLicmMssaNoAccForPromotionCap, true)));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotateAndHoist), /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(controlFlowOptions()));
  passes.addPass(InstCombinePass(combineOptions()));
  passes.addPass(UnrollPrivateArrayLoops(RegisterTiles::Leave));
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  LoopPassManager unrollAndDrop;
  unrollAndDrop.addPass(LoopDeletionPass());
  unrollAndDrop.addPass(LoopFullUnrollPass(static_cast<int>(level)));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(unrollAndDrop)));
  // Loops that the source asks to unroll (#pragma unroll), and nothing else: the driver's own
  // compiler knows the machine and unrolls the rest.
  passes.addPass(LoopUnrollPass(LoopUnrollOptions(static_cast<int>(level), /*OnlyWhenForced=*/true)
                                    .setPartial(false)
                                    .setRuntime(false)));
  // Unrolled loops index private arrays with constants: now they can become values.
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
}

/// Local variables to values, without the vectors that this and instruction combining may make.
void addPromotion(FunctionPassManager &passes) {
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(ScalarizerPass(
      ScalarizerPassOptions{.ScalarizeVariableInsertExtract = true, .ScalarizeLoadStore = true}));
  passes.addPass(ADCEPass());
}

/// Constant expressions become plain constants: builders leave those that need to know the order of
/// bytes, such as a double's two words.
void foldConstants(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  for (Instruction &instruction : instructions(function))
    for (Use &operand : instruction.operands()) {
      auto *constant = dyn_cast<Constant>(operand);
      // Addresses are expressions of globals, and stay.
      if (!constant || constant->getType()->isPtrOrPtrVectorTy() || constant->getNumOperands() == 0)
        continue;
      if (Constant *folded = ConstantFoldConstant(constant, layout))
        operand.set(folded);
    }
}

/// `pointer` as an element of the resource that it is in, `gep [N x T], variable, 0, index`, which is
/// how all that follows reads addresses; the constant folder counts in bytes.
Constant *asElement(ConstantExpr &pointer, const DataLayout &layout) {
  APInt bytes(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  auto *variable = dyn_cast<GlobalVariable>(
      pointer.stripAndAccumulateConstantOffsets(layout, bytes, /*AllowNonInbounds=*/true));
  auto *array = variable ? dyn_cast<ArrayType>(variable->getValueType()) : nullptr;
  if (!array)
    return nullptr;
  const uint64_t size = layout.getTypeAllocSize(array->getElementType());
  if (bytes.urem(size) != 0)
    report_fatal_error("an address in " + variable->getName() + " isn't that of an element");
  Type *index = Type::getInt32Ty(pointer.getContext());
  Constant *indices[] = {ConstantInt::get(index, 0),
                         ConstantInt::get(index, bytes.udiv(size).getZExtValue())};
  return ConstantExpr::getGetElementPtr(array, variable, indices);
}

void restoreElements(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  for (Instruction &instruction : instructions(function))
    for (Use &operand : instruction.operands()) {
      auto *pointer = dyn_cast<ConstantExpr>(operand);
      if (!pointer || pointer->getOpcode() != Instruction::GetElementPtr)
        continue;
      if (Constant *element = asElement(*pointer, layout))
        operand.set(element);
    }
}

} // namespace

void optimise(Function &entry, unsigned level) {
  Passes analyses;
  FunctionPassManager passes;
  // Pointers that live in local variables must become values before they can be traced.
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(ScalarizerPass(
      ScalarizerPassOptions{.ScalarizeVariableInsertExtract = true, .ScalarizeLoadStore = true}));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(controlFlowOptions()));
  passes.addPass(InstCombinePass(combineOptions()));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  // What wasn't found to be constant by now isn't: libstdc++ asks to choose a shorter way.
  passes.addPass(LowerConstantIntrinsicsPass());
  if (level > 0) {
    passes.addPass(CorrelatedValuePropagationPass());
    passes.addPass(SimplifyCFGPass(controlFlowOptions()));
    passes.addPass(InstCombinePass(combineOptions()));
    passes.addPass(ReassociatePass());
    addLoopPasses(passes, level);
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(InstCombinePass(combineOptions()));
    passes.addPass(GVNPass());
    passes.addPass(BDCEPass());
    passes.addPass(InstCombinePass(combineOptions()));
    passes.addPass(DSEPass());
    passes.addPass(ADCEPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    LoopPassManager hoist;
    hoist.addPass(LICMPass(LICMOptions(SetLicmMssaOptCap, SetLicmMssaNoAccForPromotionCap, true)));
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(hoist), /*UseMemorySSA=*/true));
    passes.addPass(SimplifyCFGPass(controlFlowOptions()));
    passes.addPass(InstCombinePass(combineOptions()));
  }
  addPromotion(passes);
  passes.run(entry, analyses.functions);
}

void promote(Function &entry) {
  Passes analyses;
  FunctionPassManager passes;
  addPromotion(passes);
  passes.addPass(InstSimplifyPass());
  passes.run(entry, analyses.functions);
}

void cleanUp(Function &entry) {
  foldConstants(entry);
  Passes analyses;
  FunctionPassManager passes;
  passes.addPass(InstSimplifyPass());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(ADCEPass());
  passes.run(entry, analyses.functions);
  restoreElements(entry);
}

} // namespace khalc::shader
