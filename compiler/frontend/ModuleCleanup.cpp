//===- ModuleCleanup.cpp - Clang's module as the targets want it ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/ModuleCleanup.h"

#include "kernel/DebuggerNames.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace khalc {

namespace {

void dropSideTables(Module &module) {
  for (const char *name : {"llvm.global.annotations", "llvm.used", "llvm.compiler.used",
                           "llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable *table = module.getNamedGlobal(name))
      table->eraseFromParent();
}

void makeInternal(Module &module, const KernelFile &file) {
  StringSet<> bodies;
  for (const KernelInfo &kernel : file.kernels)
    bodies.insert(kernel.bodyFunction);
  for (GlobalValue &value : module.global_values()) {
    if (value.isDeclaration())
      continue;
    if (auto *object = dyn_cast<GlobalObject>(&value))
      object->setComdat(nullptr);
    if (bodies.contains(value.getName()))
      continue;
    if (value.getName() == debuggerCallsFunction) {
      value.setLinkage(GlobalValue::WeakODRLinkage);
      value.setVisibility(GlobalValue::HiddenVisibility);
      continue;
    }
    value.setLinkage(GlobalValue::InternalLinkage);
    value.setVisibility(GlobalValue::DefaultVisibility);
    value.setDSOLocal(true);
  }
}

void forgetSharedInitialisers(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.getSection() == sharedSection)
      variable.setInitializer(PoisonValue::get(variable.getValueType()));
}

void forgetProcessor(Module &module) {
  for (Function &function : module)
    for (const char *attribute : {"target-cpu", "target-features", "tune-cpu"})
      function.removeFnAttr(attribute);
}

void removeUnreached(Module &module) {
  ModuleAnalysisManager analyses;
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  GlobalDCEPass().run(module, analyses);
}

} // namespace

void cleanUpModule(Module &module, const KernelFile &file) {
  dropSideTables(module);
  makeInternal(module, file);
  removeUnreached(module);
  forgetSharedInitialisers(module);
  forgetProcessor(module);
}

} // namespace khalc
