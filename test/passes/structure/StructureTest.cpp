//===- StructureTest.cpp - prints the structured tree of each function in an .ll file ---------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructureTree.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// khal-structure-test FILE.ll [--ir]: the trees, and with --ir the functions they refer to.
int main(int argc, char **argv) {
  if (argc < 2) {
    errs() << "usage: khal-structure-test FILE.ll [--ir]\n";
    return 2;
  }
  LLVMContext context;
  SMDiagnostic fault;
  std::unique_ptr<Module> module = parseIRFile(argv[1], fault, context);
  if (!module) {
    fault.print(argv[0], errs());
    return 1;
  }
  bool printFunctions = argc > 2 && StringRef(argv[2]) == "--ir";
  for (Function &function : *module) {
    if (function.isDeclaration())
      continue;
    khalc::shader::StructuredFunction tree = khalc::shader::structure(function);
    if (verifyFunction(function, &errs()))
      return 1;
    outs() << toString(tree);
    if (printFunctions)
      outs() << function;
  }
  return 0;
}
