//===- Entry.cpp - the PTX entry point of a kernel --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/nvptx/Entry.h"

#include "ir/ParameterObjects.h"
#include "ir/Prepare.h"
#include "target/nvptx/AddressSpaces.h"

#include "khal/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc::nvptx {

namespace {

FunctionType *entryType(LLVMContext &context, const KernelInfo &kernel) {
  SmallVector<Type *> parameters(kernel.buffers.size(), PointerType::get(context, globalSpace));
  if (kernel.blockSize)
    parameters.push_back(PointerType::get(context, genericSpace));
  return FunctionType::get(Type::getVoidTy(context), parameters, false);
}

/// What a launch promises of a buffer's address. Without may_alias the stub has checked that no
/// written buffer overlaps another, which is what noalias says; together with readonly it lets
/// loads go through the read-only data cache.
void describeBuffer(Argument &argument, const BufferSlot &buffer, bool mayAlias) {
  AttrBuilder attributes(argument.getContext());
  attributes.addAlignmentAttr(Align(std::max<uint64_t>(1, buffer.elementAlignment)));
  attributes.addAttribute(Attribute::NoUndef);
  if (!mayAlias)
    attributes.addAttribute(Attribute::NoAlias);
  if (buffer.readOnly)
    attributes.addAttribute(Attribute::ReadOnly);
  argument.addAttrs(attributes);
}

/// The block is a parameter by value that the kernel never writes: grid_constant spares the copy
/// to local memory when its address is needed.
void describeBlock(Argument &argument, uint32_t size) {
  LLVMContext &context = argument.getContext();
  AttrBuilder attributes(context);
  attributes.addByValAttr(ArrayType::get(Type::getInt8Ty(context), size));
  attributes.addAlignmentAttr(Align(khal::abi::block_alignment));
  attributes.addAttribute(Attribute::NoUndef);
  // Together they make it constant: copies that the kernel only reads are taken back.
  attributes.addAttribute(Attribute::NoAlias);
  attributes.addAttribute(Attribute::ReadOnly);
  attributes.addAttribute("nvvm.grid_constant");
  argument.addAttrs(attributes);
}

void describeKernel(Function &entry, const Function &body, const KernelInfo &kernel) {
  // How subnormals are treated is a property of the function that the code ends up in.
  constexpr StringLiteral subnormals = "denormal-fp-math-f32";
  if (body.hasFnAttribute(subnormals))
    entry.addFnAttr(body.getFnAttribute(subnormals));
  entry.setCallingConv(CallingConv::PTX_Kernel);
  entry.addFnAttr(Attribute::Convergent);
  entry.addFnAttr(Attribute::NoUnwind);
  entry.addFnAttr(Attribute::NoRecurse);
  entry.addFnAttr(
      "nvvm.reqntid",
      join(map_range(kernel.groupSize, [](uint32_t size) { return std::to_string(size); }), ","));
}

/// PTX's dynamic shared memory, of which a launch says how much there is.
Value *dynamicShared(Module &module, IRBuilderBase &builder) {
  auto *memory = new GlobalVariable(
      module, ArrayType::get(builder.getInt8Ty(), 0), /*isConstant=*/false,
      GlobalValue::ExternalLinkage, /*Initializer=*/nullptr, "khal_dynamic_shared",
      /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal, sharedSpace);
  memory->setAlignment(Align(khal::abi::shared_span_alignment));
  return builder.CreateAddrSpaceCast(memory, builder.getPtrTy());
}

} // namespace

Function *buildEntry(Module &module, const KernelInfo &kernel) {
  LLVMContext &context = module.getContext();
  Function *body = module.getFunction(kernel.bodyFunction);
  if (!body || body->isDeclaration())
    return nullptr;
  Function *entry = Function::Create(entryType(context, kernel), GlobalValue::ExternalLinkage,
                                     kernel.symbol, module);
  describeKernel(*entry, *body, kernel);

  IRBuilder<> builder(BasicBlock::Create(context, "entry", entry));
  builder.SetCurrentDebugLocation(giveDebugScope(*entry, *body));
  SmallVector<Value *> buffers;
  for (auto [slot, argument] : zip(kernel.buffers, entry->args())) {
    describeBuffer(argument, slot, kernel.mayAlias);
    buffers.push_back(builder.CreateAddrSpaceCast(&argument, builder.getPtrTy()));
  }
  Value *block = nullptr;
  if (kernel.blockSize) {
    Argument *argument = entry->getArg(kernel.buffers.size());
    argument->setName("block");
    describeBlock(*argument, kernel.blockSize);
    block = argument;
  }
  SmallVector<Value *> sharedSpans;
  if (!kernel.sharedSpans.empty())
    sharedSpans = placeSharedSpans(builder, kernel, dynamicShared(module, builder), block);
  builder
      .CreateCall(body, buildParameterObjects(builder, kernel, DeviceAbi::Nvptx, buffers, block,
                                              sharedSpans))
      ->setCallingConv(body->getCallingConv());
  builder.CreateRetVoid();
  return entry;
}

} // namespace khalc::nvptx
