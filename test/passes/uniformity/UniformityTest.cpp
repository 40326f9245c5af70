//===- UniformityTest.cpp - what the work-items of a group agree on ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "ir/Uniformity.h"

#include "ir/Passes.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using khalc::Unknown;

namespace {

/// One function and its uniformity in both senses.
class Analysed {
public:
  explicit Analysed(const std::string &body) {
    const std::string text = R"(
      declare i32 @__khal_local_id(i32) memory(none) nounwind willreturn
      declare i32 @__khal_group_id(i32) memory(none) nounwind willreturn
      declare i32 @unknown()
      @table = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
      define void @kernel(ptr %buffer, i32 %n) {
      entry:
        %id = call i32 @__khal_local_id(i32 0), !range !0
        %group = call i32 @__khal_group_id(i32 0)
    )" + body + "\n}\n!0 = !{i32 0, i32 64}\n";
    llvm::SMDiagnostic fault;
    module = llvm::parseAssemblyString(text, fault, context);
    if (!module) {
      ADD_FAILURE() << fault.getMessage().str();
      return;
    }
    function = module->getFunction("kernel");
    proven.emplace(*function, passes.functions, Unknown::Divergent);
    suspected.emplace(*function, passes.functions, Unknown::Uniform);
  }

  llvm::Value &value(llvm::StringRef name) const {
    return *function->getValueSymbolTable()->lookup(name);
  }
  bool isUniform(llvm::StringRef name) const { return proven->isUniform(value(name)); }
  bool isDivergent(llvm::StringRef name) const { return !suspected->isUniform(value(name)); }
  /// Neither can be said.
  bool isOpen(llvm::StringRef name) const { return !isUniform(name) && !isDivergent(name); }
  bool leavesUniformly(llvm::StringRef block) const {
    return proven->leavesUniformly(*llvm::cast<llvm::BasicBlock>(&value(block)));
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  llvm::Function *function = nullptr;
  khalc::Passes passes;
  std::optional<khalc::Uniformity> proven, suspected;
};

TEST(Uniformity, FollowsValues) {
  const Analysed kernel(R"(
        %sum = add i32 %group, %n
        %own = mul i32 %id, %sum
        %p = getelementptr i32, ptr %buffer, i32 %sum
        %common = load i32, ptr %p
        %q = getelementptr i32, ptr %buffer, i32 %own
        %different = load i32, ptr %q
        %old = atomicrmw add ptr %p, i32 1 monotonic
        ret void)");
  for (const char *name : {"buffer", "n", "group", "sum", "p", "common"}) {
    EXPECT_TRUE(kernel.isUniform(name)) << name;
    EXPECT_FALSE(kernel.isDivergent(name)) << name;
  }
  for (const char *name : {"id", "own", "q", "different", "old"}) {
    EXPECT_FALSE(kernel.isUniform(name)) << name;
    EXPECT_TRUE(kernel.isDivergent(name)) << name;
  }
}

TEST(Uniformity, LeavesOpenWhatItCannotJudge) {
  const Analysed kernel(R"(
        %own = alloca [8 x i32]
        %p = getelementptr [8 x i32], ptr %own, i32 0, i32 %n
        %private = load i32, ptr %p
        %volatile = load volatile i32, ptr %buffer
        %result = call i32 @unknown()
        ret void)");
  for (const char *name : {"own", "private", "volatile", "result"})
    EXPECT_TRUE(kernel.isOpen(name)) << name;
}

TEST(Uniformity, FollowsControlFlow) {
  const Analysed kernel(R"(
        %own = icmp ult i32 %id, %n
        %common = icmp ult i32 %group, %n
        br i1 %own, label %yes, label %join
      yes:
        br label %join
      join:
        %chosen = phi i32 [1, %yes], [2, %entry]
        br i1 %common, label %same, label %end
      same:
        br label %end
      end:
        %agreed = phi i32 [1, %same], [2, %join]
        ret void)");
  EXPECT_FALSE(kernel.leavesUniformly("entry"));
  EXPECT_TRUE(kernel.isDivergent("chosen"));
  EXPECT_TRUE(kernel.leavesUniformly("join"));
  EXPECT_TRUE(kernel.isUniform("agreed"));
}

TEST(Uniformity, SeesLoopsLeftInDifferentRounds) {
  const Analysed kernel(R"(
        br label %loop
      loop:
        %i = phi i32 [0, %entry], [%next, %loop]
        %next = add nuw i32 %i, 1
        %more = icmp ult i32 %next, %id
        br i1 %more, label %loop, label %end
      end:
        %rounds = add i32 %next, 0
        ret void)");
  EXPECT_TRUE(kernel.isUniform("next")) << "those in the loop agree";
  const auto &rounds = llvm::cast<llvm::Instruction>(kernel.value("rounds"));
  EXPECT_FALSE(kernel.proven->isUniformAt(rounds.getOperandUse(0)));
  EXPECT_FALSE(kernel.isUniform("rounds"));
  EXPECT_FALSE(kernel.leavesUniformly("loop"));
}

TEST(Uniformity, KnowsLoopsOfOneNumberOfRounds) {
  // for (i = id; i < 256; i += 64), 64 work-items: four rounds each.
  const std::string loop = R"(
        br label %loop
      loop:
        %i = phi i32 [%id, %entry], [%next, %loop]
        %next = add nuw nsw i32 %i, 64
        %more = icmp ult i32 %next, LIMIT
        br i1 %more, label %loop, label %end
      end:
        ret void)";
  const auto with = [&](const char *limit) {
    std::string text = loop;
    return text.replace(text.find("LIMIT"), 5, limit);
  };
  const Analysed multiple(with("256"));
  EXPECT_TRUE(multiple.isDivergent("i"));
  EXPECT_TRUE(multiple.leavesUniformly("loop"));
  const Analysed odd(with("250"));
  EXPECT_FALSE(odd.leavesUniformly("loop"));
}

} // namespace
