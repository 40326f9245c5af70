//===- Object.cpp - the generated object ------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The object is the CPU target's module with the other artifacts' bytes and the descriptors of
// khal/abi.h added as constants. Only the descriptors can be seen from outside.
//
//===---------------------------------------------------------------------------------------------===//

#include "bindings/Bindings.h"
#include "diag/Diagnostics.h"
#include "ir/BackendErrors.h"

#include "khal/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <cstddef>

namespace khalc::bindings {

namespace {

namespace abi = khal::abi;
using llvm::Constant;

/// A constant and where it goes in a structure of khal/abi.h.
struct Field {
  size_t offset;
  Constant *value;
};

/// Builds the constants of khal/abi.h in a module. Each structure is laid out by the offsets that
/// the C++ compiler gives its members, so that the two can't differ.
class DescriptorBuilder {
public:
  explicit DescriptorBuilder(llvm::Module &module) : module(module), context(module.getContext()) {}

  void addKernel(const KernelInfo &kernel, llvm::StringRef file,
                 llvm::ArrayRef<const CompiledKernel *> artifacts);

private:
  Constant *u32(uint32_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  }
  Constant *u64(uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value);
  }
  Constant *null() { return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context)); }
  Constant *u32Array(llvm::ArrayRef<uint32_t> values) {
    return llvm::ConstantDataArray::get(context, values);
  }
  Constant *structure(size_t size, llvm::ArrayRef<Field> fields);
  Constant *array(llvm::ArrayRef<Constant *> elements);
  /// A zero-terminated constant; equal ones are one.
  Constant *string(llvm::StringRef text);
  Constant *bytes(llvm::StringRef data, uint64_t alignment);
  llvm::GlobalVariable *hidden(Constant *value, uint64_t alignment);

  Constant *bufferInfo(const BufferSlot &buffer);
  Constant *sharedSpanInfo(const SharedSpan &span);
  Constant *artifact(const CompiledKernel &compiled);

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::StringMap<Constant *> strings;
};

Constant *DescriptorBuilder::structure(size_t size, llvm::ArrayRef<Field> fields) {
  llvm::SmallVector<Constant *> members;
  uint64_t end = 0;
  auto padTo = [&](uint64_t offset) {
    if (offset > end)
      members.push_back(llvm::ConstantAggregateZero::get(
          llvm::ArrayType::get(llvm::Type::getInt8Ty(context), offset - end)));
    end = offset;
  };
  for (const Field &field : fields) {
    assert(field.offset >= end && "fields must be in the order of the structure");
    padTo(field.offset);
    members.push_back(field.value);
    end += module.getDataLayout().getTypeAllocSize(field.value->getType());
  }
  padTo(size);
  return llvm::ConstantStruct::getAnon(context, members, /*Packed=*/true);
}

Constant *DescriptorBuilder::array(llvm::ArrayRef<Constant *> elements) {
  if (elements.empty())
    return null();
  // Structures of one kind differ in nothing but their values, so they have one type.
  auto *type = llvm::ArrayType::get(elements.front()->getType(), elements.size());
  return hidden(llvm::ConstantArray::get(type, elements), alignof(void *));
}

llvm::GlobalVariable *DescriptorBuilder::hidden(Constant *value, uint64_t alignment) {
  auto *variable = new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                            llvm::GlobalValue::PrivateLinkage, value, "khal.data");
  variable->setAlignment(llvm::Align(alignment));
  variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return variable;
}

Constant *DescriptorBuilder::string(llvm::StringRef text) {
  Constant *&entry = strings[text];
  if (!entry)
    entry = hidden(llvm::ConstantDataArray::getString(context, text), 1);
  return entry;
}

Constant *DescriptorBuilder::bytes(llvm::StringRef data, uint64_t alignment) {
  // With a terminating zero, which PTX needs and SPIR-V doesn't mind.
  return hidden(llvm::ConstantDataArray::getString(context, data), alignment);
}

Constant *DescriptorBuilder::bufferInfo(const BufferSlot &buffer) {
  const uint32_t flags = (buffer.readOnly ? abi::buffer_read_only : 0u) |
                         (buffer.hasLength ? abi::buffer_has_length : 0u);
  return structure(sizeof(abi::BufferInfo), {{offsetof(abi::BufferInfo, name), string(buffer.name)},
                                             {offsetof(abi::BufferInfo, element_size),
                                              u32(static_cast<uint32_t>(buffer.elementSize))},
                                             {offsetof(abi::BufferInfo, flags), u32(flags)}});
}

Constant *DescriptorBuilder::sharedSpanInfo(const SharedSpan &span) {
  return structure(
      sizeof(abi::SharedSpanInfo),
      {{offsetof(abi::SharedSpanInfo, name), string(span.name)},
       {offsetof(abi::SharedSpanInfo, element_size), u32(static_cast<uint32_t>(span.elementSize))},
       {offsetof(abi::SharedSpanInfo, length_offset), u32(span.lengthOffset)}});
}

Constant *DescriptorBuilder::artifact(const CompiledKernel &compiled) {
  const bool isCpu = compiled.target == abi::Target::cpu;
  Constant *function = null();
  if (isCpu)
    function = module.getFunction(compiled.cpuFunction);
  const bool hasCode = !isCpu && compiled.unavailable.empty();
  constexpr uint64_t codeAlignment = 16;
  return structure(
      sizeof(abi::Artifact),
      {{offsetof(abi::Artifact, target), u32(static_cast<uint32_t>(compiled.target))},
       {offsetof(abi::Artifact, scratch_bytes), u32(compiled.scratchBytes)},
       {offsetof(abi::Artifact, features), u64(compiled.features)},
       {offsetof(abi::Artifact, variant), string(compiled.variant)},
       {offsetof(abi::Artifact, entry), string(compiled.entry)},
       {offsetof(abi::Artifact, code), hasCode ? bytes(compiled.code, codeAlignment) : null()},
       {offsetof(abi::Artifact, code_size), u64(hasCode ? compiled.code.size() : 0)},
       {offsetof(abi::Artifact, function), function},
       {offsetof(abi::Artifact, unavailable),
        compiled.unavailable.empty() ? null() : string(compiled.unavailable)},
       {offsetof(abi::Artifact, max_buffer_bytes), u64(compiled.maxBufferBytes)}});
}

void DescriptorBuilder::addKernel(const KernelInfo &kernel, llvm::StringRef file,
                                  llvm::ArrayRef<const CompiledKernel *> artifacts) {
  llvm::SmallVector<Constant *> buffers, sharedSpans, compiled;
  for (const BufferSlot &buffer : kernel.buffers)
    buffers.push_back(bufferInfo(buffer));
  for (const SharedSpan &span : kernel.sharedSpans)
    sharedSpans.push_back(sharedSpanInfo(span));
  uint32_t sharedBytes = 0;
  for (const CompiledKernel *one : artifacts) {
    compiled.push_back(artifact(*one));
    sharedBytes = std::max(sharedBytes, one->sharedBytes);
  }
  Constant *value = structure(
      sizeof(abi::Kernel),
      {{offsetof(abi::Kernel, abi_version), u32(abi::version)},
       {offsetof(abi::Kernel, flags), u32(kernel.mayAlias ? abi::kernel_may_alias : 0u)},
       {offsetof(abi::Kernel, name), string(kernel.displayName)},
       {offsetof(abi::Kernel, file), string(file)},
       {offsetof(abi::Kernel, line), u32(kernel.position.line)},
       {offsetof(abi::Kernel, group_size), u32Array(kernel.groupSize)},
       {offsetof(abi::Kernel, buffer_count), u32(static_cast<uint32_t>(buffers.size()))},
       {offsetof(abi::Kernel, block_size), u32(kernel.blockSize)},
       {offsetof(abi::Kernel, buffers), array(buffers)},
       {offsetof(abi::Kernel, artifact_count), u32(static_cast<uint32_t>(compiled.size()))},
       {offsetof(abi::Kernel, shared_bytes), u32(sharedBytes)},
       {offsetof(abi::Kernel, artifacts), array(compiled)},
       {offsetof(abi::Kernel, shared_spans), array(sharedSpans)},
       {offsetof(abi::Kernel, shared_span_count), u32(static_cast<uint32_t>(sharedSpans.size()))}});
  auto *variable =
      new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::ExternalLinkage, value, descriptorSymbol(kernel));
  variable->setAlignment(llvm::Align(alignof(abi::Kernel)));
}

/// The file's name as it may stand in an object: one that doesn't tell where the machine keeps it.
llvm::StringRef portablePath(llvm::StringRef path) {
  return llvm::sys::path::is_absolute(path) ? llvm::sys::path::filename(path) : path;
}

std::unique_ptr<llvm::TargetMachine> hostMachine(const TargetOptions &options,
                                                 std::string &whyNot) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser(); // for inline assembly
  const llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, whyNot);
  if (!target)
    return nullptr;
  llvm::TargetOptions machineOptions;
  machineOptions.FunctionSections = true;
  machineOptions.DataSections = true;
  constexpr llvm::CodeGenOptLevel levels[] = {
      llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less, llvm::CodeGenOptLevel::Default,
      llvm::CodeGenOptLevel::Aggressive};
  // Functions name the processor that they are for; what has no name is for any.
  const bool isX86 = triple.getArch() == llvm::Triple::x86_64;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, isX86 ? "x86-64" : "generic", "", machineOptions, llvm::Reloc::PIC_, std::nullopt,
      levels[std::min(options.optimisationLevel, 3u)]));
}

} // namespace

std::optional<std::string> writeObject(const KernelFile &file,
                                       llvm::ArrayRef<CompiledKernel> compiled,
                                       std::unique_ptr<llvm::Module> cpuModule,
                                       llvm::LLVMContext &context, const TargetOptions &options,
                                       diag::Engine &diagnostics) {
  std::string whyNot;
  const std::unique_ptr<llvm::TargetMachine> machine = hostMachine(options, whyNot);
  if (!machine) {
    diagnostics.report(diag::Id::host_target_missing, whyNot);
    return std::nullopt;
  }

  const llvm::StringRef path = portablePath(file.path);
  std::unique_ptr<llvm::Module> module = std::move(cpuModule);
  if (!module)
    module = std::make_unique<llvm::Module>(path, context);
  module->setModuleIdentifier(path);
  module->setSourceFileName(path);
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  if (!module->getModuleFlag("PIC Level"))
    module->setPICLevel(llvm::PICLevel::BigPIC);
  const AsmPlaces asmPlaces(*module, diagnostics);
  if (!options.debugInfo)
    llvm::StripDebugInfo(*module);

  // What the descriptors need of the CPU code is reached through them alone.
  for (llvm::GlobalValue &value : module->global_values())
    if (!value.isDeclaration() && !value.hasLocalLinkage() && !value.getName().starts_with("llvm."))
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (const CompiledKernel &one : compiled) {
    const llvm::Function *function = module->getFunction(one.cpuFunction);
    if (one.target == khal::abi::Target::cpu && (!function || function->isDeclaration())) {
      diagnostics.report(diag::Id::cpu_function_missing, one.cpuFunction);
      return std::nullopt;
    }
  }

  DescriptorBuilder builder(*module);
  for (const KernelInfo &kernel : file.kernels) {
    llvm::SmallVector<const CompiledKernel *> artifacts;
    for (const CompiledKernel &one : compiled)
      if (one.kernelSymbol == kernel.symbol)
        artifacts.push_back(&one);
    builder.addKernel(kernel, path, artifacts);
  }
  if (llvm::raw_string_ostream fault(whyNot); llvm::verifyModule(*module, &fault)) {
    diagnostics.report(diag::Id::object_not_emitted, whyNot);
    return std::nullopt;
  }

  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    diagnostics.report(diag::Id::object_not_emitted, std::string("the target can't write objects"));
    return std::nullopt;
  }
  const BackendResult result = runBackend(passes, *module, asmPlaces, diagnostics);
  if (!result.fault.empty())
    diagnostics.report(diag::Id::object_not_emitted, result.fault);
  if (result.hasSourceErrors || !result.fault.empty())
    return std::nullopt;
  return std::string(object);
}

} // namespace khalc::bindings
