//===- Generate.cpp - random functions of calls and branches ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "Generate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace khal::fuzz {
namespace {

/// What both kinds of functions are made of: a few variables, and statements on them.
class Generator {
public:
  Generator(Module &module, Random &random)
      : random(random), context(module.getContext()), builder(context), i32(builder.getInt32Ty()) {
    Type *none = builder.getVoidTy();
    trace = module.getOrInsertFunction("trace", none, i32);
    input = module.getOrInsertFunction("input", i32);
    function = Function::Create(FunctionType::get(none, {i32, i32}, false),
                                GlobalValue::ExternalLinkage, "f", module);
    builder.SetInsertPoint(newBlock("entry"));
    for (unsigned index = 0; index < 4; ++index) {
      variables.push_back(builder.CreateAlloca(i32));
      Value *start = builder.getInt32(index);
      builder.CreateStore(index < 2 ? function->getArg(index) : start, variables.back());
    }
  }
  virtual ~Generator() = default;

  virtual void generateBody() = 0;

  void promote() {
    removeUnreachableBlocks(*function);
    DominatorTree dominators(*function);
    PromoteMemToReg(variables, dominators);
  }

protected:
  BasicBlock *newBlock(const Twine &name) { return BasicBlock::Create(context, name, function); }

  Value *operand() {
    if (random.chance(25))
      return builder.getInt32(random.below(8));
    return builder.CreateLoad(i32, variables[random.below(variables.size())]);
  }

  Value *expression() {
    static constexpr Instruction::BinaryOps operations[] = {
        Instruction::Add, Instruction::Sub, Instruction::Mul, Instruction::Xor, Instruction::And};
    Value *left = operand();
    return builder.CreateBinOp(operations[random.below(std::size(operations))], left, operand());
  }

  void statements(unsigned most) {
    for (unsigned left = random.below(most + 1); left > 0; --left) {
      if (random.chance(50))
        builder.CreateCall(trace, {random.chance(50) ? builder.getInt32(nextMark++) : operand()});
      else
        builder.CreateStore(expression(), variables[random.below(variables.size())]);
    }
  }

  /// Mostly something from outside, so that all ways through the function are taken at times.
  Value *choice() { return random.chance(70) ? builder.CreateCall(input) : operand(); }

  Value *condition() {
    Value *bit = builder.CreateAnd(choice(), builder.getInt32(random.chance(70) ? 1 : 3));
    return builder.CreateICmpEQ(bit, builder.getInt32(0));
  }

  Random &random;
  LLVMContext &context;
  IRBuilder<> builder;
  Type *i32;
  FunctionCallee trace, input;
  Function *function = nullptr;
  std::vector<AllocaInst *> variables;
  unsigned nextMark = 100;
};

/// Blocks with edges to wherever.
class GraphGenerator : public Generator {
public:
  using Generator::Generator;

  void generateBody() override {
    unsigned count = 2 + random.below(random.chance(20) ? 30 : 10);
    backwards = random.below(40);
    for (unsigned index = 0; index < count; ++index)
      blocks.push_back(newBlock("b" + Twine(index)));
    builder.CreateBr(blocks.front());
    for (unsigned index = 0; index < count; ++index) {
      builder.SetInsertPoint(blocks[index]);
      if (random.chance(80))
        statements(3);
      terminate(index);
    }
  }

private:
  BasicBlock *target(unsigned from) {
    unsigned count = blocks.size();
    if (from + 1 == count || random.chance(backwards))
      return blocks[random.below(count)];
    // Near targets make graphs with some depth.
    unsigned ahead = random.chance(75) ? std::min(4u, count - from - 1) : count - from - 1;
    return blocks[from + 1 + random.below(ahead)];
  }

  void terminate(unsigned index) {
    unsigned kind = random.below(100);
    if (kind < 5 || (index + 1 == blocks.size() && kind < 70)) {
      builder.CreateRetVoid();
    } else if (kind < 25) {
      builder.CreateBr(target(index));
    } else if (kind < 88) {
      Value *value = condition();
      BasicBlock *then = target(index);
      builder.CreateCondBr(value, then, target(index));
    } else {
      Value *value = builder.CreateAnd(choice(), builder.getInt32(7));
      SwitchInst *choices = builder.CreateSwitch(value, target(index));
      for (unsigned number = 0; number < 8; ++number)
        if (random.chance(50))
          choices->addCase(builder.getInt32(number), target(index));
    }
  }

  std::vector<BasicBlock *> blocks;
  unsigned backwards = 0; ///< percent
};

/// Nested statements, lowered as a compiler's front end does it.
class ProgramGenerator : public Generator {
public:
  using Generator::Generator;

  void generateBody() override {
    budget = 5 + random.below(random.chance(20) ? 60 : 25);
    jumpy = random.below(25);
    labels.push_back(newBlock("cleanup"));
    labels.push_back(newBlock("end"));
    block(0);
    // A goto's label is later than the goto: cleanup, then end.
    for (BasicBlock *label : labels) {
      builder.CreateBr(label);
      builder.SetInsertPoint(label);
      statements(3);
    }
    builder.CreateRetVoid();
  }

private:
  void block(unsigned depth) {
    do
      statement(depth);
    while (budget > 0 && random.chance(65));
  }

  void statement(unsigned depth) {
    if (budget == 0 || depth > 6)
      return statements(2);
    --budget;
    unsigned kind = random.below(100);
    if (kind < 20)
      statements(3);
    else if (kind < 45)
      conditional(depth);
    else if (kind < 60)
      loop(depth);
    else if (kind < 68)
      select(depth);
    else if (random.chance(jumpy))
      jump();
    else if (kind < 80 && !breaks.empty())
      guardedJump();
    else
      statements(2);
  }

  /// Branches on a condition that may have && and || in it.
  void branch(BasicBlock *ifTrue, BasicBlock *ifFalse, unsigned depth = 0) {
    if (depth < 3 && random.chance(25)) {
      BasicBlock *second = newBlock("rhs");
      bool isAnd = random.chance(50);
      branch(isAnd ? second : ifTrue, isAnd ? ifFalse : second, depth + 1);
      builder.SetInsertPoint(second);
      return branch(ifTrue, ifFalse, depth + 1);
    }
    if (random.chance(20))
      statements(2);
    builder.CreateCondBr(condition(), ifTrue, ifFalse);
  }

  void conditional(unsigned depth) {
    BasicBlock *then = newBlock("then"), *after = newBlock("after");
    BasicBlock *otherwise = random.chance(50) ? newBlock("else") : after;
    branch(then, otherwise);
    builder.SetInsertPoint(then);
    block(depth + 1);
    builder.CreateBr(after);
    if (otherwise != after) {
      builder.SetInsertPoint(otherwise);
      block(depth + 1);
      builder.CreateBr(after);
    }
    builder.SetInsertPoint(after);
  }

  void loop(unsigned depth) {
    BasicBlock *head = newBlock("head"), *body = newBlock("body"), *next = newBlock("next");
    BasicBlock *after = newBlock("done");
    unsigned kind = random.below(10); // while, for, do-while, endless
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    if (kind < 7)
      branch(body, after);
    else
      builder.CreateBr(body);
    builder.SetInsertPoint(body);
    breaks.push_back(after);
    continues.push_back(next);
    block(depth + 1);
    breaks.pop_back();
    continues.pop_back();
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
    statements(2);
    if (kind == 7 || kind == 8)
      branch(head, after);
    else
      builder.CreateBr(head);
    builder.SetInsertPoint(after);
  }

  void select(unsigned depth) {
    Value *value = builder.CreateAnd(choice(), builder.getInt32(7));
    BasicBlock *after = newBlock("join");
    SwitchInst *choices = builder.CreateSwitch(value, after);
    breaks.push_back(after);
    unsigned number = 0;
    bool falls = false;
    for (unsigned left = 1 + random.below(5); left > 0; --left) {
      BasicBlock *label = newBlock("case");
      if (falls)
        builder.CreateBr(label);
      for (unsigned values = 1 + random.below(2); values > 0 && number < 8; --values)
        choices->addCase(builder.getInt32(number++), label);
      if (random.chance(20))
        choices->setDefaultDest(label);
      builder.SetInsertPoint(label);
      block(depth + 1);
      falls = random.chance(20);
      if (!falls)
        builder.CreateBr(after);
    }
    if (falls)
      builder.CreateBr(after);
    breaks.pop_back();
    builder.SetInsertPoint(after);
  }

  /// Break, continue, those of outer loops, return or goto; what follows is unreachable.
  void jump() {
    unsigned kind = random.below(10);
    if (kind < 4 && !breaks.empty())
      builder.CreateBr(random.chance(75) ? breaks.back() : breaks[random.below(breaks.size())]);
    else if (kind < 7 && !continues.empty())
      builder.CreateBr(random.chance(75) ? continues.back()
                                         : continues[random.below(continues.size())]);
    else if (kind < 8)
      builder.CreateRetVoid();
    else
      builder.CreateBr(labels[random.below(labels.size())]);
    builder.SetInsertPoint(newBlock("dead"));
  }

  void guardedJump() {
    BasicBlock *then = newBlock("leave"), *after = newBlock("stay");
    branch(then, after);
    builder.SetInsertPoint(then);
    statements(2);
    jump();
    builder.CreateBr(after);
    builder.SetInsertPoint(after);
  }

  unsigned budget = 0;
  unsigned jumpy = 0; ///< percent
  std::vector<BasicBlock *> breaks, continues, labels;
};

template <typename T> void run(Module &module, Random &random) {
  T generator(module, random);
  generator.generateBody();
  generator.promote();
}

} // namespace

std::unique_ptr<Module> generate(LLVMContext &context, Shape shape, Random &random) {
  auto module = std::make_unique<Module>("fuzz", context);
  if (shape == Shape::Graph)
    run<GraphGenerator>(*module, random);
  else
    run<ProgramGenerator>(*module, random);
  return module;
}

} // namespace khal::fuzz
