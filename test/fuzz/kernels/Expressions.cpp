//===- Expressions.cpp - random expressions ---------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Generator.h"

#include <algorithm>

namespace khal::fuzz {

using Kind = Node::Kind;

namespace {

std::string nameOf(Type type) {
  return info(type).name;
}

std::string cast(Type type) {
  return "static_cast<" + nameOf(type) + ">";
}

std::string lane(unsigned index) {
  return std::string(1, "xyzw"[index]);
}

Type unsignedOf(Type type) {
  return info(type).isSigned ? Type(unsigned(type) + 1) : type;
}

} // namespace

Node Generator::make(Kind kind, std::string text, std::vector<Node> children) {
  Node node;
  node.kind = kind;
  node.text = std::move(text);
  node.children = std::move(children);
  return node;
}

Node Generator::expressionNode(Type type, std::string text, std::vector<Node> children) {
  Node node = make(Kind::Expression, std::move(text), std::move(children));
  node.type = type;
  return node;
}

unsigned Generator::powerOfTwo(unsigned least, unsigned most) {
  unsigned value = least;
  while (value < most && random.chance(50))
    value *= 2;
  return value;
}

Node Generator::expression(Type type, unsigned depth) {
  if (depth == 0 || random.chance(10))
    return leaf(type);
  if (random.chance(8))
    if (std::optional<Node> result = call(type, depth - 1))
      return *result;
  if (random.chance(10)) {
    Node condition = boolExpression(depth - 1);
    return expressionNode(type, "($0 ? $1 : $2)",
                          {condition, expression(type, depth - 1), expression(type, depth - 1)});
  }
  if (type != Type::Bool && random.chance(12))
    return convert(expression(numberType(), depth - 1), type);
  if (type == Type::Bool)
    return boolExpression(depth);
  return isFloat(type) ? floatExpression(type, depth) : integerExpression(type, depth);
}

Node Generator::leaf(Type type) {
  if (random.chance(20))
    return literal(type);
  if (std::optional<Node> found = place(false, random.chance(30) ? 1 : 0))
    return convert(value(std::move(*found)), type);
  return literal(type);
}

Node Generator::literal(Type type) {
  if (type == Type::Bool)
    return expressionNode(type, random.chance(50) ? "true" : "false");
  if (isFloat(type)) {
    static constexpr const char *values[] = {"1.0", "0.5", "2.0", "3.25", "1000.0", "0.1", "7.3"};
    const char *text = values[random.below(std::size(values))];
    return expressionNode(type, type == Type::F32 ? std::string(text) + "f" : text);
  }
  std::uint64_t number = 0;
  switch (random.below(5)) {
  case 0:
    number = random.below(4);
    break;
  case 1:
    number = std::uint64_t{1} << random.below(64);
    break;
  case 2:
    number = ~std::uint64_t{0} >> random.below(64);
    break;
  case 3:
    number = random.next();
    break;
  case 4:
    number = random.below(100);
    break;
  }
  return expressionNode(type, cast(type) + "(" + std::to_string(number) + "u" +
                                  (number >> 32 ? "ll" : "") + ")");
}

Node Generator::convert(Node node, Type to) {
  const Type from = node.type;
  if (from == to)
    return node;
  const auto result = [&](const std::string &text) { return expressionNode(to, text, {node}); };
  if (to == Type::Bool)
    return isFloat(from) ? result("($0 > 0)") : result("($0 != 0)");
  if (isFloat(to))
    return result("tame(" + cast(to) + "($0))");
  if (isFloat(from))
    return result("truncate<" + nameOf(to) + ">($0)");
  return result(cast(to) + "($0)");
}

Node Generator::indexNode(Type type, std::string text, Node number) {
  Node node = make(Kind::Index, std::move(text), {std::move(number)});
  node.type = type;
  return node;
}

Node Generator::index(unsigned count, unsigned depth) {
  if (count == 1)
    return expressionNode(Type::U32, "0");
  const std::string limit = std::to_string(count - 1);
  if (random.chance(20))
    return expressionNode(Type::U32, std::to_string(random.below(count)) + "u");
  if (depth == 0) {
    const Variable *variable = scope.variables.empty() ? nullptr : &pick(scope.variables);
    if (!variable || isFloat(variable->type))
      return expressionNode(Type::U32, std::to_string(random.below(count)) + "u");
    return expressionNode(Type::U32, "(static_cast<u32>(" + variable->name + ") % " +
                                         std::to_string(count) + "u)");
  }
  if (random.chance(20))
    return indexNode(Type::U32, "($0 % " + std::to_string(count) + "u)",
                     expression(Type::U32, depth));
  const Type type = integerType();
  return indexNode(type, "($0 & " + limit + ")", expression(type, depth));
}

Node Generator::value(Node place) {
  if (!isFloat(place.type))
    return place;
  const Type type = place.type;
  return expressionNode(type, "tame($0)", {std::move(place)});
}

std::optional<Node> Generator::place(bool writable, unsigned depth) {
  std::vector<const Variable *> variables;
  std::vector<const Array *> arrays;
  std::vector<const Object *> objects;
  for (const Variable &variable : scope.variables)
    if (variable.writable || !writable)
      variables.push_back(&variable);
  for (const Array &array : scope.arrays)
    if (array.writable || !writable)
      arrays.push_back(&array);
  for (const Object &object : scope.objects)
    if (object.writable || !writable)
      objects.push_back(&object);
  for (unsigned tries = 0; tries < 4; ++tries) {
    const unsigned choice = random.below(100);
    if (choice < 50 && !variables.empty()) {
      const Variable &variable = *pick(variables);
      return expressionNode(variable.type, variable.name);
    }
    if (choice >= 50 && choice < 75 && !arrays.empty()) {
      const Array &array = *pick(arrays);
      return expressionNode(array.element, array.name + "[$0]", {index(array.count, depth)});
    }
    if (choice >= 75 && !objects.empty())
      return memberOf(*pick(objects), depth);
  }
  return std::nullopt;
}

Node Generator::memberOf(const Object &object, unsigned depth) {
  std::string path = object.name;
  std::vector<Node> indices;
  unsigned structure = object.structure;
  for (;;) {
    const Member &member = pick(structures[structure].members);
    path += "." + member.name;
    if (member.count > 0) {
      path += "[$" + std::to_string(indices.size()) + "]";
      indices.push_back(index(member.count, depth));
    }
    if (member.structure) {
      structure = *member.structure;
      continue;
    }
    if (member.lanes > 0) {
      if (random.chance(30)) {
        path += "[$" + std::to_string(indices.size()) + "]";
        indices.push_back(indexNode(Type::U32, "($0 % " + std::to_string(member.lanes) + "u)",
                                    expression(Type::U32, depth ? depth - 1 : 0)));
      } else {
        path += "." + lane(random.below(member.lanes));
      }
    }
    return expressionNode(member.type, path, std::move(indices));
  }
}

Node Generator::integerExpression(Type type, unsigned depth) {
  const std::string name = nameOf(type);
  const unsigned bytes = info(type).bytes;
  const auto operand = [&] { return expression(type, depth - 1); };
  const auto two = [&](const std::string &text) {
    Node left = operand();
    return expressionNode(type, text, {std::move(left), operand()});
  };
  const auto one = [&](const std::string &text) { return expressionNode(type, text, {operand()}); };
  const std::string as = cast(type);

  if (random.chance(12)) { // forms that can't overflow, and tell the compiler so
    if (bytes <= 2)
      return two(as + (random.chance(50) ? "($0 + $1)" : "($0 - $1)"));
    if (bytes == 4)
      return two(random.chance(50) ? as + "(($0 & 0x7fff) * ($1 & 0xffff))"
                                   : as + "(($0 >> 1) + ($1 >> 1))");
    return two(random.chance(50) ? as + "(($0 >> 33) * ($1 >> 33))"
                                 : as + "(($0 >> 1) - ($1 >> 1))");
  }
  if (random.chance(5))
    return vectorExpression(type, depth);
  static constexpr const char *functions[] = {"add", "sub", "mul", "add", "sub",
                                              "mul", "div", "rem", "shl", "shr"};
  switch (random.below(16)) {
  case 0:
    return one("neg<" + name + ">($0)");
  case 1:
    return one(as + "(~$0)");
  case 2:
    return two(as + "($0 & $1)");
  case 3:
    return two(as + "($0 | $1)");
  case 4:
    return two(as + "($0 ^ $1)");
  case 5:
    return two(random.chance(50) ? "khal::min($0, $1)" : "khal::max($0, $1)");
  case 6: {
    static constexpr const char *counts[] = {"popcount", "clz", "ctz"};
    return expressionNode(type, as + "(" + counts[random.below(3)] + "($0))",
                          {expression(integerType(), depth - 1)});
  }
  case 7: {
    const Type same = unsignedOf(type);
    static constexpr const char *rotations[] = {"rotate_left($0, $1)", "rotate_right($0, $1)",
                                                "reverse_bits($0)"};
    return convert(expressionNode(same, rotations[random.below(3)],
                                  {expression(same, depth - 1), expression(Type::U32, depth - 1)}),
                   type);
  }
  case 8: {
    const Type wide = random.chance(50) ? Type::U32 : Type::U64;
    return convert(expressionNode(wide, "mul_hi($0, $1)",
                                  {expression(wide, depth - 1), expression(wide, depth - 1)}),
                   type);
  }
  case 9: {
    const Type same = random.chance(50) ? Type::F32 : Type::F64;
    const Type bits = same == Type::F32 ? Type::U32 : Type::U64;
    return convert(expressionNode(bits, "khal::bit_cast<" + nameOf(bits) + ">($0)",
                                  {expression(same, depth - 1)}),
                   type);
  }
  default: {
    const std::string function = functions[random.below(std::size(functions))];
    if (function == "shl" || function == "shr")
      return expressionNode(type, function + "<" + name + ">($0, $1)",
                            {operand(), expression(Type::U32, depth - 1)});
    return two(function + "<" + name + ">($0, $1)");
  }
  }
}

Node Generator::floatExpression(Type type, unsigned depth) {
  const auto operand = [&] { return expression(type, depth - 1); };
  const auto two = [&](const std::string &text) {
    Node left = operand();
    return expressionNode(type, text, {std::move(left), operand()});
  };
  if (random.chance(8))
    return vectorExpression(type, depth);
  switch (random.below(10)) {
  case 0:
    return two("tame($0 + $1)");
  case 1:
    return two("tame($0 - $1)");
  case 2:
    return two("tame($0 * $1)");
  case 3:
    return two("tame($0 / $1)");
  case 4:
  case 5: {
    static constexpr const char *products[] = {"tame($0 * $1 + $2)", "tame($0 - $1 * $2)",
                                               "tame(($0 + $1) * $2)", "tame($0 * $1 * $2)"};
    Node left = operand(), middle = operand();
    return expressionNode(type, products[random.below(4)],
                          {std::move(left), std::move(middle), operand()});
  }
  case 6: {
    static constexpr const char *functions[] = {"floor", "ceil", "trunc", "khal::abs", "sqrt"};
    const std::string function = functions[random.below(5)];
    const std::string inner = function == "sqrt" ? "khal::abs($0)" : "$0";
    const std::string qualified = function.find(':') == std::string::npos ? "khal::" : "";
    return expressionNode(type, "tame(" + qualified + function + "(" + inner + "))", {operand()});
  }
  case 7:
    return two(random.chance(50) ? "khal::min($0, $1)" : "khal::max($0, $1)");
  case 8:
    return expressionNode(type, "(-$0)", {operand()});
  default:
    return convert(expression(integerType(), depth - 1), type);
  }
}

/// One lane of an operation on vectors.
Node Generator::vectorExpression(Type type, unsigned depth) {
  const unsigned lanes = 2 + random.below(3);
  const std::string vector = "vec<" + nameOf(type) + ", " + std::to_string(lanes) + ">";
  std::string left = vector + "{", right = left;
  std::vector<Node> operands;
  for (unsigned i = 0; i < lanes; ++i) {
    const std::string comma = i == 0 ? "" : ", ";
    left += comma + "$" + std::to_string(2 * i);
    right += comma + "$" + std::to_string(2 * i + 1);
    operands.push_back(expression(type, depth > 1 ? 1 : 0));
    operands.push_back(expression(type, depth > 1 ? 1 : 0));
  }
  left += "}", right += "}";
  // Vectors of signed integers overflow as their elements do.
  const bool wraps = !isFloat(type) && !info(type).isSigned && info(type).bytes >= 4;
  const char *operation = isFloat(type) ? (random.chance(50) ? " * " : " + ")
                          : wraps       ? (random.chance(50) ? " * " : " - ")
                                        : (random.chance(50) ? " ^ " : " | ");
  const std::string text = "(" + left + operation + right + ")." + lane(random.below(lanes));
  return expressionNode(type, isFloat(type) ? "tame(" + text + ")" : text, std::move(operands));
}

Node Generator::boolExpression(unsigned depth) {
  if (depth == 0)
    return leaf(Type::Bool);
  const auto two = [&](const char *text) {
    Node left = boolExpression(depth - 1);
    return expressionNode(Type::Bool, text, {std::move(left), boolExpression(depth - 1)});
  };
  switch (random.below(8)) {
  case 0:
    return two("($0 && $1)");
  case 1:
    return two("($0 || $1)");
  case 2:
    return expressionNode(Type::Bool, "(!$0)", {boolExpression(depth - 1)});
  case 3:
    return expressionNode(Type::Bool, "(($0 & $1) != 0)",
                          {expression(Type::U32, depth - 1), literal(Type::U32)});
  default: {
    static constexpr const char *comparisons[] = {"($0 < $1)",  "($0 <= $1)", "($0 > $1)",
                                                  "($0 >= $1)", "($0 == $1)", "($0 != $1)"};
    const Type type = numberType();
    Node left = expression(type, depth - 1);
    return expressionNode(Type::Bool, comparisons[random.below(6)],
                          {std::move(left), expression(type, depth - 1)});
  }
  }
}

std::optional<Node> Generator::call(Type type, unsigned depth) {
  std::vector<const Callable *> pure;
  for (const Callable &callable : scope.callables)
    if (callable.pure && function.multiplier * callable.iterations < mostIterations / 8)
      pure.push_back(&callable);
  if (pure.empty())
    return std::nullopt;
  return convert(callOf(*pick(pure), depth), type);
}

Node Generator::callOf(const Callable &callable, unsigned depth) {
  if (!affords(callable.iterations))
    return literal(callable.result);
  std::string text = callable.name + "(";
  std::vector<Node> arguments;
  for (const Type parameter : callable.parameters) {
    text += (arguments.empty() ? "$" : ", $") + std::to_string(arguments.size());
    arguments.push_back(expression(parameter, depth));
  }
  if (callable.pointer) {
    std::optional<Node> pointer = anchor(*callable.pointer, callable.writesPointer);
    if (!pointer)
      return literal(callable.result);
    text += (arguments.empty() ? "$" : ", $") + std::to_string(arguments.size());
    arguments.push_back(std::move(*pointer));
  }
  return expressionNode(callable.result, text + ")", std::move(arguments));
}

std::optional<Generator::Array> Generator::arrayOf(Type element, bool writable) {
  std::vector<const Array *> fitting;
  for (const Array &array : scope.arrays)
    if (array.element == element && array.count >= reach && (array.writable || !writable))
      fitting.push_back(&array);
  if (fitting.empty())
    return std::nullopt;
  return *pick(fitting);
}

std::optional<Node> Generator::anchor(Type element, bool writable) {
  const auto one = [&]() -> std::optional<Node> {
    const std::optional<Array> array = arrayOf(element, writable);
    if (!array)
      return std::nullopt;
    if (array->count == reach)
      return make(Kind::Pointer, "(" + array->name + " + 0)");
    return make(Kind::Pointer,
                "(" + array->name + " + ($0 % " + std::to_string(array->count - reach + 1) + "u))",
                {expression(Type::U32, 1)});
  };
  std::optional<Node> first = one();
  if (!first || random.chance(50))
    return first;
  std::optional<Node> second = one();
  return make(Kind::Pointer, "($0 ? $1 : $2)", {boolExpression(1), *first, *second});
}

bool Generator::affords(unsigned iterations) {
  const unsigned all = function.multiplier * iterations;
  if (function.iterations + all > mostIterations)
    return false;
  function.iterations += all;
  return true;
}

} // namespace khal::fuzz
