//===- Groups.cpp - random statements of whole work-groups ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every statement here is reached by all work-items of a group or by none, and leaves shared memory
// in a state in which any other may follow: what a work-item wrote for others is only touched again
// after a barrier. A statement's barriers are in its own text, so the shrinker can't drop them
// alone.
//
//===------------------------------------------------------------------------------------------===//
#include "Generator.h"

namespace khal::fuzz {

using Kind = Node::Kind;

Node Generator::groupBody() {
  function = Function{};
  function.mayReturn = false;
  Node body;
  body.kind = Kind::Block;
  for (unsigned i = 0; i < 3; ++i) {
    tiles.push_back({fresh("tile"), numberType()});
    body.children.push_back(fixed("[[khal::shared]] " + std::string(info(tiles[i].type).name) +
                                  " " + tiles[i].name + "[" + std::to_string(sizes::group) + "];"));
  }
  body.children.push_back(fixed("[[khal::shared]] S1 objects[" + std::to_string(sizes::group) +
                                "];\n[[khal::shared]] u32 counter;"));
  addParameters(body);
  scope.variables.push_back({"local", Type::U32, false});
  for (unsigned i = 0; i < 3; ++i)
    body.children.push_back(declareScalar());
  body.children.push_back(declareArray());
  Node statements = groupBlock(3 + random.below(4), 2);
  body.children.push_back(std::move(statements));
  body.children.push_back(fixed("u32 hash = x;"));
  body.children.push_back(checksum(scope));
  body.children.push_back(fixed("return hash;"));
  return body;
}

Node Generator::groupBlock(unsigned count, unsigned depth) {
  const Scope outer = scope;
  Node result;
  result.kind = Kind::Block;
  for (unsigned i = 0; i < count; ++i)
    result.children.push_back(groupStatement(depth));
  scope = outer;
  return result;
}

Node Generator::groupStatement(unsigned depth) {
  switch (random.below(depth > 0 ? 14 : 11)) {
  case 0:
  case 1:
  case 2:
    return itemStatements();
  case 3:
  case 4:
    return exchangeStatement();
  case 5:
    return exchangeObject();
  case 6:
    return atomicStatement();
  case 7:
    return reduction();
  case 8:
    return ownSlot();
  case 9:
  case 10:
    return readTile();
  case 11: {
    Node condition = uniformCondition();
    Node first = groupBlock(1 + random.below(3), depth - 1);
    return make(Kind::Statement, "if ($0) {\n$1\n} else {\n$2\n}",
                {std::move(condition), std::move(first), groupBlock(random.below(3), depth - 1)});
  }
  default:
    return groupLoop(depth - 1);
  }
}

/// A loop whose trips and exits are the same for all work-items.
Node Generator::groupLoop(unsigned depth) {
  const unsigned most = 1 + random.below(4);
  if (!affords(most))
    return exchangeStatement();
  const std::string k = fresh("k"), limit = std::to_string(most);
  Node condition = uniformCondition();
  const unsigned multiplier = function.multiplier;
  function.multiplier *= most;
  const Scope outer = scope;
  scope.variables.push_back({k, Type::U32, false});
  Node body = groupBlock(1 + random.below(3), depth);
  Node rest = groupBlock(random.below(2), depth);
  scope = outer;
  function.multiplier = multiplier;
  static constexpr const char *exits[] = {"", "if ($0)\nbreak;\n", "if ($0)\ncontinue;\n"};
  return make(Kind::Statement,
              "for (u32 " + k + " = 0; " + k + " < " + limit + "; ++" + k + ") {\n$1\n" +
                  exits[random.below(3)] + "$2\n}",
              {std::move(condition), std::move(body), std::move(rest)});
}

Node Generator::uniformCondition() {
  const std::string element = std::to_string(random.below(sizes::inputs));
  const std::string bits = std::to_string(1u << random.below(4));
  return expressionNode(Type::Bool, "((in[" + element + "] & " + bits + ") != 0)");
}

/// Statements of each work-item's own, in divergent control flow.
Node Generator::itemStatements() {
  return make(Kind::Statement, "{\n$0\n}", {block(2 + random.below(3), 2)});
}

Node Generator::exchangeStatement() {
  const Tile &tile = pick(tiles);
  std::vector<const Variable *> targets;
  for (const Variable &variable : scope.variables)
    if (variable.writable)
      targets.push_back(&variable);
  if (targets.empty())
    return declareScalar();
  const Variable target = *pick(targets);
  const Node result = expressionNode(tile.type, "exchange(" + tile.name + ", local, $0, $1)",
                                     {expression(tile.type, 2), index(sizes::group, 2)});
  // The barriers must stay whatever becomes of the value.
  Node whole = convert(result, target.type);
  whole.kind = Kind::Fixed;
  if (!whole.children.empty() && whole.children[0].text == result.text)
    whole.children[0].kind = Kind::Fixed;
  return make(Kind::Statement, target.name + " = $0;", {std::move(whole)});
}

Node Generator::exchangeObject() {
  return make(Kind::Statement,
              "objects[local] = mine[0];\nbarrier();\nmine[1] = objects[$0];\nbarrier();",
              {index(sizes::group, 2)});
}

Node Generator::atomicStatement() {
  static constexpr const char *functions[] = {"atomic_add", "atomic_sub", "atomic_min",
                                              "atomic_max", "atomic_xor", "atomic_or"};
  const std::string function = functions[random.below(6)];
  const std::string name = fresh("v");
  Node result =
      make(Kind::Statement,
           "if (local == 0)\ncounter = in[" + std::to_string(random.below(sizes::inputs)) +
               "];\nbarrier();\nif ($0)\n" + function + "(counter, $1);\nbarrier();\nu32 " + name +
               " = counter;\nbarrier();",
           {boolExpression(2), expression(Type::U32, 2)});
  scope.variables.push_back({name, Type::U32, true});
  return result;
}

Node Generator::reduction() {
  const Tile &tile = pick(tiles);
  const std::string name = fresh("v"), d = fresh("k"), type = info(tile.type).name;
  const std::string half = std::to_string(sizes::group / 2);
  const std::string sum =
      isFloat(tile.type)
          ? "tame(" + tile.name + "[local] + " + tile.name + "[local + " + d + "])"
          : "add<" + type + ">(" + tile.name + "[local], " + tile.name + "[local + " + d + "])";
  Node result = make(Kind::Statement,
                     tile.name + "[local] = $0;\nbarrier();\nfor (u32 " + d + " = " + half + "; " +
                         d + " > 0; " + d + " /= 2) {\nif (local < " + d + ")\n" + tile.name +
                         "[local] = " + sum + ";\nbarrier();\n}\n" + type + " " + name + " = " +
                         tile.name + "[0];\nbarrier();",
                     {expression(tile.type, 2)});
  scope.variables.push_back({name, tile.type, true});
  return result;
}

/// A work-item's slot in shared memory as a variable of its own.
Node Generator::ownSlot() {
  const Tile &tile = pick(tiles);
  Node start = expression(tile.type, 2);
  const Scope outer = scope;
  scope.variables.push_back({tile.name + "[local]", tile.type, true});
  Node body = block(2 + random.below(3), 2);
  scope = outer;
  return make(Kind::Statement, tile.name + "[local] = $0;\n{\n$1\n}\nbarrier();",
              {std::move(start), std::move(body)});
}

/// All slots as a constant array, between two barriers.
Node Generator::readTile() {
  const Tile &tile = pick(tiles);
  Node start = expression(tile.type, 2);
  const Scope outer = scope;
  // No pointer that lives longer may point there.
  for (Array &array : scope.arrays)
    array.isPointer = false;
  scope.arrays.push_back({tile.name, tile.type, sizes::group, false, false});
  Node body = block(2 + random.below(4), 2);
  scope = outer;
  return make(Kind::Statement, tile.name + "[local] = $0;\nbarrier();\n{\n$1\n}\nbarrier();",
              {std::move(start), std::move(body)});
}

} // namespace khal::fuzz
