//===- WordViews.cpp - buffers reached by words alone ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/WordViews.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <map>

using namespace llvm;

namespace khalc::shader {

namespace {

constexpr unsigned wordBits = 32;

unsigned bitsOf(const Type *type) {
  return static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
}

/// A resource before, and where its elements are now.
struct Rewritten {
  Resource old;
  Value *variable = nullptr;
  Type *elementType = nullptr;
  uint64_t elementCount = 0;
};

class Rewriter {
public:
  Rewriter(LoweredKernel &kernel, bool widen, bool split)
      : kernel(kernel), function(*kernel.function), widen(widen), split(split) {}

  void run() {
    makeResources();
    SmallVector<Instruction *> accesses;
    for (Instruction &instruction : instructions(function))
      if (find(instruction))
        accesses.push_back(&instruction);
    for (Instruction *access : accesses)
      rewrite(*access);
  }

private:
  IntegerType *word() { return Type::getInt32Ty(function.getContext()); }

  bool isKept(const Resource &resource, unsigned views) const {
    const unsigned bits = bitsOf(resource.elementType);
    switch (resource.kind) {
    case Resource::Kind::Buffer:
      return views == 1 && bits == wordBits;
    case Resource::Kind::Block:
      return true;
    default:
      if (!resource.elementType->isIntegerTy())
        return true;
      return !(widen && bits < wordBits) && !(split && bits > wordBits);
    }
  }

  void makeResources() {
    std::map<unsigned, unsigned> views;
    std::map<unsigned, bool> written;
    for (const Resource &resource : kernel.resources)
      if (resource.kind == Resource::Kind::Buffer) {
        ++views[resource.index];
        written[resource.index] |= !resource.readOnly;
      }
    std::vector<Resource> made;
    std::map<unsigned, Value *> words; // of buffers
    for (const Resource &resource : kernel.resources) {
      if (isKept(resource, views[resource.index])) {
        made.push_back(resource);
        continue;
      }
      Rewritten &rewritten = old[resource.variable];
      rewritten.old = resource;
      Resource fresh = resource;
      fresh.elementType = word();
      if (resource.kind == Resource::Kind::Buffer) {
        fresh.aliased = kernel.info->mayAlias;
        fresh.readOnly = !written[resource.index];
        Value *&variable = words[resource.index];
        if (!variable) {
          variable = makeVariable(resource, 0);
          fresh.variable = variable;
          made.push_back(fresh);
        }
        rewritten.variable = variable;
      } else {
        const unsigned wordsEach = bitsOf(resource.elementType) > wordBits ? 2 : 1;
        fresh.elementCount *= wordsEach;
        fresh.spanFactor *= wordsEach;
        fresh.variable = makeVariable(resource, fresh.elementCount);
        fresh.initialiser = wordsOf(resource);
        rewritten.variable = fresh.variable;
        made.push_back(fresh);
      }
      rewritten.elementType = word();
      rewritten.elementCount = fresh.elementCount;
    }
    kernel.resources = std::move(made);
  }

  std::vector<Constant *> wordsOf(const Resource &resource) {
    std::vector<Constant *> words;
    for (Constant *element : resource.initialiser) {
      const uint64_t value = cast<ConstantInt>(element)->getZExtValue();
      words.push_back(ConstantInt::get(word(), static_cast<uint32_t>(value)));
      if (bitsOf(resource.elementType) > wordBits)
        words.push_back(ConstantInt::get(word(), value >> wordBits));
    }
    return words;
  }

  Value *makeVariable(const Resource &resource, uint64_t count) {
    Type *type = ArrayType::get(word(), count);
    if (isa<AllocaInst>(resource.variable)) {
      BasicBlock &entry = function.getEntryBlock();
      return IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, resource.name);
    }
    const auto *global = cast<GlobalVariable>(resource.variable);
    return new GlobalVariable(*function.getParent(), type, global->isConstant(),
                              GlobalValue::ExternalLinkage, nullptr, global->getName());
  }

  static Value *pointerOf(const Instruction &access) {
    if (auto *load = dyn_cast<LoadInst>(&access))
      return const_cast<Value *>(load->getPointerOperand());
    if (auto *store = dyn_cast<StoreInst>(&access))
      return const_cast<Value *>(store->getPointerOperand());
    if (auto *operation = dyn_cast<AtomicRMWInst>(&access))
      return const_cast<Value *>(operation->getPointerOperand());
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access))
      return const_cast<Value *>(exchange->getPointerOperand());
    return nullptr;
  }

  const Rewritten *find(const Instruction &access) const {
    const Value *pointer = pointerOf(access);
    if (!pointer)
      return nullptr;
    if (auto *step = dyn_cast<GEPOperator>(pointer))
      pointer = step->getPointerOperand();
    const auto found = old.find(pointer);
    return found == old.end() ? nullptr : &found->second;
  }

  void rewrite(Instruction &access) {
    const Rewritten &resource = *find(access);
    IRBuilder<> builder(&access);
    Value *index = builder.getInt32(0);
    if (auto *step = dyn_cast<GEPOperator>(pointerOf(access)))
      index = step->getOperand(step->getNumOperands() - 1);
    const unsigned bits = bitsOf(resource.old.elementType);
    if (bits < wordBits && resource.old.kind != Resource::Kind::Buffer)
      rewriteWidened(builder, access, resource, index);
    else if (bits < wordBits)
      rewriteNarrow(builder, access, resource, index);
    else if (bits == wordBits)
      rewriteWord(builder, access, resource, index);
    else
      rewriteWide(builder, access, resource, index);
    access.eraseFromParent();
  }

  Value *address(IRBuilderBase &builder, const Rewritten &resource, Value *index) {
    return builder.CreateGEP(ArrayType::get(word(), resource.elementCount), resource.variable,
                             {builder.getInt32(0), index});
  }
  Value *load(IRBuilderBase &builder, const Rewritten &resource, Value *index, bool isVolatile) {
    return builder.CreateAlignedLoad(word(), address(builder, resource, index), Align(4),
                                     isVolatile);
  }
  void store(IRBuilderBase &builder, const Rewritten &resource, Value *value, Value *index,
             bool isVolatile) {
    builder.CreateAlignedStore(value, address(builder, resource, index), Align(4), isVolatile);
  }
  static Type *integerLike(Type *type) {
    return IntegerType::get(type->getContext(), bitsOf(type));
  }

  /// One narrow element a word.
  void rewriteWidened(IRBuilderBase &builder, Instruction &access, const Rewritten &resource,
                      Value *index) {
    if (auto *read = dyn_cast<LoadInst>(&access)) {
      Value *whole = load(builder, resource, index, read->isVolatile());
      read->replaceAllUsesWith(builder.CreateTrunc(whole, read->getType()));
    } else if (auto *write = dyn_cast<StoreInst>(&access)) {
      store(builder, resource, builder.CreateZExt(write->getValueOperand(), word()), index,
            write->isVolatile());
    } else {
      copyAtomic(builder, access, resource, index);
    }
  }

  /// Several elements a word.
  void rewriteNarrow(IRBuilderBase &builder, Instruction &access, const Rewritten &resource,
                     Value *index) {
    Type *type = resource.old.elementType;
    const unsigned bits = bitsOf(type);
    const unsigned log = bits == 8 ? 2 : 1; // of elements a word
    Value *whole = builder.CreateLShr(index, log);
    Value *part = builder.CreateAnd(index, (1u << log) - 1);
    Value *shift = builder.CreateShl(part, bits == 8 ? 3 : 4);
    if (auto *read = dyn_cast<LoadInst>(&access)) {
      Value *value = builder.CreateLShr(load(builder, resource, whole, read->isVolatile()), shift);
      value = builder.CreateTrunc(value, integerLike(type));
      read->replaceAllUsesWith(builder.CreateBitCast(value, type));
    } else if (auto *write = dyn_cast<StoreInst>(&access)) {
      Value *value = builder.CreateBitCast(write->getValueOperand(), integerLike(type));
      Value *mask = builder.CreateShl(builder.getInt32((1u << bits) - 1), shift);
      Value *there = builder.CreateShl(builder.CreateZExt(value, word()), shift);
      Value *place = address(builder, resource, whole);
      builder.CreateAtomicRMW(AtomicRMWInst::And, place, builder.CreateNot(mask), Align(4),
                              AtomicOrdering::Monotonic);
      builder.CreateAtomicRMW(AtomicRMWInst::Or, place, there, Align(4), AtomicOrdering::Monotonic);
    } else {
      copyAtomic(builder, access, resource, index);
    }
  }

  void rewriteWord(IRBuilderBase &builder, Instruction &access, const Rewritten &resource,
                   Value *index) {
    auto *read = dyn_cast<LoadInst>(&access);
    auto *write = dyn_cast<StoreInst>(&access);
    if (read && !read->isAtomic()) {
      Value *bits = load(builder, resource, index, read->isVolatile());
      read->replaceAllUsesWith(builder.CreateBitCast(bits, read->getType()));
    } else if (write && !write->isAtomic()) {
      store(builder, resource, builder.CreateBitCast(write->getValueOperand(), word()), index,
            write->isVolatile());
    } else {
      copyAtomic(builder, access, resource, index);
    }
  }

  void rewriteWide(IRBuilderBase &builder, Instruction &access, const Rewritten &resource,
                   Value *index) {
    Value *low = builder.CreateShl(index, 1);
    Value *high = builder.CreateOr(low, 1);
    auto *read = dyn_cast<LoadInst>(&access);
    auto *write = dyn_cast<StoreInst>(&access);
    if (read && !read->isAtomic()) {
      Type *wide = builder.getInt64Ty();
      Value *lower = builder.CreateZExt(load(builder, resource, low, read->isVolatile()), wide);
      Value *upper = builder.CreateZExt(load(builder, resource, high, read->isVolatile()), wide);
      Value *joined = builder.CreateOr(lower, builder.CreateShl(upper, wordBits));
      read->replaceAllUsesWith(builder.CreateBitCast(joined, read->getType()));
    } else if (write && !write->isAtomic()) {
      Value *bits = builder.CreateBitCast(write->getValueOperand(), builder.getInt64Ty());
      store(builder, resource, builder.CreateTrunc(bits, word()), low, write->isVolatile());
      store(builder, resource, builder.CreateTrunc(builder.CreateLShr(bits, wordBits), word()),
            high, write->isVolatile());
    } else {
      copyAtomic(builder, access, resource, index);
    }
  }

  /// An atomic on words stays; narrower and wider ones are refused by checkCapabilities or a writer.
  void copyAtomic(IRBuilderBase &builder, Instruction &access, const Rewritten &resource,
                  Value *index) {
    Instruction *copy = access.clone();
    for (Use &operand : copy->operands())
      if (operand.get() == pointerOf(access))
        operand.set(address(builder, resource, index));
    builder.Insert(copy);
    access.replaceAllUsesWith(copy);
  }

  LoweredKernel &kernel;
  Function &function;
  const bool widen;
  const bool split;
  std::map<const Value *, Rewritten> old; ///< by variable
};

} // namespace

void useWordViews(LoweredKernel &kernel, bool widen, bool split) {
  Rewriter(kernel, widen, split).run();
}

} // namespace khalc::shader
