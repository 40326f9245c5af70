//===- ByteFunctions.cpp - C's functions on bytes, with bodies --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "ir/ByteFunctions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc {

namespace {

/// A loop over `size` bytes that ends early where `found` says so:
///
///   for (i = 0; i != size; ++i)
///     if (found(i)) return result(i);
///   return otherwise;
class ByteLoop {
public:
  ByteLoop(Function &function, Value *size)
      : function(function), builder(block("entry")), head(block("head")), body(block("body")),
        exit(block("exit")), end(block("end")), size(size) {
    BasicBlock *entry = builder.GetInsertBlock();
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    index = builder.CreatePHI(size->getType(), 2, "i");
    index->addIncoming(ConstantInt::get(size->getType(), 0), entry);
    builder.CreateCondBr(builder.CreateICmpEQ(index, size), end, body);
    builder.SetInsertPoint(body);
  }

  Value *byteOf(Value *pointer) {
    return builder.CreateLoad(builder.getInt8Ty(), addressIn(pointer));
  }
  Value *addressIn(Value *pointer) { return builder.CreatePtrAdd(pointer, index); }

  /// Ends the loop's body; what `makeResult` makes is evaluated only then.
  template <class MakeResult> void finish(Value *found, MakeResult makeResult, Value *otherwise) {
    BasicBlock *step = block("step");
    builder.CreateCondBr(found, exit, step);
    builder.SetInsertPoint(step);
    index->addIncoming(builder.CreateAdd(index, ConstantInt::get(size->getType(), 1)), step);
    builder.CreateBr(head);
    builder.SetInsertPoint(exit);
    builder.CreateRet(makeResult());
    builder.SetInsertPoint(end);
    builder.CreateRet(otherwise);
  }

  IRBuilder<> &at() { return builder; }

private:
  BasicBlock *block(const char *name) {
    return BasicBlock::Create(function.getContext(), name, &function);
  }

  Function &function;
  IRBuilder<> builder;
  BasicBlock *head, *body, *exit, *end;
  Value *size;
  PHINode *index;
};

/// bcmp may give any number that isn't zero, so memcmp's will do.
void defineCompare(Function &function) {
  ByteLoop loop(function, function.getArg(2));
  Value *a = loop.byteOf(function.getArg(0)), *b = loop.byteOf(function.getArg(1));
  Type *result = function.getReturnType();
  loop.finish(
      loop.at().CreateICmpNE(a, b),
      [&] {
        return loop.at().CreateSub(loop.at().CreateZExt(a, result),
                                   loop.at().CreateZExt(b, result));
      },
      ConstantInt::get(result, 0));
}

void defineFind(Function &function) {
  ByteLoop loop(function, function.getArg(2));
  Value *wanted = loop.at().CreateTrunc(function.getArg(1), loop.at().getInt8Ty());
  Value *pointer = function.getArg(0);
  loop.finish(
      loop.at().CreateICmpEQ(loop.byteOf(pointer), wanted), [&] { return loop.addressIn(pointer); },
      Constant::getNullValue(function.getReturnType()));
}

void define(Module &module, StringRef name, void (*defineBody)(Function &)) {
  Function *declared = module.getFunction(name);
  if (!declared || !declared->isDeclaration() || declared->arg_size() != 3)
    return;
  Function *function = Function::Create(declared->getFunctionType(), GlobalValue::InternalLinkage,
                                        declared->getAddressSpace(), "khal." + name, &module);
  defineBody(*function);
  declared->replaceAllUsesWith(function);
  declared->eraseFromParent();
}

} // namespace

void defineByteFunctions(Module &module) {
  define(module, "memcmp", defineCompare);
  define(module, "bcmp", defineCompare);
  define(module, "memchr", defineFind);
}

} // namespace khalc
