//===- Statements.cpp - random statements and control flow ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Generator.h"

namespace khal::fuzz {

using Kind = Node::Kind;

Node Generator::block(unsigned count, unsigned depth) {
  const Scope outer = scope;
  Node result;
  result.kind = Kind::Block;
  for (unsigned i = 0; i < count; ++i)
    result.children.push_back(statement(depth));
  scope = outer;
  return result;
}

Node Generator::statement(unsigned depth) {
  const unsigned choice = random.below(100);
  if (choice < 20)
    return declaration(depth);
  if (choice < 40)
    return assignment();
  if (choice < 50)
    return compoundAssignment();
  if (choice < 68)
    return memoryStatement();
  if (choice < 73)
    return callStatement();
  if (choice < 80)
    return jump();
  if (depth == 0)
    return assignment();
  if (choice < 87)
    return conditional(depth - 1);
  if (choice < 94)
    return loop(depth - 1);
  if (choice < 97)
    return switchStatement(depth - 1);
  return random.chance(50) ? gotoForward(depth - 1) : gotoBackward(depth - 1);
}

// --- declarations -------------------------------------------------------------------------------

Node Generator::declaration(unsigned depth) {
  switch (random.below(10)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return declareScalar();
  case 4:
  case 5:
    return declareArray();
  case 6:
    return declareObject();
  case 7:
  case 8:
    return declarePointer();
  default:
    return depth > 0 ? declareLambda() : declareScalar();
  }
}

Node Generator::declareScalar() {
  const Type type = random.chance(10) ? Type::Bool : numberType();
  const std::string name = fresh("v");
  Node result = make(Kind::Statement, std::string(info(type).name) + " " + name + " = $0;",
                     {expression(type, 2)});
  scope.variables.push_back({name, type, true});
  return result;
}

Node Generator::declareArray() {
  const Type type = numberType();
  const std::string name = fresh("a");
  const unsigned count = powerOfTwo(4, 16);
  const std::string size = std::to_string(count);
  Node result;
  if (random.chance(40)) {
    std::string text = std::string(info(type).name) + " " + name + "[" + size + "] = {";
    std::vector<Node> values;
    for (unsigned i = 0; i < 4; ++i) {
      text += (i ? ", $" : "$") + std::to_string(i);
      values.push_back(expression(type, 1));
    }
    result = make(Kind::Statement, text + "};", std::move(values));
  } else {
    const std::string counter = fresh("n");
    if (!affords(count))
      return declareScalar();
    const std::string start = std::string(info(type).name) + " " + name + "[" + size + "];\n" +
                              "for (u32 " + counter + " = 0; " + counter + " < " + size + "; ++" +
                              counter + ")\n" + name + "[" + counter + "] = $0;";
    const Scope outer = scope;
    scope.variables.push_back({counter, Type::U32, false});
    const unsigned multiplier = function.multiplier;
    function.multiplier *= count;
    Node element = expression(type, 2);
    function.multiplier = multiplier;
    scope = outer;
    result = make(Kind::Statement, start, {std::move(element)});
  }
  scope.arrays.push_back({name, type, count, true, false});
  return result;
}

Node Generator::declareObject() {
  const unsigned index = random.below(unsigned(structures.size()));
  std::vector<std::string> same;
  for (const Object &object : scope.objects)
    if (object.structure == index)
      same.push_back(object.name);
  const std::string name = fresh("s"), type = structures[index].name;
  Node result;
  if (same.empty() || random.chance(20))
    result = make(Kind::Statement, type + " " + name + " = {};");
  else if (random.chance(60))
    result = make(Kind::Statement, type + " " + name + " = " + pick(same) + ";");
  else {
    const std::string first = pick(same);
    result =
        make(Kind::Statement, type + " " + name + " = $0 ? " + first + " : " + pick(same) + ";",
             {boolExpression(2)});
  }
  addObject({name, index, true});
  return result;
}

Node Generator::declarePointer() {
  const Type type = numberType();
  const bool writable = random.chance(60);
  std::optional<Node> start = anchor(type, writable);
  if (!start)
    return declareArray();
  const std::string name = fresh("p");
  Node result =
      make(Kind::Statement,
           std::string(writable ? "" : "const ") + info(type).name + " *" + name + " = $0;",
           {std::move(*start)});
  scope.arrays.push_back({name, type, reach, writable, true});
  return result;
}

Node Generator::declareLambda() {
  const bool byReference = random.chance(60);
  const std::string name = fresh("fn");
  const Scope outer = scope;
  const Function outerFunction = function;
  function = Function{};
  function.result = numberType();
  if (!byReference) {
    for (Variable &variable : scope.variables)
      variable.writable = false;
    for (Array &array : scope.arrays) {
      array.writable = array.writable && array.isPointer;
      array.isPointer = false; // the copy can't be pointed elsewhere
    }
    for (Object &object : scope.objects)
      object.writable = object.writable && object.name[0] == '(';
  }
  Callable callable{name, function.result, {}, std::nullopt, false, false, 0};
  std::string parameters;
  for (unsigned i = 0, count = random.below(3); i < count; ++i) {
    const Type type = numberType();
    const std::string parameter = fresh("v");
    parameters += std::string(i ? ", " : "") + info(type).name + " " + parameter;
    scope.variables.push_back({parameter, type, true});
    callable.parameters.push_back(type);
  }
  Node body = block(1 + random.below(3), 1);
  Node result = expression(function.result, 2);
  callable.iterations = function.iterations + 1;
  const std::string resultType = info(function.result).name;
  function = outerFunction;
  scope = outer;
  scope.callables.push_back(callable);
  return make(Kind::Statement,
              "auto " + name + " = [" + (byReference ? "&" : "=") + "](" + parameters + ") -> " +
                  resultType + " {\n$0\nreturn $1;\n};",
              {std::move(body), std::move(result)});
}

// --- assignments --------------------------------------------------------------------------------

Node Generator::assignment() {
  std::optional<Node> target = place(true, 2);
  if (!target)
    return declareScalar();
  const Type type = target->type;
  return make(Kind::Statement, "$0 = $1;", {std::move(*target), expression(type, 2)});
}

Node Generator::compoundAssignment() {
  std::optional<Node> target = place(true, 2);
  if (!target || !isInteger(target->type))
    return assignment();
  const Type type = target->type;
  static constexpr const char *operations[] = {"^", "|", "&", "+", "-", "*", "<<", ">>"};
  const bool isNarrow = info(type).bytes <= 2;
  const bool wraps = isNarrow || !info(type).isSigned;
  unsigned choice = random.below(8);
  if ((choice == 3 || choice == 4) && !wraps)
    choice = 0;
  if (choice == 5 && (isNarrow || info(type).isSigned))
    choice = 6;
  if (choice >= 6)
    return make(Kind::Statement,
                std::string("$0 ") + operations[choice] + "= ($1 & " +
                    std::to_string(info(type).bytes * 8 - 1) + ");",
                {std::move(*target), expression(Type::U32, 2)});
  if (wraps && random.chance(15))
    return make(Kind::Statement, random.chance(50) ? "++$0;" : "$0--;", {std::move(*target)});
  return make(Kind::Statement, std::string("$0 ") + operations[choice] + "= $1;",
              {std::move(*target), expression(type, 2)});
}

/// The one place where a call may do something: alone, with a variable for its result.
Node Generator::callStatement() {
  std::vector<const Variable *> targets;
  for (const Variable &variable : scope.variables)
    if (variable.writable)
      targets.push_back(&variable);
  if (targets.empty() || scope.callables.empty())
    return assignment();
  const Variable target = *pick(targets);
  const Callable callable = pick(scope.callables);
  return make(Kind::Statement, target.name + " = $0;", {convert(callOf(callable, 2), target.type)});
}

// --- control flow -------------------------------------------------------------------------------

Node Generator::conditional(unsigned depth) {
  Node condition = boolExpression(2);
  Node first = block(1 + random.below(3), depth);
  if (random.chance(50))
    return make(Kind::Statement, "if ($0) {\n$1\n}", {std::move(condition), std::move(first)});
  return make(Kind::Statement, "if ($0) {\n$1\n} else {\n$2\n}",
              {std::move(condition), std::move(first), block(1 + random.below(3), depth)});
}

Node Generator::loop(unsigned depth) {
  const unsigned most = 1 + random.below(6);
  if (!affords(most))
    return conditional(depth);
  const Function outer = function;
  function.multiplier *= most;
  const std::string k = fresh("k"), limit = std::to_string(most);
  const unsigned shape = inStep ? 0 : random.below(7);
  Node bound = shape == 1 ? expressionNode(Type::U32, "($0 % " + std::to_string(most + 1) + "u)",
                                           {expression(Type::U32, 2)})
                          : boolExpression(2);
  const Scope outerScope = scope;
  const bool isVisible = shape < 3;
  static constexpr Type counters[] = {Type::I32, Type::U32, Type::U8, Type::I16, Type::U64};
  const Type counter = shape == 0 ? counters[random.below(5)] : Type::U32;
  if (isVisible)
    scope.variables.push_back({k, counter, false});
  ++function.loops;
  function.switches = 0;
  Node body = block(1 + random.below(4), depth);
  scope = outerScope;
  const unsigned iterations = function.iterations;
  function = outer;
  function.iterations = iterations;

  std::string text;
  switch (shape) {
  case 0:
    text = "for (" + std::string(info(counter).name) + " " + k + " = 0; " + k + " < " + limit +
           "; ++" + k + ") {\n$1\n}";
    return make(Kind::Statement, text, {std::move(bound), std::move(body)});
  case 1:
    text = "for (u32 " + k + " = $0; " + k + " > 0; --" + k + ") {\n$1\n}";
    break;
  case 2:
    text = "for (u32 " + k + " = 0; " + k + " < " + limit + " && $0; " + k + " += 1) {\n$1\n}";
    break;
  case 3:
    text = "u32 " + k + " = 0;\nwhile (" + k + "++ < " + limit + " && $0) {\n$1\n}";
    break;
  case 4:
    text = "u32 " + k + " = 0;\ndo {\n$1\n} while (++" + k + " < " + limit + " && $0);";
    break;
  case 5:
    text = "u32 " + k + " = 0;\nfor (;;) {\nif (" + k + "++ >= " + limit +
           ")\nbreak;\n$1\nif ($0)\nbreak;\n}";
    break;
  default:
    text = "u32 " + k + " = 0;\nfor (;;) {\nif ($0 || " + k + "++ >= " + limit + ")\nbreak;\n$1\n}";
  }
  return make(Kind::Statement, text, {std::move(bound), std::move(body)});
}

Node Generator::switchStatement(unsigned depth) {
  const bool isDevice =
      !inStep && random.chance(15) && affords(3); // a loop that is entered in its middle
  const unsigned cases = 2 + random.below(4);
  const Type type = integerType();
  Node on = expressionNode(type, "($0 & 7)", {expression(type, 2)});
  const Function outer = function;
  if (isDevice) {
    entersLoops = true;
    function.multiplier *= 3;
    ++function.loops;
  }
  ++function.switches;
  if (isDevice)
    function.switches = 0;
  const unsigned whereDefault = random.below(cases + 2);
  const std::string k = fresh("k");
  std::string text = isDevice ? "u32 " + k + " = 0;\nswitch ($0) {\n" : "switch ($0) {\n";
  std::vector<Node> children{std::move(on)};
  for (unsigned i = 0; i < cases; ++i) {
    text +=
        i == whereDefault ? "default:\n" : "case " + std::to_string(i + (i > 1 ? 1 : 0)) + ":\n";
    if (isDevice && i == 0)
      text += "do {\n";
    if (random.chance(10) && i + 1 < cases)
      continue;
    text += "{\n$" + std::to_string(children.size()) + "\n}\n";
    children.push_back(block(1 + random.below(2), depth));
    if (!isDevice && random.chance(65))
      text += "break;\n";
  }
  if (isDevice)
    text += "} while (++" + k + " < 3);\n";
  const unsigned iterations = function.iterations;
  function = outer;
  function.iterations = iterations;
  return make(Kind::Statement, text + "}", std::move(children));
}

Node Generator::jump() {
  std::vector<std::string> ways;
  const bool mayLeave = !inStep || function.loops == 0;
  if (function.loops > 0) {
    ways.push_back("continue;");
    if (function.switches == 0 && mayLeave)
      ways.push_back("break;");
  }
  for (const std::string &label : function.labels)
    if (mayLeave)
      ways.push_back("goto " + label + ";");
  if (function.mayReturn && mayLeave && random.chance(ways.empty() ? 30 : 20))
    return make(Kind::Statement, "if ($0)\nreturn $1;",
                {boolExpression(2), expression(function.result, 2)});
  if (ways.empty())
    return assignment();
  return make(Kind::Statement, "if ($0)\n" + pick(ways), {boolExpression(2)});
}

Node Generator::gotoForward(unsigned depth) {
  const std::string label = fresh("L");
  function.labels.push_back(label);
  Node body = block(2 + random.below(3), depth);
  function.labels.pop_back();
  return make(Kind::Statement, "{\nif ($0)\ngoto " + label + ";\n{\n$1\n}\n" + label + ":;\n}",
              {boolExpression(2), std::move(body)});
}

/// A loop of gotos; with two ways in, it is irreducible.
Node Generator::gotoBackward(unsigned depth) {
  if (inStep || !affords(4))
    return conditional(depth);
  const std::string top = fresh("L"), middle = fresh("L"), k = fresh("k");
  const bool hasTwoEntries = random.chance(50);
  entersLoops = true;
  Node enter = boolExpression(2), again = boolExpression(2);
  function.multiplier *= 4;
  Node first = block(1 + random.below(2), depth), second = block(1 + random.below(2), depth);
  function.multiplier /= 4;
  return make(Kind::Statement,
              "{\nu32 " + k + " = 0;\nif ($0)\ngoto " + (hasTwoEntries ? middle : top) + ";\n" +
                  top + ":;\n{\n$1\n}\n" + middle + ":;\n{\n$2\n}\nif ($3 && " + k +
                  "++ < 3)\ngoto " + top + ";\nif (" + k + " > 100)\ngoto " + middle + ";\n}",
              {std::move(enter), std::move(first), std::move(second), std::move(again)});
}

} // namespace khal::fuzz
