//===- WidenAccesses.cpp - neighbouring accesses as one of up to 16 bytes --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#include "target/shader/WidenAccesses.h"

#include "ir/Passes.h"
#include "target/shader/ExpandMemory.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

namespace khalc::shader {

namespace {

constexpr unsigned wordBits = 32;

/// Vectors that a view's element can be.
bool isViewVector(const FixedVectorType &type) {
  unsigned bits = type.getScalarSizeInBits();
  unsigned count = type.getNumElements();
  return (bits == 32 && (count == 2 || count == 4)) || (bits == 64 && count == 2);
}

/// A vector of narrow elements as the words that hold it: i16, i32, <2 x i32> or <4 x i32>. Null
/// when there is no such type.
Type *wordsFor(const FixedVectorType &type) {
  unsigned bits = static_cast<unsigned>(type.getPrimitiveSizeInBits().getFixedValue());
  if (type.getScalarSizeInBits() >= wordBits || !isPowerOf2_32(bits))
    return nullptr;
  IntegerType *integer = IntegerType::get(type.getContext(), std::min(bits, wordBits));
  if (bits <= wordBits)
    return integer;
  return bits <= 4 * wordBits ? FixedVectorType::get(integer, bits / wordBits) : nullptr;
}

/// The word that element `index` lies in, and where.
struct Position {
  unsigned word = 0;
  unsigned shift = 0;
};

Position positionOf(unsigned index, unsigned elementBits) {
  return {index * elementBits / wordBits, index * elementBits % wordBits};
}

Value *wordOf(IRBuilderBase &builder, Value *words, unsigned word) {
  return words->getType()->isVectorTy() ? builder.CreateExtractElement(words, word) : words;
}

/// Extends an element straight from its word where the program extends it, so that no narrow
/// arithmetic is needed.
void extendFrom(Value *word, unsigned shift, unsigned bits, CastInst &extension) {
  unsigned width = word->getType()->getIntegerBitWidth();
  IRBuilder<> builder(&extension);
  Value *wide = nullptr;
  if (isa<SExtInst>(extension))
    wide = builder.CreateAShr(builder.CreateShl(word, width - bits - shift), width - bits);
  else
    wide = builder.CreateAnd(builder.CreateLShr(word, shift), maskTrailingOnes<uint64_t>(bits));
  Type *type = extension.getType();
  extension.replaceAllUsesWith(isa<SExtInst>(extension) ? builder.CreateSExtOrTrunc(wide, type)
                                                        : builder.CreateZExtOrTrunc(wide, type));
  extension.eraseFromParent();
}

/// Replaces a load of narrow elements by one of words.
void loadWords(LoadInst &load, Type *words) {
  auto &type = *cast<FixedVectorType>(load.getType());
  unsigned bits = type.getScalarSizeInBits();
  IRBuilder<> builder(&load);
  LoadInst *wide = builder.CreateAlignedLoad(words, load.getPointerOperand(), load.getAlign(),
                                             load.isVolatile());
  for (User *user : make_early_inc_range(load.users())) {
    auto *extract = cast<ExtractElementInst>(user);
    auto index =
        static_cast<unsigned>(cast<ConstantInt>(extract->getIndexOperand())->getZExtValue());
    Position at = positionOf(index, bits);
    builder.SetInsertPoint(extract);
    Value *word = wordOf(builder, wide, at.word);
    for (User *use : make_early_inc_range(extract->users()))
      if (isa<ZExtInst, SExtInst>(use))
        extendFrom(word, at.shift, bits, *cast<CastInst>(use));
    if (!extract->use_empty()) {
      Value *narrow =
          builder.CreateTrunc(builder.CreateLShr(word, at.shift), builder.getIntNTy(bits));
      extract->replaceAllUsesWith(builder.CreateBitCast(narrow, type.getElementType()));
    }
    extract->eraseFromParent();
  }
  load.eraseFromParent();
}

/// The elements of a vector that was put together by insertelement; empty when it wasn't.
SmallVector<Value *> elementsOf(Value *vector) {
  unsigned count = cast<FixedVectorType>(vector->getType())->getNumElements();
  SmallVector<Value *> elements(count, nullptr);
  unsigned missing = count;
  while (auto *insert = dyn_cast<InsertElementInst>(vector)) {
    auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
    if (!index)
      return {};
    Value *&element = elements[index->getZExtValue()];
    if (!element) {
      element = insert->getOperand(1);
      --missing;
    }
    vector = insert->getOperand(0);
  }
  if (auto *constant = dyn_cast<Constant>(vector); constant && missing > 0)
    for (unsigned i = 0; i < count; ++i)
      if (!elements[i]) {
        elements[i] = constant->getAggregateElement(i);
        --missing;
      }
  if (missing > 0)
    return {};
  return elements;
}

/// Replaces a store of narrow elements by one of words.
void storeWords(StoreInst &store, Type *words, ArrayRef<Value *> elements) {
  unsigned bits = store.getValueOperand()->getType()->getScalarSizeInBits();
  IRBuilder<> builder(&store);
  unsigned count = words->isVectorTy() ? cast<FixedVectorType>(words)->getNumElements() : 1;
  IntegerType *wordType = cast<IntegerType>(words->getScalarType());
  SmallVector<Value *> parts(count, ConstantInt::get(wordType, 0));
  for (unsigned i = 0; i < elements.size(); ++i) {
    Position at = positionOf(i, bits);
    Value *element = builder.CreateBitCast(elements[i], builder.getIntNTy(bits));
    element = builder.CreateShl(builder.CreateZExt(element, wordType), at.shift);
    parts[at.word] = builder.CreateOr(parts[at.word], element);
  }
  Value *value = parts.front();
  if (words->isVectorTy()) {
    value = PoisonValue::get(words);
    for (unsigned i = 0; i < count; ++i)
      value = builder.CreateInsertElement(value, parts[i], i);
  }
  builder.CreateAlignedStore(value, store.getPointerOperand(), store.getAlign(),
                             store.isVolatile());
  store.eraseFromParent();
}

bool isTakenApart(const LoadInst &load) {
  return all_of(load.users(), [](const User *user) {
    auto *extract = dyn_cast<ExtractElementInst>(user);
    return extract && isa<ConstantInt>(extract->getIndexOperand());
  });
}

/// Gives each vector access a type that a view has. False for one that stays as it was and has to be
/// taken apart again.
bool shapeLoad(LoadInst &load) {
  auto *type = dyn_cast<FixedVectorType>(load.getType());
  if (!type)
    return true;
  if (!isTakenApart(load))
    return false;
  if (isViewVector(*type))
    return true;
  Type *words = wordsFor(*type);
  if (!words)
    return false;
  loadWords(load, words);
  return true;
}

/// Stores a vector that was loaded itself where its elements were put together again.
void copyWhole(StoreInst &store, ArrayRef<Value *> elements) {
  Value *vector = nullptr;
  for (unsigned i = 0; i < elements.size(); ++i) {
    auto *extract = dyn_cast<ExtractElementInst>(elements[i]);
    if (!extract || !match(extract->getIndexOperand(), PatternMatch::m_SpecificInt(i)) ||
        (vector && extract->getVectorOperand() != vector))
      return;
    vector = extract->getVectorOperand();
  }
  if (vector->getType() != store.getValueOperand()->getType() || !isa<LoadInst>(vector))
    return;
  Value *rebuilt = store.getValueOperand();
  store.setOperand(0, vector);
  markUntyped(store);
  RecursivelyDeleteTriviallyDeadInstructions(rebuilt);
  if (all_of(vector->users(), [](const User *user) {
        auto *copy = dyn_cast<StoreInst>(user);
        return copy && isUntypedAccess(*copy);
      }))
    markUntyped(*cast<LoadInst>(vector));
}

bool shapeStore(StoreInst &store) {
  auto *type = dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
  if (!type)
    return true;
  SmallVector<Value *> elements = elementsOf(store.getValueOperand());
  if (elements.empty())
    return isViewVector(*type) && isa<Constant>(store.getValueOperand());
  if (isViewVector(*type)) {
    copyWhole(store, elements);
    return true;
  }
  Type *words = wordsFor(*type);
  if (!words)
    return false;
  storeWords(store, words, elements);
  return true;
}

/// True for a 64-bit integer that is only moved from memory to memory.
bool isOnlyCopied(const LoadInst &load) {
  return load.getType()->isIntegerTy(2 * wordBits) && load.isSimple() &&
         all_of(load.uses(), [](const Use &use) {
           auto *store = dyn_cast<StoreInst>(use.getUser());
           return store && store->isSimple() && use.getOperandNo() == 0;
         });
}

/// A copy of 8 bytes becomes one of two words: LLVM makes 64-bit integers of the copies of structs,
/// and not every device has these.
void copyAsWords(LoadInst &load) {
  IRBuilder<> builder(&load);
  Type *words = FixedVectorType::get(builder.getInt32Ty(), 2);
  LoadInst *copy = builder.CreateAlignedLoad(words, load.getPointerOperand(), load.getAlign());
  markUntyped(*copy);
  for (User *user : make_early_inc_range(load.users())) {
    auto *store = cast<StoreInst>(user);
    builder.SetInsertPoint(store);
    markUntyped(*builder.CreateAlignedStore(copy, store->getPointerOperand(), store->getAlign()));
    store->eraseFromParent();
  }
  load.eraseFromParent();
}

template <class Access> SmallVector<Access *> all(Function &function) {
  SmallVector<Access *> accesses;
  for (Instruction &instruction : instructions(function))
    if (auto *access = dyn_cast<Access>(&instruction))
      accesses.push_back(access);
  return accesses;
}

} // namespace

void widenAccesses(Function &function) {
  Passes analyses;
  LoadStoreVectorizerPass().run(function, analyses.functions);
  bool allShaped = true;
  for (LoadInst *load : all<LoadInst>(function))
    allShaped &= shapeLoad(*load);
  for (StoreInst *store : all<StoreInst>(function))
    allShaped &= shapeStore(*store);
  for (LoadInst *load : all<LoadInst>(function))
    if (isOnlyCopied(*load))
      copyAsWords(*load);
  if (allShaped)
    return;
  // No view has these; the elements one by one are what there was before.
  FunctionPassManager passes;
  passes.addPass(ScalarizerPass(
      ScalarizerPassOptions{.ScalarizeVariableInsertExtract = true, .ScalarizeLoadStore = true}));
  Passes fresh;
  passes.run(function, fresh.functions);
}

} // namespace khalc::shader
