//===- Expressions.cpp - values of a lowered kernel as WGSL expressions ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/wgsl/Expressions.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using khalc::shader::Resource;

namespace khalc::wgsl {

namespace {

std::string call(const std::string &function, const std::string &a) {
  return function + "(" + a + ")";
}
std::string call(const std::string &function, const std::string &a, const std::string &b) {
  return function + "(" + a + ", " + b + ")";
}
std::string binary(const std::string &a, const char *op, const std::string &b) {
  return "(" + a + " " + op + " " + b + ")";
}

/// A value's name as the source has it, without what inlining adds.
StringRef sourceName(const Value &value) {
  StringRef name = value.getName().split('.').first;
  return name.starts_with("_") ? StringRef() : name; // mangled
}

/// Without the parentheses around all of it.
std::string bare(std::string text) {
  if (text.empty() || text.front() != '(')
    return text;
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0)
      return i + 1 == text.size() ? text.substr(1, i - 1) : text;
  }
  return text;
}

/// True for what is as short as a name: inputs, words of the argument block, an exchange's halves.
bool isFree(const Instruction &instruction) {
  if (isa<ExtractValueInst>(instruction))
    return true;
  if (isa<LoadInst, CallInst>(instruction) && !isa<IntrinsicInst>(instruction))
    return all_of(instruction.operand_values(),
                  [](const Value *operand) { return isa<Constant>(operand); }) &&
           !instruction.mayHaveSideEffects();
  return false;
}

bool isPure(const Instruction &instruction) {
  return !instruction.mayReadOrWriteMemory() && !instruction.isTerminator();
}

} // namespace

// --- values and statements ----------------------------------------------------------------------

std::string Expressions::operand(const Value *value) {
  if (auto *constant = dyn_cast<Constant>(value)) {
    noteType(constant->getType());
    return literal(constant);
  }
  return texts.lookup(value);
}

std::string Expressions::whole(const Value *value) {
  return bare(operand(value));
}

const SmallPtrSet<const Value *, 4> &Expressions::phisIn(const Value *value) {
  SmallPtrSet<const Value *, 4> &phis = phiUses[value];
  if (isa<PHINode>(value))
    phis.insert(value);
  return phis;
}

bool Expressions::isStatement(const Instruction &instruction) const {
  if (!isPure(instruction))
    return true;
  // What is used once is written there; longer texts would hide what is going on.
  constexpr size_t longest = 100;
  return !instruction.hasOneUse() || texts.lookup(&instruction).size() > longest;
}

void Expressions::print(raw_ostream &out, unsigned indent, Instruction &instruction) {
  if (isa<AllocaInst, GetElementPtrInst>(instruction))
    return; // see Resources
  if (isa<StoreInst, FenceInst>(instruction) || instruction.getType()->isVoidTy()) {
    std::string text;
    raw_string_ostream statement(text);
    printStatement(statement, instruction);
    SmallVector<StringRef, 2> lines;
    StringRef(text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (const StringRef line : lines)
      out.indent(indent) << line << (line.ends_with(";") ? "\n" : ";\n");
    return;
  }
  noteType(instruction.getType());
  const std::string text = visit(instruction);
  texts[&instruction] = text;
  const Resources::Element loaded = isa<LoadInst>(instruction)
                                        ? resources.element(instruction.getOperand(0))
                                        : Resources::Element();
  if (isFree(instruction) && (!loaded.resource || loaded.resource->kind == Resource::Kind::Block)) {
    phiUses[&instruction] = {};
    return;
  }
  if (!isStatement(instruction)) {
    SmallPtrSet<const Value *, 4> phis;
    for (const Value *part : instruction.operand_values())
      for (const Value *phi : phisIn(part))
        phis.insert(phi);
    phiUses[&instruction] = std::move(phis);
    return;
  }
  if (instruction.use_empty()) {
    if (!isPure(instruction))
      // An atomic operation is a statement; the others are values that something must take.
      out.indent(indent) << (isa<LoadInst, CallInst>(instruction) ? "_ = " : "") << bare(text)
                         << ";\n";
    return;
  }
  const std::string name = names.fresh(sourceName(instruction), "v");
  out.indent(indent) << "let " << name << " = " << bare(text) << ";\n";
  texts[&instruction] = name;
  phiUses[&instruction] = {};
}

std::string Expressions::unsupported(const Instruction &instruction, const std::string &what,
                                     const std::string &instead) {
  diagnostics.report(diag::Id::shader_unsupported_instruction, instruction, {what, instead});
  hasFailed = true;
  return "0u";
}

std::string Expressions::visitInstruction(Instruction &instruction) {
  return unsupported(instruction, std::string("'") + instruction.getOpcodeName() + "'",
                     "rewrite this expression");
}

// --- memory -------------------------------------------------------------------------------------

std::string Expressions::place(const Value *pointer, const Instruction &user) {
  const Resources::Element element = resources.element(pointer);
  if (!element.resource)
    return unsupported(user, "an access through this pointer",
                       "index the buffer or variable directly");
  return resources.nameOf(*element.resource).str() + "[" +
         (element.index ? whole(element.index) : "0u") + "]";
}

std::string Expressions::visitLoadInst(LoadInst &load) {
  const Resources::Element element = resources.element(load.getPointerOperand());
  if (element.resource && element.resource->kind == Resource::Kind::Block) {
    if (!element.index)
      return resources.blockWord(0);
    if (auto *word = dyn_cast<ConstantInt>(element.index))
      return resources.blockWord(static_cast<uint32_t>(word->getZExtValue()));
    return resources.blockWord(operand(element.index));
  }
  const std::string there = place(load.getPointerOperand(), load);
  if (!element.resource || !resources.isAtomic(*element.resource))
    return there;
  const std::string value = call("atomicLoad", "&" + there);
  if (element.resource->elementType->isFloatTy())
    return call("bitcast<f32>", value);
  return resources.isSigned(*element.resource) ? call("u32", value) : value;
}

void Expressions::printStatement(raw_ostream &out, Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    const Resources::Element element = resources.element(store->getPointerOperand());
    const std::string there = place(store->getPointerOperand(), *store);
    const Value *value = store->getValueOperand();
    if (!element.resource || !resources.isAtomic(*element.resource))
      out << there << " = " << whole(value);
    else
      out << "atomicStore(&" << there << ", "
          << (resources.isSigned(*element.resource) ? signedOperand(value) : whole(value)) << ")";
    return;
  }
  if (isa<CallInst>(instruction)) {
    out << visit(instruction);
    return;
  }
  visitInstruction(instruction);
}

std::string Expressions::visitAtomicRMWInst(AtomicRMWInst &operation) {
  const char *function = nullptr;
  bool unsignedOrder = false;
  switch (operation.getOperation()) {
  case AtomicRMWInst::Xchg:
    function = "atomicExchange";
    break;
  case AtomicRMWInst::Add:
    function = "atomicAdd";
    break;
  case AtomicRMWInst::Sub:
    function = "atomicSub";
    break;
  case AtomicRMWInst::And:
    function = "atomicAnd";
    break;
  case AtomicRMWInst::Or:
    function = "atomicOr";
    break;
  case AtomicRMWInst::Xor:
    function = "atomicXor";
    break;
  case AtomicRMWInst::UMax:
    unsignedOrder = true;
    [[fallthrough]];
  case AtomicRMWInst::Max:
    function = "atomicMax";
    break;
  case AtomicRMWInst::UMin:
    unsignedOrder = true;
    [[fallthrough]];
  case AtomicRMWInst::Min:
    function = "atomicMin";
    break;
  default:
    return visitInstruction(operation);
  }
  const Resource *resource = resources.element(operation.getPointerOperand()).resource;
  if (!operation.getType()->isIntegerTy(32))
    return unsupported(operation, "an atomic on fewer than 32 bits", "use a 32-bit atomic");
  const bool isSigned = resource && resources.isSigned(*resource);
  if (isSigned && unsignedOrder)
    return unsupported(operation,
                       "a signed and an unsigned atomic minimum or maximum on one buffer",
                       "use one of them in a kernel");
  const std::string there = "&" + place(operation.getPointerOperand(), operation);
  const Value *value = operation.getValOperand();
  const std::string result = call(function, there, isSigned ? signedOperand(value) : whole(value));
  return isSigned && !operation.use_empty() ? call("u32", result) : result;
}

std::string Expressions::visitAtomicCmpXchgInst(AtomicCmpXchgInst &exchange) {
  if (!exchange.getNewValOperand()->getType()->isIntegerTy(32))
    return unsupported(exchange, "a compare-exchange on this type", "use a 32-bit atomic");
  const Resource *resource = resources.element(exchange.getPointerOperand()).resource;
  const bool isSigned = resource && resources.isSigned(*resource);
  const auto text = [&](const Value *value) {
    return isSigned ? signedOperand(value) : whole(value);
  };
  return "atomicCompareExchangeWeak(&" + place(exchange.getPointerOperand(), exchange) + ", " +
         text(exchange.getCompareOperand()) + ", " + text(exchange.getNewValOperand()) + ")";
}

std::string Expressions::visitExtractValueInst(ExtractValueInst &extract) {
  auto *exchange = dyn_cast<AtomicCmpXchgInst>(extract.getAggregateOperand());
  if (!exchange)
    return unsupported(extract, "a value of struct type", "use its members one by one");
  if (extract.getIndices()[0] != 0)
    return operand(exchange) + ".exchanged";
  const Resource *resource = resources.element(exchange->getPointerOperand()).resource;
  const std::string old = operand(exchange) + ".old_value";
  return resource && resources.isSigned(*resource) ? call("u32", old) : old;
}

// --- arithmetic ---------------------------------------------------------------------------------

std::string Expressions::signedOperand(const Value *value) {
  if (auto *constant = dyn_cast<ConstantInt>(value)) {
    const int64_t number = constant->getSExtValue();
    if (number == INT32_MIN)
      return "i32(-2147483648)";
    return number < 0 ? "(" + itostr(number) + "i)" : itostr(number) + "i";
  }
  return call("i32", whole(value));
}

std::string Expressions::visitBinaryOperator(BinaryOperator &operation) {
  const std::string a = operand(operation.getOperand(0)), b = operand(operation.getOperand(1));
  const bool isBool = operation.getType()->isIntegerTy(1);
  const auto asSigned = [&](const char *op) {
    return call("u32", signedOperand(operation.getOperand(0)) + " " + op + " " +
                           signedOperand(operation.getOperand(1)));
  };
  switch (operation.getOpcode()) {
  case Instruction::Add:
    return binary(a, isBool ? "!=" : "+", b);
  case Instruction::Sub:
    return binary(a, isBool ? "!=" : "-", b);
  case Instruction::FAdd:
    return binary(a, "+", b);
  case Instruction::FSub:
    return binary(a, "-", b);
  case Instruction::Mul:
    return binary(a, isBool ? "&" : "*", b);
  case Instruction::FMul:
    return binary(a, "*", b);
  case Instruction::UDiv:
  case Instruction::FDiv:
    return binary(a, "/", b);
  case Instruction::SDiv:
    return asSigned("/");
  case Instruction::URem:
  case Instruction::FRem:
    return binary(a, "%", b);
  case Instruction::SRem:
    return asSigned("%");
  case Instruction::Shl:
    return binary(a, "<<", b);
  case Instruction::LShr:
    return binary(a, ">>", b);
  case Instruction::AShr:
    return call("u32", signedOperand(operation.getOperand(0)) + " >> " + b);
  case Instruction::And:
    return binary(a, "&", b);
  case Instruction::Or:
    return binary(a, "|", b);
  case Instruction::Xor:
    if (isBool && isa<ConstantInt>(operation.getOperand(1)))
      return cast<ConstantInt>(operation.getOperand(1))->isOne() ? "!" + a : a;
    if (auto *mask = dyn_cast<ConstantInt>(operation.getOperand(1)); mask && mask->isMinusOne())
      return "~" + a;
    return binary(a, isBool ? "!=" : "^", b);
  default:
    return visitInstruction(operation);
  }
}

std::string Expressions::visitUnaryOperator(UnaryOperator &operation) {
  return "(-" + operand(operation.getOperand(0)) + ")";
}

std::string Expressions::visitICmpInst(ICmpInst &comparison) {
  std::string a = operand(comparison.getOperand(0)), b = operand(comparison.getOperand(1));
  CmpInst::Predicate predicate = comparison.getPredicate();
  if (comparison.getOperand(0)->getType()->isIntegerTy(1)) {
    if (comparison.isEquality())
      return binary(a, predicate == CmpInst::ICMP_EQ ? "==" : "!=", b);
    // As a signed number true is -1, so that the signed orders are the unsigned ones turned round.
    if (comparison.isSigned()) {
      std::swap(a, b);
      predicate = ICmpInst::getUnsignedPredicate(predicate);
    }
    a = call("u32", a);
    b = call("u32", b);
  } else if (comparison.isSigned()) {
    a = signedOperand(comparison.getOperand(0));
    b = signedOperand(comparison.getOperand(1));
  }
  switch (ICmpInst::isSigned(predicate) ? ICmpInst::getUnsignedPredicate(predicate) : predicate) {
  case CmpInst::ICMP_EQ:
    return binary(a, "==", b);
  case CmpInst::ICMP_NE:
    return binary(a, "!=", b);
  case CmpInst::ICMP_UGT:
    return binary(a, ">", b);
  case CmpInst::ICMP_UGE:
    return binary(a, ">=", b);
  case CmpInst::ICMP_ULT:
    return binary(a, "<", b);
  default:
    return binary(a, "<=", b);
  }
}

/// By bits: WGSL lets compilers assume that there are no NaNs in comparisons.
std::string Expressions::isNan(const Value *value) {
  if (value->getType()->isHalfTy())
    return "((bitcast<u32>(vec2<f16>(" + whole(value) + ", 0h)) & 0x7fffu) > 0x7c00u)";
  return "((bitcast<u32>(" + whole(value) + ") & 0x7fffffffu) > 0x7f800000u)";
}

std::string Expressions::visitFCmpInst(FCmpInst &comparison) {
  const Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
  const std::string a = operand(left), b = operand(right);
  // Only equality and the ordered orders mean the same everywhere; `!=` may be false for NaNs.
  const auto lessOrGreater = [&] { return binary(binary(a, "<", b), "||", binary(a, ">", b)); };
  const auto unordered = [&] {
    if (left == right || isa<Constant>(right))
      return isNan(left);
    return binary(isNan(left), "||", isNan(right));
  };
  switch (comparison.getPredicate()) {
  case CmpInst::FCMP_FALSE:
    return "false";
  case CmpInst::FCMP_OEQ:
    return binary(a, "==", b);
  case CmpInst::FCMP_OGT:
    return binary(a, ">", b);
  case CmpInst::FCMP_OGE:
    return binary(a, ">=", b);
  case CmpInst::FCMP_OLT:
    return binary(a, "<", b);
  case CmpInst::FCMP_OLE:
    return binary(a, "<=", b);
  case CmpInst::FCMP_ONE:
    return lessOrGreater();
  case CmpInst::FCMP_ORD:
    return "!" + unordered();
  case CmpInst::FCMP_UNO:
    return unordered();
  case CmpInst::FCMP_UEQ:
    return "!" + lessOrGreater();
  case CmpInst::FCMP_UGT:
    return "!" + binary(a, "<=", b);
  case CmpInst::FCMP_UGE:
    return "!" + binary(a, "<", b);
  case CmpInst::FCMP_ULT:
    return "!" + binary(a, ">=", b);
  case CmpInst::FCMP_ULE:
    return "!" + binary(a, ">", b);
  case CmpInst::FCMP_UNE:
    return "!" + binary(a, "==", b);
  default:
    return "true";
  }
}

std::string Expressions::visitCastInst(CastInst &cast) {
  const Value *from = cast.getOperand(0);
  const Type *to = cast.getDestTy();
  const std::string type = typeName(to).str();
  const bool fromBool = from->getType()->isIntegerTy(1);
  switch (cast.getOpcode()) {
  case Instruction::ZExt:
    return call("u32", whole(from));
  case Instruction::SExt:
    return "select(0u, 0xffffffffu, " + whole(from) + ")";
  case Instruction::Trunc: // to bool
    return binary(binary(operand(from), "&", "1u"), "!=", "0u");
  case Instruction::UIToFP:
    return call(type, whole(from));
  case Instruction::SIToFP:
    return fromBool ? "(-" + call(type, whole(from)) + ")" : call(type, signedOperand(from));
  case Instruction::FPToUI:
    return call("u32", whole(from));
  case Instruction::FPToSI:
    return call("u32", call("i32", whole(from)));
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return call(type, whole(from));
  case Instruction::BitCast:
    if (from->getType() == to)
      return operand(from);
    if (from->getType()->isHalfTy() || to->isHalfTy())
      break;
    return call("bitcast<" + type + ">", whole(from));
  default:
    break;
  }
  return visitInstruction(cast);
}

std::string Expressions::visitSelectInst(SelectInst &select) {
  return "select(" + whole(select.getFalseValue()) + ", " + whole(select.getTrueValue()) + ", " +
         whole(select.getCondition()) + ")";
}

std::string Expressions::visitFreezeInst(FreezeInst &freeze) {
  return operand(freeze.getOperand(0));
}

} // namespace khalc::wgsl
