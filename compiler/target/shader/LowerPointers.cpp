//===- LowerPointers.cpp - pointers as root and offset -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/LowerPointers.h"

#include "diag/Diagnostics.h"
#include "target/shader/CheckIntegerPointers.h"
#include "target/shader/Entry.h"
#include "target/shader/PointerRoots.h"
#include "target/shader/ResourceViews.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <numeric>

using namespace llvm;

namespace khalc::shader {

namespace {

/// A pointer after lowering.
struct Place {
  Value *offset = nullptr; ///< i32, in units of the roots
  Value *tag = nullptr;    ///< i32: which root
};

class Lowering {
public:
  Lowering(Function &function, const KernelInfo &kernel, const PointerRoots &roots)
      : function(function), roots(roots), views(function, kernel, roots) {}

  LoweredKernel run(const KernelInfo &kernel) {
    for (Instruction *pointer : roots.pointers())
      lowerDefinition(pointer);
    for (PHINode *phi : phis)
      addIncoming(phi);
    lowerIntegers();
    for (const Access &access : roots.accesses())
      lowerAccess(access);
    erasePointers();

    LoweredKernel lowered;
    lowered.info = &kernel;
    lowered.function = &function;
    lowered.sharedBytes = views.sharedBytes();
    lowered.maxBufferBytes = roots.maxBufferBytes();
    lowered.resources = views.takeResources();
    return lowered;
  }

private:
  IntegerType *i32() { return Type::getInt32Ty(function.getContext()); }
  Constant *constant(uint64_t value) { return ConstantInt::get(i32(), value); }

  /// The start of a root: 0, but for a buffer, whose slice may begin after its descriptor.
  Value *startOf(unsigned root) {
    const Root &what = roots.roots()[root];
    if (what.kind != Root::Kind::Buffer)
      return constant(0);
    Value *&start = bufferStarts[what.buffer];
    if (!start) {
      BasicBlock &entry = function.getEntryBlock();
      IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
      FunctionCallee offset =
          function.getParent()->getOrInsertFunction(bufferOffsetFunction, i32(), i32());
      auto *callee = cast<Function>(offset.getCallee());
      callee->setDoesNotAccessMemory();
      callee->setDoesNotThrow();
      callee->setWillReturn();
      Value *bytes = builder.CreateCall(offset, constant(what.buffer));
      start = divideExact(builder, bytes, roots.unitOf(root));
    }
    return start;
  }

  Place placeOf(Value *pointer) {
    auto found = places.find(pointer);
    if (found != places.end())
      return found->second;
    // Everything defined by an instruction was lowered before its uses, so this is a root.
    unsigned root = roots.rootsOf(pointer).front();
    return places[pointer] = {startOf(root), constant(root)};
  }

  void lowerDefinition(Instruction *pointer) {
    if (places.contains(pointer))
      return;
    if (isa<AllocaInst>(pointer) || bufferIndex(pointer) >= 0) {
      placeOf(pointer);
      return;
    }
    IRBuilder<> builder(pointer);
    if (auto *phi = dyn_cast<PHINode>(pointer)) {
      unsigned edges = phi->getNumIncomingValues();
      places[phi] = {builder.CreatePHI(i32(), edges, phi->getName() + ".at"),
                     builder.CreatePHI(i32(), edges, phi->getName() + ".root")};
      phis.push_back(phi);
    } else if (auto *select = dyn_cast<SelectInst>(pointer)) {
      Place yes = placeOf(select->getTrueValue());
      Place no = placeOf(select->getFalseValue());
      Value *condition = select->getCondition();
      places[select] = {builder.CreateSelect(condition, yes.offset, no.offset),
                        builder.CreateSelect(condition, yes.tag, no.tag)};
    } else if (auto *step = dyn_cast<GetElementPtrInst>(pointer)) {
      places[step] = stepFrom(builder, *step);
    } else if (auto *number = dyn_cast<IntToPtrInst>(pointer)) {
      places[number] = placeFrom(builder, *number);
    } else {
      places[pointer] = placeOf(pointer->getOperand(0));
    }
  }

  Place stepFrom(IRBuilderBase &builder, GetElementPtrInst &step) {
    Place place = placeOf(step.getPointerOperand());
    const DataLayout &layout = function.getDataLayout();
    unsigned width = layout.getIndexTypeSizeInBits(step.getType());
    SmallMapVector<Value *, APInt, 4> scales;
    APInt bytes(width, 0);
    cast<GEPOperator>(step).collectOffset(layout, width, scales, bytes);
    auto unit = static_cast<int64_t>(roots.unitOf(&step));
    Value *offset = place.offset;
    for (auto &[index, scale] : scales) {
      Value *count = builder.CreateSExtOrTrunc(index, i32());
      int64_t common = std::gcd(scale.getSExtValue(), unit);
      count = divideExact(builder, count, static_cast<uint64_t>(unit / common));
      offset = builder.CreateAdd(
          offset,
          builder.CreateMul(count, ConstantInt::getSigned(i32(), scale.getSExtValue() / common)));
    }
    offset = builder.CreateAdd(offset, ConstantInt::getSigned(i32(), bytes.getSExtValue() / unit));
    return {offset, place.tag};
  }

  Place placeFrom(IRBuilderBase &builder, IntToPtrInst &pointer) {
    Value *number = builder.CreateZExtOrTrunc(pointer.getOperand(0), i32());
    unsigned bits = roots.offsetBits(), root = roots.rootsOf(&pointer).front();
    if (bits == i32()->getBitWidth()) // all that it can be is null
      return {number, constant(0)};
    Value *offset = builder.CreateAnd(number, constant((uint64_t{1} << bits) - 1));
    return {divideExact(builder, offset, roots.unitOf(root) / roots.numberUnit(root)),
            builder.CreateLShr(number, bits)};
  }

  /// A pointer as memory holds it, see PointerNumbers.
  Value *numberOf(IRBuilderBase &builder, Value *pointer) {
    unsigned bits = roots.offsetBits(), root = roots.rootsOf(pointer).front();
    Place place = placeOf(pointer);
    Value *offset =
        builder.CreateMul(place.offset, constant(roots.unitOf(root) / roots.numberUnit(root)));
    if (bits == i32()->getBitWidth())
      return offset;
    offset = builder.CreateAnd(offset, constant((uint64_t{1} << bits) - 1));
    return builder.CreateOr(builder.CreateShl(place.tag, bits), offset);
  }

  void lowerConversion(PtrToIntInst &conversion) {
    IRBuilder<> builder(&conversion);
    Value *pointer = conversion.getPointerOperand();
    if (roots.numbers().isNumber(conversion)) {
      Value *number = builder.CreateZExtOrTrunc(numberOf(builder, pointer), conversion.getType());
      conversion.replaceUsesWithIf(
          number, [&](Use &use) { return roots.numbers().takesNumber(*use.getUser()); });
    }
    Value *bytes = builder.CreateMul(placeOf(pointer).offset, constant(roots.unitOf(pointer)));
    conversion.replaceAllUsesWith(builder.CreateSExtOrTrunc(bytes, conversion.getType()));
  }

  void addIncoming(PHINode *phi) {
    Place place = places[phi];
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      Place incoming = placeOf(phi->getIncomingValue(i));
      cast<PHINode>(place.offset)->addIncoming(incoming.offset, phi->getIncomingBlock(i));
      cast<PHINode>(place.tag)->addIncoming(incoming.tag, phi->getIncomingBlock(i));
    }
  }

  /// Comparisons of pointers, and their differences by way of ptrtoint.
  void lowerIntegers() {
    SmallVector<Instruction *> done;
    for (Instruction &instruction : instructions(function)) {
      if (auto *comparison = dyn_cast<ICmpInst>(&instruction)) {
        if (!comparison->getOperand(0)->getType()->isPointerTy())
          continue;
        comparison->replaceAllUsesWith(compare(*comparison));
        done.push_back(comparison);
      } else if (auto *number = dyn_cast<PtrToIntInst>(&instruction)) {
        lowerConversion(*number);
        done.push_back(number);
      }
    }
    for (Instruction *instruction : done)
      instruction->eraseFromParent();
  }

  Value *compare(ICmpInst &comparison) {
    IRBuilder<> builder(&comparison);
    Place left = placeOf(comparison.getOperand(0));
    Place right = placeOf(comparison.getOperand(1));
    CmpPredicate predicate = comparison.getCmpPredicate();
    Value *offsets = builder.CreateICmp(predicate, left.offset, right.offset);
    if (left.tag == right.tag || !comparison.isEquality())
      return offsets;
    Value *tags = builder.CreateICmp(predicate, left.tag, right.tag);
    return predicate == ICmpInst::ICMP_EQ ? builder.CreateAnd(tags, offsets)
                                          : builder.CreateOr(tags, offsets);
  }

  void lowerAccess(const Access &access) {
    SmallVector<unsigned> targets;
    for (unsigned root : roots.rootsOf(access.pointer))
      if (roots.roots()[root].kind != Root::Kind::Null)
        targets.push_back(root);
    Place place = placeOf(access.pointer);
    Value *result = nullptr;
    IRBuilder<> builder(access.instruction);
    if (targets.empty()) {
      // Only null can get here: the access is undefined behaviour and never happens.
      if (!access.instruction->getType()->isVoidTy())
        result = PoisonValue::get(access.instruction->getType());
    } else if (targets.size() == 1) {
      result = views.emit(builder, access, targets.front(), place.offset);
    } else {
      result = switchOverRoots(access, targets, place);
    }
    if (result)
      access.instruction->replaceAllUsesWith(result);
    access.instruction->eraseFromParent();
  }

  Value *switchOverRoots(const Access &access, ArrayRef<unsigned> targets, Place place) {
    Instruction *instruction = access.instruction;
    BasicBlock *before = instruction->getParent();
    BasicBlock *after = before->splitBasicBlock(instruction->getIterator(), "root.end");
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(instruction->getDebugLoc());
    SwitchInst *choice = nullptr;
    PHINode *result = nullptr;
    for (unsigned root : targets) {
      BasicBlock *block = BasicBlock::Create(function.getContext(), "root.case", &function, after);
      if (!choice) {
        builder.SetInsertPoint(before);
        choice = builder.CreateSwitch(place.tag, block);
      } else {
        choice->addCase(cast<ConstantInt>(constant(root)), block);
      }
      builder.SetInsertPoint(block);
      Value *value = views.emit(builder, access, root, place.offset);
      builder.CreateBr(after);
      if (!value)
        continue;
      if (!result) {
        IRBuilder<> join(after, after->begin());
        result = join.CreatePHI(value->getType(), static_cast<unsigned>(targets.size()));
      }
      result->addIncoming(value, block);
    }
    return result;
  }

  void erasePointers() {
    for (Instruction *pointer : reverse(roots.pointers())) {
      pointer->replaceAllUsesWith(PoisonValue::get(pointer->getType()));
      pointer->eraseFromParent();
    }
  }

  Function &function;
  const PointerRoots &roots;
  ResourceViews views;
  DenseMap<Value *, Place> places;
  SmallVector<PHINode *> phis;
  DenseMap<unsigned, Value *> bufferStarts;
};

/// Of debug information what a value says of a variable; of pointers nothing will be left to say.
void dropDebugRecords(Instruction &instruction) {
  for (DbgRecord &record : make_early_inc_range(instruction.getDbgRecordRange())) {
    const auto *variable = dyn_cast<DbgVariableRecord>(&record);
    const Value *value = variable && variable->isDbgValue() && !variable->hasArgList()
                             ? variable->getVariableLocationOp(0)
                             : nullptr;
    if (!value || value->getType()->isPointerTy())
      record.eraseFromParent();
  }
}

/// What says something of pointers but does nothing with them.
void dropPointerHints(Function &function) {
  SmallVector<Instruction *> dead;
  for (Instruction &instruction : instructions(function)) {
    dropDebugRecords(instruction);
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (!intrinsic)
      continue;
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::assume:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::donothing:
    case Intrinsic::prefetch:
      dead.push_back(intrinsic);
      break;
    case Intrinsic::invariant_start:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
      intrinsic->replaceAllUsesWith(intrinsic->getType() == intrinsic->getArgOperand(0)->getType()
                                        ? intrinsic->getArgOperand(0)
                                        : PoisonValue::get(intrinsic->getType()));
      dead.push_back(intrinsic);
      break;
    default:
      break;
    }
  }
  for (Instruction *instruction : dead)
    instruction->eraseFromParent();
}

/// Constant expressions over globals become instructions, so that one kind of step is left.
void expandConstantExpressions(Function &function) {
  SmallVector<Constant *> globals;
  for (GlobalVariable &global : function.getParent()->globals())
    globals.push_back(&global);
  convertUsersOfConstantsToInstructions(globals, &function, /*RemoveDeadConstants=*/false);
}

} // namespace

std::optional<LoweredKernel> lowerPointers(Function &function, const KernelInfo &kernel,
                                           diag::Engine &diagnostics) {
  dropPointerHints(function);
  if (!checkIntegerPointers(function, diagnostics))
    return std::nullopt;
  storePointersAsNumbers(function);
  expandConstantExpressions(function);
  EliminateUnreachableBlocks(function);
  PointerRoots roots(function, kernel, diagnostics);
  if (!roots.valid())
    return std::nullopt;
  return Lowering(function, kernel, roots).run(kernel);
}

} // namespace khalc::shader
