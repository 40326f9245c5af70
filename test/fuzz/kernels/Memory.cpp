//===- Memory.cpp - random statements on pointers, bytes and whole objects --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Generator.h"

namespace khal::fuzz {

using Kind = Node::Kind;

Node Generator::memoryStatement() {
  switch (random.below(9)) {
  case 0:
  case 1:
    return walk();
  case 2:
    return byteAccess();
  case 3:
    return wideAccess();
  case 4:
    return copyObjects();
  case 5:
    return copyArrays();
  case 6:
    return unionStatement();
  case 7:
    return pointerChange();
  default:
    return objectPointer();
  }
}

/// A pointer that goes through the elements behind an anchor.
Node Generator::walk() {
  std::vector<const Variable *> targets;
  for (const Variable &variable : scope.variables)
    if (variable.writable && isInteger(variable.type))
      targets.push_back(&variable);
  if (targets.empty() || !affords(reach))
    return assignment();
  const Variable target = *pick(targets);
  const Type type = numberType();
  std::optional<Node> start = anchor(type, false);
  if (!start)
    return assignment();
  const std::string q = fresh("q"), targetType = info(target.type).name;
  const std::string first = fresh("q");
  const std::string read = isFloat(type) ? "truncate<" + targetType + ">(tame(*" + q + "))"
                                         : "static_cast<" + targetType + ">(*" + q + ")";
  const std::string use = target.name + " = add<" + targetType + ">(mul<" + targetType + ">(" +
                          target.name + ", 31), " + read + ");";
  const std::string pointer = "const " + std::string(info(type).name) + " *";
  const std::string head = "{\n" + pointer + first + " = $0;\n";
  switch (inStep ? 3 * random.below(2) : random.below(4)) {
  case 0:
    return make(Kind::Statement,
                head + "for (" + pointer + q + " = " + first + " + $1; " + q + " != " + first +
                    " + 8; ++" + q + ")\n" + use + "\n}",
                {std::move(*start), index(8, 1)});
  case 1:
    return make(Kind::Statement,
                head + "for (" + pointer + q + " = " + first + "; " + q + " < " + first + " + 8; " +
                    q + " += " + (isFloat(type) ? "2" : "1 + (static_cast<u32>(*" + q + ") & 1)") +
                    ")\n" + use + "\n}",
                {std::move(*start)});
  case 2:
    return make(Kind::Statement,
                head + pointer + q + " = " + first + " + 8;\nwhile (" + q + " != " + first +
                    ") {\n--" + q + ";\nif ($1)\nbreak;\n" + use + "\n}\n" + target.name +
                    " = static_cast<" + targetType + ">(" + target.name + " ^ (" + q + " - " +
                    first + "));\n}",
                {std::move(*start), boolExpression(2)});
  default:
    return make(Kind::Statement,
                head + pointer + q + " = $1 ? " + first + " : nullptr;\nif (" + q + " && " + q +
                    " != " + first + " + 3)\n" + use + "\n}",
                {std::move(*start), boolExpression(2)});
  }
}

/// One byte of an array or object.
Node Generator::byteAccess() {
  std::string name;
  unsigned bytes = 0;
  if (random.chance(50)) {
    std::vector<const Array *> arrays;
    for (const Array &array : scope.arrays)
      if (array.writable)
        arrays.push_back(&array);
    if (arrays.empty())
      return assignment();
    const Array &array = *pick(arrays);
    name = array.name;
    bytes = array.count * info(array.element).bytes;
  } else {
    std::vector<const Object *> objects;
    for (const Object &object : scope.objects)
      if (object.writable)
        objects.push_back(&object);
    if (objects.empty())
      return assignment();
    const Object &object = *pick(objects);
    name = "&" + object.name;
    bytes = structures[object.structure].bytes;
  }
  const std::string view = "reinterpret_cast<u8 *>(" + name + ")";
  const std::string limit = std::to_string(bytes);
  static constexpr const char *operations[] = {"=", "^=", "+="};
  return make(Kind::Statement,
              view + "[$0 % " + limit + "u] " + operations[random.below(3)] + " $1;",
              {expression(Type::U32, 2), expression(Type::U8, 2)});
}

/// A number read or written at any byte.
Node Generator::wideAccess() {
  std::vector<const Array *> arrays;
  for (const Array &array : scope.arrays)
    if (array.writable && array.count * info(array.element).bytes >= 16)
      arrays.push_back(&array);
  std::vector<const Variable *> targets;
  for (const Variable &variable : scope.variables)
    if (variable.writable && variable.type != Type::Bool)
      targets.push_back(&variable);
  if (arrays.empty() || targets.empty())
    return assignment();
  const Array &array = *pick(arrays);
  const Variable &target = *pick(targets);
  const unsigned bytes = array.count * info(array.element).bytes;
  const unsigned size = info(target.type).bytes;
  const std::string type = info(target.type).name;
  const std::string step = random.chance(50) ? "1" : std::to_string(size);
  const unsigned places = (bytes - size) / (step == "1" ? 1 : size) + 1;
  const std::string where = "reinterpret_cast<u8 *>(" + array.name + ") + " + step + " * ($0 % " +
                            std::to_string(places) + "u)";
  if (random.chance(50)) {
    const std::string load = "load<" + type + ">(" + where + ")";
    return make(Kind::Statement,
                target.name + " = " + (isFloat(target.type) ? "tame(" + load + ")" : load) + ";",
                {expression(Type::U32, 2)});
  }
  return make(Kind::Statement, "store<" + type + ">(" + where + ", $1);",
              {expression(Type::U32, 2), expression(target.type, 2)});
}

Node Generator::copyObjects() {
  std::vector<std::pair<const Object *, const Object *>> pairs;
  for (const Object &to : scope.objects)
    for (const Object &from : scope.objects)
      if (to.writable && to.structure == from.structure && to.name != from.name)
        pairs.emplace_back(&to, &from);
  if (pairs.empty())
    return declareObject();
  const auto &[to, from] = pick(pairs);
  const std::string size = std::to_string(structures[to->structure].bytes);
  const unsigned choice = random.below(4);
  if (choice == 0)
    return make(Kind::Statement,
                "__builtin_memmove(&" + to->name + ", &" + from->name + ", " + size + ");");
  if (choice == 1)
    return make(Kind::Statement, "__builtin_memset(&" + to->name + ", " +
                                     std::to_string(random.below(256)) + ", " + size + ");");
  return make(Kind::Statement, "if ($0)\n" + to->name + " = " + from->name + ";",
              {boolExpression(2)});
}

Node Generator::copyArrays() {
  std::vector<const Array *> writable;
  for (const Array &array : scope.arrays)
    if (array.writable)
      writable.push_back(&array);
  if (writable.empty())
    return declareArray();
  const Array &to = *pick(writable);
  const Array &from = pick(scope.arrays);
  const unsigned bytes =
      std::min(to.count * info(to.element).bytes, from.count * info(from.element).bytes);
  const std::string size = std::to_string(bytes / (random.chance(50) ? 1 : 2));
  // Two names may be one array or overlap: memmove is defined for that.
  if (random.chance(70))
    return make(Kind::Statement,
                "__builtin_memmove(" + to.name + ", " + from.name + ", " + size + ");");
  return make(Kind::Statement, "__builtin_memset(" + to.name + ", " +
                                   std::to_string(random.below(256)) + ", " + size + ");");
}

Node Generator::unionStatement() {
  std::vector<const Variable *> targets;
  for (const Variable &variable : scope.variables)
    if (variable.writable && isInteger(variable.type))
      targets.push_back(&variable);
  if (targets.empty())
    return assignment();
  const Variable &target = *pick(targets);
  const std::string u = fresh("un");
  static constexpr const char *members[] = {"bytes", "halves", "words", "whole", "number"};
  static constexpr Type types[] = {Type::U8, Type::I16, Type::U32, Type::U64, Type::F64};
  static constexpr unsigned counts[] = {8, 4, 2, 1, 0};
  const unsigned write = random.below(5), change = random.below(3), read = random.below(4);
  const auto name = [&](unsigned member, const char *at) {
    return u + "." + members[member] + (counts[member] > 1 ? "[" + std::string(at) + "]" : "");
  };
  return make(
      Kind::Statement,
      "{\nunion {\nu64 whole;\nu8 bytes[8];\ni16 halves[4];\nu32 words[2];\ndouble number;\n} " +
          u + ";\n" + u + ".whole = $0;\n" + name(write, "0") + " = $1;\n" + name(change, "$2") +
          " ^= $3;\n" + target.name + " ^= static_cast<" + info(target.type).name + ">(" +
          name(read, "$4") + ");\n}",
      {expression(Type::U64, 1), expression(types[write], 2),
       index(std::max(counts[change], 1u), 1), expression(types[change], 1),
       index(std::max(counts[read], 1u), 1)});
}

/// Another place for a pointer: a phi of pointers when it happens in a loop or branch.
Node Generator::pointerChange() {
  std::vector<const Array *> pointers;
  for (const Array &array : scope.arrays)
    if (array.isPointer && array.name[0] == 'p')
      pointers.push_back(&array);
  if (pointers.empty())
    return declarePointer();
  const Array pointer = *pick(pointers);
  std::optional<Node> other = anchor(pointer.element, pointer.writable);
  if (!other)
    return declarePointer();
  return make(Kind::Statement, "if ($0)\n" + pointer.name + " = $1;",
              {boolExpression(2), std::move(*other)});
}

Node Generator::objectPointer() {
  const unsigned index = random.below(unsigned(structures.size()));
  const bool writable = random.chance(50);
  std::vector<const Object *> fitting;
  for (const Object &object : scope.objects)
    if (object.structure == index && (object.writable || !writable))
      fitting.push_back(&object);
  if (fitting.empty())
    return declareObject();
  const std::string name = fresh("o");
  const std::string first = pick(fitting)->name, second = pick(fitting)->name;
  Node result = make(Kind::Statement,
                     (writable ? "" : "const ") + structures[index].name + " *" + name +
                         " = $0 ? &" + first + " : &" + second + ";",
                     {boolExpression(2)});
  addObject({"(*" + name + ")", index, writable});
  return result;
}

} // namespace khal::fuzz
