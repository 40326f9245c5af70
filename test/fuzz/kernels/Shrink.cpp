//===- Shrink.cpp - makes programs smaller ----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements go in ever smaller runs (Zeller's delta debugging); then what is around a block, and
// then expressions, from large to small.
//
//===------------------------------------------------------------------------------------------===//
#include "Shrink.h"

#include <algorithm>

namespace khal::fuzz {

using Kind = Node::Kind;

namespace {

class Shrinker {
public:
  Shrinker(Program program, const std::function<bool(const Program &)> &stillFails, unsigned tries)
      : program(std::move(program)), stillFails(stillFails), tries(tries) {}

  Program run() {
    bool progress = true;
    while (progress && tries > 0) {
      progress = false;
      progress |= visit(program.root, &Shrinker::dropStatements);
      progress |= visit(program.root, &Shrinker::unwrap);
      progress |= visit(program.root, &Shrinker::simplify);
    }
    return std::move(program);
  }

private:
  /// Whether the change that was made to the program keeps the fault; counts the question.
  bool holds() {
    if (tries == 0)
      return false;
    --tries;
    return stillFails(program);
  }

  /// Puts `with` in the place of `node` if the fault stays.
  bool replace(Node &node, Node with) {
    std::swap(node, with);
    if (holds())
      return true;
    std::swap(node, with);
    return false;
  }

  /// A change to each node from the root down.
  bool visit(Node &node, bool (Shrinker::*change)(Node &)) {
    bool progress = (this->*change)(node);
    for (Node &child : node.children)
      progress |= visit(child, change);
    return progress;
  }

  bool dropStatements(Node &node) {
    if (node.kind != Kind::Block)
      return false;
    bool progress = false;
    for (std::size_t run = std::max<std::size_t>(node.children.size(), 1); run > 0; run /= 2)
      // From the end: what is declared first is used later.
      for (std::size_t end = node.children.size(); end > 0;) {
        const std::size_t first = end > run ? end - run : 0;
        progress |= dropRange(node, first, end);
        end = first;
      }
    return progress;
  }

  bool dropRange(Node &block, std::size_t first, std::size_t end) {
    Node fewer = block;
    const auto begin = fewer.children.begin();
    end = std::min(end, fewer.children.size());
    const auto last = std::remove_if(begin + long(first), begin + long(end),
                                     [](const Node &node) { return node.kind == Kind::Statement; });
    if (last == begin + long(end))
      return false;
    fewer.children.erase(last, begin + long(end));
    return replace(block, std::move(fewer));
  }

  /// A statement becomes a block inside it.
  bool unwrap(Node &node) {
    // What stands between barriers may not stand without them.
    if (node.kind != Kind::Statement || node.text.find("barrier()") != std::string::npos)
      return false;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      if (node.children[i].kind != Kind::Block)
        continue;
      Node inner = node.children[i];
      if (replace(node, std::move(inner)))
        return true;
    }
    return false;
  }

  bool simplify(Node &node) {
    if (node.kind == Kind::Pointer) {
      for (std::size_t i = 0; i < node.children.size(); ++i) {
        Node child = node.children[i];
        if (child.kind == Kind::Pointer && replace(node, std::move(child)))
          return true;
      }
      return false;
    }
    // Its child may be beyond what is defined: a number that doesn't fit, or NaN.
    const bool isBounded = node.kind == Kind::Index || node.text.starts_with("tame(") ||
                           node.text.starts_with("truncate<");
    if (node.kind != Kind::Index && (node.kind != Kind::Expression || isLeaf(node)))
      return false;
    Node simplest;
    simplest.kind = Kind::Expression;
    simplest.type = node.type;
    for (const char *value : {"0", "1"}) {
      simplest.text = node.type == Type::Bool ? (*value == '0' ? "false" : "true")
                      : isFloat(node.type)
                          ? "1.5" + std::string(node.type == Type::F32 ? "f" : "")
                          : "static_cast<" + std::string(info(node.type).name) + ">(" + value + ")";
      if (replace(node, simplest))
        return true;
    }
    if (isBounded)
      return false;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      Node child = node.children[i];
      if ((child.kind == Kind::Expression || child.kind == Kind::Index) &&
          child.type == node.type && replace(node, std::move(child)))
        return true;
    }
    return false;
  }

  static bool isLeaf(const Node &node) {
    return node.children.empty() &&
           (node.text.starts_with("static_cast<") || node.text == "true" || node.text == "false" ||
            node.text.find_first_not_of("0123456789.fu-") == std::string::npos);
  }

  Program program;
  const std::function<bool(const Program &)> &stillFails;
  unsigned tries;
};

} // namespace

Program shrink(Program program, const std::function<bool(const Program &)> &stillFails,
               unsigned mostTries) {
  return Shrinker(std::move(program), stillFails, mostTries).run();
}

} // namespace khal::fuzz
