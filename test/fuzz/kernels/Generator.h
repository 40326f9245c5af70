//===- Generator.h - how random programs are made ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps programs defined:
//   - arithmetic goes through safe.hpp or through operands too small to overflow;
//   - floats are tame() wherever they come from memory or an operation;
//   - every index is reduced to its array's size, and a pointer always has `reach` elements behind
//     it;
//   - structs have no padding, so that all their bytes may be looked at, and no bool, so that all
//     bytes are values;
//   - expressions have no side effects: what calls do is only done by statements of one call;
//   - every loop has a bound, and all loops together stay below `mostIterations`.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_KERNELS_GENERATOR_H
#define KHAL_TEST_FUZZ_KERNELS_GENERATOR_H

#include "../Random.h"
#include "Program.h"

#include <optional>

namespace khal::fuzz {

class Generator {
public:
  explicit Generator(std::uint64_t seed) : random(seed), seed(seed) {}
  Program program();

private:
  static constexpr unsigned reach = 8;
  /// lavapipe ends a work-item's loops after 65,535 iterations in all.
  static constexpr unsigned mostIterations = 12000;

  struct Variable {
    std::string name;
    Type type;
    bool writable;
  };
  struct Array {
    std::string name; ///< of an array, or a pointer to its first element
    Type element;
    unsigned count;
    bool writable;
    bool isPointer;
  };
  struct Object {
    std::string name;
    unsigned structure;
    bool writable;
  };
  struct Callable {
    std::string name;
    Type result;
    std::vector<Type> parameters;
    std::optional<Type> pointer; ///< the last parameter is a pointer to this
    bool writesPointer;
    bool pure;
    unsigned iterations;
  };
  struct Member {
    std::string name;
    Type type = Type::U32; ///< of scalars
    unsigned count = 0;    ///< elements of an array; 0 when it is none
    unsigned lanes = 0;    ///< of a vector; 0 when it is none
    std::optional<unsigned> structure;
  };
  struct Structure {
    std::string name;
    std::vector<Member> members;
    unsigned bytes, alignment;
  };

  struct Tile {
    std::string name;
    Type type;
  };

  /// What can be named where the generator stands.
  struct Scope {
    std::vector<Variable> variables;
    std::vector<Array> arrays;
    std::vector<Object> objects;
    std::vector<Callable> callables;
  };
  /// The function that is being written.
  struct Function {
    Type result = Type::U32;
    unsigned loops = 0;    ///< around the current place
    unsigned switches = 0; ///< innermost of these and of loops that a `break` would leave
    bool mayReturn = true;
    unsigned iterations = 0;         ///< of all loops so far
    unsigned multiplier = 1;         ///< how often the current place runs
    std::vector<std::string> labels; ///< that a goto may jump forward to
  };

  // Generate.cpp
  Node structure(unsigned index);
  Node table();
  Node structTable();
  Node helper();
  Node itemBody();
  Node checksum(const Scope &seen);
  void addParameters(Node &body);
  void addObject(const Object &object);

  // Expressions.cpp
  Node expression(Type type, unsigned depth);
  Node leaf(Type type);
  Node literal(Type type);
  Node integerExpression(Type type, unsigned depth);
  Node floatExpression(Type type, unsigned depth);
  Node boolExpression(unsigned depth);
  Node vectorExpression(Type type, unsigned depth);
  std::optional<Node> call(Type type, unsigned depth);
  Node callOf(const Callable &callable, unsigned depth);
  Node convert(Node node, Type type);
  Node index(unsigned count, unsigned depth);
  /// Something in memory. Places of floats aren't tame.
  std::optional<Node> place(bool writable, unsigned depth);
  Node memberOf(const Object &object, unsigned depth);
  Node value(Node place);
  /// A pointer to T with `reach` elements behind it.
  std::optional<Node> anchor(Type element, bool writable);
  std::optional<Array> arrayOf(Type element, bool writable);

  // Statements.cpp
  Node block(unsigned count, unsigned depth);
  Node statement(unsigned depth);
  Node declaration(unsigned depth);
  Node declareScalar();
  Node declareArray();
  Node declareObject();
  Node declarePointer();
  Node declareLambda();
  Node assignment();
  Node compoundAssignment();
  Node conditional(unsigned depth);
  Node loop(unsigned depth);
  Node switchStatement(unsigned depth);
  Node jump();
  Node gotoForward(unsigned depth);
  Node gotoBackward(unsigned depth);
  Node callStatement();

  // Memory.cpp
  Node memoryStatement();
  Node walk();
  Node byteAccess();
  Node wideAccess();
  Node copyObjects();
  Node copyArrays();
  Node unionStatement();
  Node pointerChange();
  Node objectPointer();

  // Groups.cpp
  Node groupBody();
  Node groupBlock(unsigned count, unsigned depth);
  Node groupStatement(unsigned depth);
  Node groupLoop(unsigned depth);
  Node itemStatements();
  Node exchangeStatement();
  Node exchangeObject();
  Node atomicStatement();
  Node reduction();
  Node ownSlot();
  Node readTile();
  Node uniformCondition();

  // Small helpers.
  static Node make(Node::Kind kind, std::string text, std::vector<Node> children = {});
  static Node expressionNode(Type type, std::string text, std::vector<Node> children = {});
  static Node indexNode(Type type, std::string text, Node number);
  static Node fixed(std::string text) { return make(Node::Kind::Fixed, std::move(text)); }
  Type numberType() { return Type(random.below(numberCount)); }
  Type integerType() { return Type(random.below(unsigned(Type::F32))); }
  std::string fresh(const char *prefix) { return prefix + std::to_string(nextName++); }
  unsigned powerOfTwo(unsigned least, unsigned most);
  template <class T> const T &pick(const std::vector<T> &from) {
    return from[random.below(unsigned(from.size()))];
  }
  /// Whether a loop of this many iterations may stand here; counts them.
  bool affords(unsigned iterations);

  Random random;
  const std::uint64_t seed;
  unsigned nextName = 0;
  Scope scope;
  Function function;
  std::vector<Structure> structures;
  /// Group: all work-items leave a loop in the same iteration. lavapipe 22.3 gives those that leave
  /// early a zero for what they loaded in the loop and use behind it: where it needs no phi, its
  /// value is that of the last iteration of any of them. Programs for single work-items run there
  /// in groups of one.
  bool inStep = false;
  bool entersLoops = false;
  std::vector<Tile> tiles; ///< Group: shared arrays with an element for each work-item
};

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_KERNELS_GENERATOR_H
