//===- Resources.cpp - a kernel's memory and inputs as WGSL variables -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/wgsl/Resources.h"

#include "khal/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using khalc::shader::Resource;

namespace khalc::wgsl {

namespace {

constexpr uint32_t vectorWords = 4; ///< a uniform array's stride is 16 bytes
constexpr char components[] = "xyzw";

/// WGSL has no literal for infinities and NaNs, and refuses them as constants.
std::string atRunTime(uint64_t bits) {
  std::string text;
  raw_string_ostream(text) << "bitcast<f32>(" << zeroVariable << " | " << bits << "u)";
  return text;
}

std::string floatLiteral(const ConstantFP &constant) {
  const Type *type = constant.getType();
  APFloat value = constant.getValueAPF();
  const bool isHalf = type->isHalfTy();
  if (!value.isFinite()) {
    bool lost = false;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    std::string made = atRunTime(value.bitcastToAPInt().getZExtValue());
    return isHalf ? "f16(" + made + ")" : made;
  }
  if (value.isNegZero()) // a constant's sign may be lost
    return isHalf ? "f16(" + atRunTime(0x80000000u) + ")" : atRunTime(0x80000000u);
  SmallString<32> digits;
  value.toString(digits, /*FormatPrecision=*/0, /*FormatMaxPadding=*/4);
  if (!StringRef(digits).contains_insensitive('e') && !StringRef(digits).contains('.'))
    digits += ".0";
  digits += isHalf ? "h" : "f";
  return value.isNegative() ? "(" + std::string(digits) + ")" : std::string(digits);
}

} // namespace

StringRef typeName(const Type *type) {
  if (type->isIntegerTy(1))
    return "bool";
  if (type->isHalfTy())
    return "f16";
  return type->isFloatTy() ? "f32" : "u32";
}

std::string literal(const Constant *constant) {
  if (auto *number = dyn_cast<ConstantInt>(constant)) {
    if (number->getType()->isIntegerTy(1))
      return number->isOne() ? "true" : "false";
    return utostr(number->getZExtValue()) + "u";
  }
  if (auto *number = dyn_cast<ConstantFP>(constant))
    return floatLiteral(*number);
  // Undefined values are zero, so that results are the same everywhere.
  const StringRef type = typeName(constant->getType());
  return type == "bool" ? "false" : type == "u32" ? "0u" : type == "f16" ? "0.0h" : "0.0f";
}

Resources::Resources(const shader::LoweredKernel &kernel, Names &names)
    : kernel(kernel), names(names) {
  for (const Resource &resource : kernel.resources) {
    byVariable[resource.variable] = &resource;
    if (resource.kind != Resource::Kind::Block)
      uses[&resource].name = names.fresh(resource.name, "memory");
    if (resource.sharedSpan >= 0)
      uses[&resource].lengthName = names.fresh(resource.name + "_size", "");
  }
  blockName = names.fresh("arguments", "");
  offsetsName = names.fresh("buffers_have_offsets", "");
  survey();
}

void Resources::survey() {
  for (const Instruction &instruction : instructions(*kernel.function)) {
    const Value *pointer = nullptr;
    bool reads = true, writes = true, atomic = true, signedOrder = false;
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      pointer = load->getPointerOperand();
      writes = false;
      atomic = load->isAtomic();
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      pointer = store->getPointerOperand();
      reads = false;
      atomic = store->isAtomic();
    } else if (auto *operation = dyn_cast<AtomicRMWInst>(&instruction)) {
      pointer = operation->getPointerOperand();
      signedOrder = operation->getOperation() == AtomicRMWInst::Max ||
                    operation->getOperation() == AtomicRMWInst::Min;
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      pointer = exchange->getPointerOperand();
    } else {
      continue;
    }
    const Resource *resource = element(pointer).resource;
    if (!resource || resource->kind == Resource::Kind::Block)
      continue;
    Use &use = uses[resource];
    use.read |= reads;
    use.written |= writes;
    use.atomic |= atomic;
    use.signedOrder |= signedOrder;
  }
  for (const auto &[resource, use] : uses) {
    hasShared |= resource->kind == Resource::Kind::Shared;
    hasReadWrite |= resource->kind == Resource::Kind::Buffer && use.read && use.written;
  }
}

Resources::Element Resources::element(const Value *pointer) const {
  const Value *index = nullptr;
  if (auto *step = dyn_cast<GEPOperator>(pointer)) {
    index = step->getOperand(step->getNumOperands() - 1);
    pointer = step->getPointerOperand();
  }
  return {byVariable.lookup(pointer), index};
}

bool Resources::isAtomic(const Resource &resource) const {
  const auto found = uses.find(&resource);
  return found != uses.end() && found->second.atomic;
}

bool Resources::isSigned(const Resource &resource) const {
  const auto found = uses.find(&resource);
  return found != uses.end() && found->second.signedOrder;
}

StringRef Resources::nameOf(const Resource &resource) const {
  return uses.at(&resource).name;
}

std::string Resources::blockWord(uint32_t word) {
  blockUsed = true;
  return blockName + "[" + utostr(word / vectorWords) + "]." + components[word % vectorWords];
}

std::string Resources::blockWord(const std::string &index) {
  blockUsed = true;
  return blockName + "[" + index + " / " + utostr(vectorWords) + "u][" + index + " % " +
         utostr(vectorWords) + "u]";
}

std::string Resources::bufferOffset(uint32_t buffer) {
  offsetsUsed = true;
  return "select(0u, " + blockWord(kernel.info->blockSize / 4 + buffer) + ", " + offsetsName + ")";
}

std::string Resources::input(StringRef builtin) {
  std::string &name = inputs[builtin.str()];
  if (name.empty())
    name = names.fresh(builtin, "");
  return name;
}

std::string Resources::elementTypeOf(const Resource &resource) const {
  const std::string type = isSigned(resource) ? "i32" : typeName(resource.elementType).str();
  return isAtomic(resource) ? "atomic<" + type + ">" : type;
}

void Resources::declareBuffer(raw_ostream &out, const Resource &resource) const {
  const Use &use = uses.at(&resource);
  if (!use.read && !use.written)
    return;
  out << "@group(" << khal::abi::descriptor_set << ") @binding(" << resource.index
      << ") var<storage, " << (use.written || use.atomic ? "read_write" : "read") << "> "
      << use.name << ": array<" << elementTypeOf(resource) << ">;\n";
}

void Resources::declareTable(raw_ostream &out, const Resource &resource) const {
  constexpr size_t valuesALine = 8;
  out << "const " << nameOf(resource) << " = array<" << elementTypeOf(resource) << ", "
      << resource.elementCount << ">(";
  for (size_t i = 0; i < resource.initialiser.size(); ++i)
    out << (i ? "," : "") << (i % valuesALine == 0 ? "\n  " : " ")
        << literal(resource.initialiser[i]);
  out << ");\n";
}

void Resources::declareShared(raw_ostream &out, const Resource &resource) const {
  std::string count = utostr(resource.elementCount);
  if (resource.sharedSpan >= 0) {
    const auto span = static_cast<uint32_t>(resource.sharedSpan);
    count = uses.at(&resource).lengthName;
    out << "@id(" << khal::abi::shared_constant_id + span << ") override " << count
        << ": u32 = 1u;\n";
    if (resource.spanFactor != 1)
      count += " * " + utostr(resource.spanFactor) + "u";
  }
  out << "var<workgroup> " << nameOf(resource) << ": array<" << elementTypeOf(resource) << ", "
      << count << ">;\n";
}

void Resources::declareGlobals(raw_ostream &out) const {
  if (offsetsUsed)
    out << "@id(" << khal::abi::offsets_constant_id << ") override " << offsetsName
        << ": bool = false;\n";
  for (const Resource &resource : kernel.resources)
    if (resource.kind == Resource::Kind::Buffer)
      declareBuffer(out, resource);
  const auto buffers = static_cast<uint32_t>(kernel.info->buffers.size());
  const uint32_t words = khal::abi::shader_block_bytes(kernel.info->blockSize, buffers) / 4;
  if (blockUsed)
    out << "@group(" << khal::abi::descriptor_set << ") @binding(" << buffers << ") var<uniform> "
        << blockName << ": array<vec4<u32>, " << (words + vectorWords - 1) / vectorWords << ">;\n";
  for (const Resource &resource : kernel.resources) {
    if (resource.kind == Resource::Kind::Shared)
      declareShared(out, resource);
    else if (resource.kind == Resource::Kind::Table)
      declareTable(out, resource);
  }
}

void Resources::declarePrivates(raw_ostream &out) const {
  for (const Resource &resource : kernel.resources)
    if (resource.kind == Resource::Kind::Private)
      out << "  var " << nameOf(resource) << ": array<" << elementTypeOf(resource) << ", "
          << resource.elementCount << ">;\n";
}

void Resources::declareInputs(raw_ostream &out) const {
  bool first = true;
  for (const auto &[builtin, name] : inputs) {
    out << (first ? "" : ", ") << "@builtin(" << builtin << ") " << name
        << (StringRef(builtin).starts_with("subgroup_") ? ": u32" : ": vec3<u32>");
    first = false;
  }
}

} // namespace khalc::wgsl
