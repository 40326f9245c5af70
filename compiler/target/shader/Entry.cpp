//===- Entry.cpp - a kernel's entry, its buffers as roots ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/Entry.h"

#include "ir/ParameterObjects.h"

#include "khal/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc::shader {

namespace {

constexpr StringLiteral bufferPrefix = "khal.buffer.";
constexpr StringLiteral sharedPrefix = "khal.shared.";
constexpr StringLiteral blockName = "khal.block";
constexpr StringLiteral addressFunction = "khal.buffer.address";

/// A global in the address space that the frontend's pointers have, so that no cast is needed.
GlobalVariable *declareGlobal(Module &module, uint64_t bytes, bool constant, const Twine &name,
                              Align alignment) {
  auto *type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
  auto *global = new GlobalVariable(module, type, constant, GlobalValue::ExternalLinkage, nullptr,
                                    name, nullptr, GlobalValue::NotThreadLocal, 0);
  global->setAlignment(alignment);
  return global;
}

Value *bufferAddress(IRBuilderBase &builder, Module &module, const KernelInfo &kernel,
                     unsigned index) {
  const BufferSlot &slot = kernel.buffers[index];
  Align alignment(std::max<uint64_t>(slot.elementAlignment, 1));
  if (!kernel.mayAlias)
    return declareGlobal(module, 0, slot.readOnly, bufferPrefix + Twine(index), alignment);
  FunctionCallee address =
      module.getOrInsertFunction(addressFunction, builder.getPtrTy(), builder.getInt32Ty());
  auto *function = cast<Function>(address.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  CallInst *call = builder.CreateCall(address, builder.getInt32(index));
  call->addRetAttr(Attribute::getWithAlignment(module.getContext(), alignment));
  return call;
}

} // namespace

Function *buildEntry(Module &module, const KernelInfo &kernel) {
  LLVMContext &context = module.getContext();
  Function *body = module.getFunction(kernel.bodyFunction);
  auto *entry =
      Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                       GlobalValue::ExternalLinkage, "khal.entry." + kernel.symbol, module);
  entry->addFnAttr(Attribute::Convergent);
  entry->addFnAttr(Attribute::NoUnwind);
  entry->setSubprogram(nullptr);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", entry));

  SmallVector<Value *> buffers;
  for (unsigned i = 0; i < kernel.buffers.size(); ++i)
    buffers.push_back(bufferAddress(builder, module, kernel, i));
  Value *block = nullptr;
  if (kernel.blockSize > 0)
    block =
        declareGlobal(module, kernel.blockSize, true, blockName, Align(khal::abi::block_alignment));

  SmallVector<Value *> sharedSpans;
  for (unsigned i = 0; i < kernel.sharedSpans.size(); ++i) {
    GlobalVariable *span = declareGlobal(module, 0, false, sharedPrefix + Twine(i),
                                         Align(khal::abi::shared_span_alignment));
    span->setSection(sharedSection);
    sharedSpans.push_back(span);
  }

  SmallVector<Value *> objects =
      buildParameterObjects(builder, kernel, DeviceAbi::Shader, buffers, block, sharedSpans);
  CallInst *call = builder.CreateCall(body, objects);
  call->setCallingConv(body->getCallingConv());
  builder.CreateRetVoid();
  return entry;
}

/// The number after `prefix` in the name of a global, or -1.
static int numberIn(const Value *value, StringRef prefix) {
  auto *global = dyn_cast<GlobalVariable>(value);
  unsigned index = 0;
  if (!global || !global->getName().starts_with(prefix) ||
      !to_integer(global->getName().drop_front(prefix.size()), index, 10))
    return -1;
  return static_cast<int>(index);
}

int sharedSpanIndex(const Value *value) {
  return numberIn(value, sharedPrefix);
}

int bufferIndex(const Value *value) {
  if (auto *call = dyn_cast<CallInst>(value)) {
    const Function *callee = call->getCalledFunction();
    if (callee && callee->getName() == addressFunction)
      return static_cast<int>(cast<ConstantInt>(call->getArgOperand(0))->getZExtValue());
    return -1;
  }
  return numberIn(value, bufferPrefix);
}

bool isArgumentBlock(const Value *value) {
  auto *global = dyn_cast<GlobalVariable>(value);
  return global && global->getName() == blockName;
}

} // namespace khalc::shader
