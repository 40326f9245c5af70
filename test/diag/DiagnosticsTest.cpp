//===- DiagnosticsTest.cpp - faults as they are printed ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "diag/Diagnostics.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace khalc;
using diag::ExitCode;
using diag::Id;

namespace {

/// An engine that prints into a string, and a source file that it can quote.
class Diagnostics : public testing::Test {
protected:
  Diagnostics() : out(text), engine(/*colour=*/false, out) {
    llvm::SmallString<128> path;
    llvm::sys::fs::createTemporaryFile("khal-diag", "cpp", path);
    source = std::string(path);
    std::ofstream(source) << "line one\nfloat helper(float x);\nthird line here\n";
  }
  ~Diagnostics() override { llvm::sys::fs::remove(source); }

  std::string said() {
    std::string result = out.str();
    for (size_t at = result.find(source); at != std::string::npos; at = result.find(source))
      result.replace(at, source.size(), "FILE");
    return result;
  }

  std::string text;
  llvm::raw_string_ostream out;
  diag::Engine engine;
  std::string source;
};

TEST_F(Diagnostics, StartsClean) {
  EXPECT_FALSE(engine.hasErrors());
  EXPECT_EQ(engine.exitCode(), ExitCode::Done);
  EXPECT_EQ(said(), "");
}

TEST_F(Diagnostics, QuotesTheLineAndTheCalls) {
  engine.report(Id::undefined_function, SourcePosition{source, 2, 7}, {"lib::f"},
                {{SourcePosition{source, 3, 1}, "outer"}});
  EXPECT_EQ(said(), "FILE:2:7: error: call to 'lib::f', which has no definition in this file; "
                    "define it or include its definition [khal-undefined-function]\n"
                    "    2 | float helper(float x);\n"
                    "      |       ^\n"
                    "FILE:3:1: note: called from 'outer' here\n"
                    "    3 | third line here\n"
                    "      | ^\n");
  EXPECT_EQ(engine.exitCode(), ExitCode::SourceError);
}

TEST_F(Diagnostics, PlacesThatDoNotExistAreSurvived) {
  engine.report(Id::indirect_call, SourcePosition{source, 999, 999});
  engine.report(Id::indirect_call, SourcePosition{"no/such/file.cpp", 1, 1});
  engine.report(Id::indirect_call, SourcePosition{});
  EXPECT_EQ(engine.exitCode(), ExitCode::SourceError);
  EXPECT_NE(said().find("khalc: error: a call through a function pointer"), std::string::npos);
}

TEST_F(Diagnostics, ArgumentsAreTakenAsTheyAre) {
  engine.report(Id::input_missing, {"%1%0.cpp", "%0"});
  EXPECT_EQ(said(), "khalc: error: can't read '%1%0.cpp': %0; give the path of a C++ file "
                    "[khal-input-missing]\n");
  EXPECT_EQ(engine.exitCode(), ExitCode::BadUse);
}

TEST_F(Diagnostics, InternalFaultsSayHowToReport) {
  engine.report(Id::spirv_invalid, {"k", "why"});
  EXPECT_EQ(said(), "khalc: error: the SPIR-V for kernel 'k' isn't valid: why "
                    "[khal-spirv-invalid]\nkhalc: note: " +
                        std::string(diag::howToReport) + "\n");
  EXPECT_EQ(engine.exitCode(), ExitCode::Internal);
}

TEST_F(Diagnostics, TheWorstCounts) {
  engine.report(Id::device_parse, {"ptx"});
  EXPECT_FALSE(engine.hasErrors());
  engine.report(Id::output_unwritable, {"f", "why"});
  engine.report(Id::unknown_target, {"t"});
  engine.report(Id::indirect_call, SourcePosition{source, 1, 1});
  EXPECT_EQ(engine.exitCode(), ExitCode::Environment);
}

/// `kernel` calls `outer` calls `inner`, all inlined into the body that the frontend makes.
constexpr char inlinedCode[] = R"(
  define void @khal_body_k(ptr %p) !dbg !4 {
    %a = load i32, ptr %p, !dbg !10
    %b = add i32 %a, 1
    store i32 %b, ptr %p
    ret void, !dbg !13
  }
  define void @bare() !dbg !5 {
    ret void
  }
  define void @nothing() {
    ret void
  }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
  !1 = !DIFile(filename: "FILE", directory: ".")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = !DISubroutineType(types: !{})
  !4 = distinct !DISubprogram(name: "khal_body_k", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
  !5 = distinct !DISubprogram(name: "kernel", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
  !6 = distinct !DISubprogram(name: "outer", file: !1, line: 2, type: !3, unit: !0, spFlags: DISPFlagDefinition)
  !7 = distinct !DISubprogram(name: "inner", file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
  !10 = !DILocation(line: 3, column: 7, scope: !7, inlinedAt: !11)
  !11 = distinct !DILocation(line: 2, column: 7, scope: !6, inlinedAt: !12)
  !12 = distinct !DILocation(line: 1, column: 6, scope: !5, inlinedAt: !13)
  !13 = distinct !DILocation(line: 1, column: 1, scope: !4)
)";

class InIr : public Diagnostics {
protected:
  InIr() {
    std::string code = inlinedCode;
    code.replace(code.find("FILE"), 4, source);
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString(code, error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
  }

  const llvm::Instruction &instruction(const char *function, unsigned number) {
    return *std::next(llvm::inst_begin(module->getFunction(function)), number);
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

constexpr char inlinedText[] = "FILE:3:7: error: a call through a function pointer remains after "
                               "inlining; call a function, a lambda or a template parameter "
                               "instead [khal-indirect-call]\n"
                               "    3 | third line here\n"
                               "      |       ^\n"
                               "FILE:2:7: note: called from 'outer' here\n"
                               "    2 | float helper(float x);\n"
                               "      |       ^\n"
                               "FILE:1:6: note: called from 'kernel' here\n"
                               "    1 | line one\n"
                               "      |      ^\n";

TEST_F(InIr, TheChainOfCallsEndsAtTheKernel) {
  engine.report(Id::indirect_call, instruction("khal_body_k", 0));
  EXPECT_EQ(said(), inlinedText);
}

TEST_F(InIr, AnInstructionWithoutAPlaceHasItsNeighbours) {
  engine.report(Id::indirect_call, instruction("khal_body_k", 1));
  EXPECT_EQ(said(), inlinedText);
}

TEST_F(InIr, ElseTheFunctionsOwnLine) {
  engine.report(Id::indirect_call, instruction("bare", 0));
  EXPECT_NE(said().find("FILE:1:1: error:"), std::string::npos) << said();
}

TEST_F(InIr, OrNoneAtAll) {
  engine.report(Id::indirect_call, instruction("nothing", 0));
  EXPECT_EQ(said().rfind("khalc: error: ", 0), 0u) << said();
}

} // namespace
