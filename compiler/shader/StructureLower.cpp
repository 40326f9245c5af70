//===- StructureLower.cpp - from jumps to falls, breaks, continues and flags ------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
//
// Structured control flow can reach three points from within a region: its end (by doing nothing),
// the point after the innermost Loop or Scope (Break) and the innermost loop's start (Continue).
// A Route says for a label which flags to set and which of these points to make for. Most routes
// set no flag; those that do are made
//   - where a chain's jumps over pieces can't be Breaks of Scopes: the pieces then run under
//   IfFlag;
//   - around loops left for several points: after the loop, IfFlags go on to them.
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructureChain.h"
#include "shader/StructureTree.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace khalc::shader {
namespace {

/// A place in the program that control can make for; numbered as they are met.
enum class Point : unsigned { KernelEnd };

struct FlagValue {
  unsigned flag;
  uint32_t value;
};

struct Route {
  SmallVector<FlagValue, 1> sets;
  Point point = Point::KernelEnd;
};

/// What surrounds the region that is being written.
struct Context {
  Point end = Point::KernelEnd;          ///< where control goes at the region's end
  std::optional<Point> afterBreakable;   ///< where a Break goes
  std::optional<Point> loopStart;        ///< where a Continue goes
  SmallDenseMap<Label, Route, 4> routes; ///< for every label but the exit used in the region

  Route routeTo(Label label) const {
    if (label.isExit())
      return {};
    auto it = routes.find(label);
    if (it == routes.end())
      report_fatal_error("structure: jump to a label out of sight");
    return it->second;
  }
};

std::unique_ptr<Node> makeNode(NodeKind kind) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  return node;
}

std::unique_ptr<Node> makeFlagNode(NodeKind kind, FlagValue flag) {
  auto node = makeNode(kind);
  node->flag = flag.flag;
  node->value = flag.value;
  return node;
}

bool leaves(const Region &region) {
  if (region.empty())
    return false;
  switch (region.back()->kind) {
  case NodeKind::Break:
  case NodeKind::Continue:
  case NodeKind::Return:
  case NodeKind::Unreachable:
    return true;
  default:
    return false;
  }
}

class Lowering {
public:
  Lowering(const Tree &tree, StructuredFunction &result, std::vector<DuplicationWish> &wishes)
      : tree(tree), result(result), wishes(wishes) {}

  void lowerChain(const Chain *chain, Context context, Region &out) {
    // A chain's last piece is often a chain again, and so on to the kernel's end.
    while (chain) {
      const Chain *next = nullptr;
      auto isFall = [&](Label label) { return leadsToEnd(context, label); };
      for (const Segment &segment : segmentsOf(*chain, isFall)) {
        const Piece &first = chain->pieces[segment.begin];
        bool isTail = segment.end == chain->pieces.size();
        if (segment.size() > 1)
          lowerSegment(*chain, segment, context, out);
        else if (isTail && first.kind == Piece::Kind::Nested)
          next = first.chain;
        else
          lowerPiece(first, pieceContext(*chain, segment.begin, segment.end, context), out);
      }
      chain = next;
    }
  }

private:
  Point newPoint() { return Point(++lastPoint); }

  /// True when a jump from a chain is to its end and can't be made by other means; Returns, Continues
  /// and Breaks of what is around the chain skip no pieces.
  static bool leadsToEnd(const Context &context, Label label) {
    Point point = context.routeTo(label).point;
    return !label.isExit() && point == context.end && point != context.loopStart &&
           point != context.afterBreakable;
  }

  /// The point at which piece number `index` of a chain starts, or the end of the chain.
  Point startOf(const Chain &chain, size_t index, const Context &context) {
    if (index == chain.pieces.size())
      return context.end;
    auto [it, isNew] = starts.try_emplace(&chain.pieces[index]);
    if (isNew)
      it->second = newPoint();
    return it->second;
  }

  /// The context of piece `index`, whose end leads to piece `next`. Jumps to other pieces of the
  /// segment are for the caller to route.
  Context pieceContext(const Chain &chain, size_t index, size_t next, const Context &context) {
    Context inner;
    inner.end = startOf(chain, next, context);
    inner.afterBreakable = context.afterBreakable;
    inner.loopStart = context.loopStart;
    for (const auto &[label, use] : chain.pieces[index].uses) {
      if (label.isExit())
        continue;
      if (std::optional<size_t> target = indexOf(chain, label))
        inner.routes[label] = {{}, startOf(chain, *target, context)};
      else
        inner.routes[label] = context.routeTo(label);
    }
    return inner;
  }

  void makeFor(const Route &route, const Context &context, Region &out) {
    for (FlagValue set : route.sets)
      out.push_back(makeFlagNode(NodeKind::SetFlag, set));
    if (route.point == context.end)
      return;
    if (route.point == context.loopStart)
      out.push_back(makeNode(NodeKind::Continue));
    else if (route.point == context.afterBreakable)
      out.push_back(makeNode(NodeKind::Break));
    else if (route.point == Point::KernelEnd)
      out.push_back(makeNode(NodeKind::Return));
    else
      report_fatal_error("structure: a route ends at a point out of reach");
  }

  void lowerPiece(const Piece &piece, const Context &context, Region &out) {
    switch (piece.kind) {
    case Piece::Kind::Block:
      lowerCode(piece, out);
      return lowerTerminator(piece, context, out);
    case Piece::Kind::Loop:
      return lowerLoop(piece, context, out);
    case Piece::Kind::Nested:
      return lowerChain(piece.chain, context, out);
    }
  }

  void lowerCode(const Piece &piece, Region &out) {
    if (!hasCode(*piece.block))
      return;
    auto code = makeNode(NodeKind::Code);
    code->block = piece.block;
    out.push_back(std::move(code));
  }

  void lowerTerminator(const Piece &piece, const Context &context, Region &out) {
    const Instruction *terminator = piece.block->getTerminator();
    if (piece.arms.size() == 1)
      return lowerArm(piece.arms.front(), context, out);
    if (auto *branch = dyn_cast<BranchInst>(terminator))
      return lowerIf(*branch, piece, context, out);
    if (auto *choice = dyn_cast<SwitchInst>(terminator))
      return lowerSwitch(*choice, piece, context, out);
    report_fatal_error("structure: a terminator that is no branch or switch");
  }

  void lowerArm(const Arm &arm, const Context &context, Region &out) {
    if (arm.kind != Arm::Kind::Unreachable && arm.to && isa<PHINode>(arm.to->front())) {
      auto copy = makeNode(NodeKind::PhiCopy);
      copy->block = arm.from;
      copy->to = arm.to;
      out.push_back(std::move(copy));
    }
    switch (arm.kind) {
    case Arm::Kind::Unreachable:
      out.push_back(makeNode(NodeKind::Unreachable));
      return;
    case Arm::Kind::Jump:
      return makeFor(context.routeTo(arm.target), context, out);
    case Arm::Kind::Inline:
      return lowerChain(arm.chain, context, out);
    }
  }

  void lowerIf(const BranchInst &branch, const Piece &piece, const Context &context, Region &out) {
    auto node = makeNode(NodeKind::If);
    node->condition = branch.getCondition();
    lowerArm(piece.arms[0], context, node->body);
    lowerArm(piece.arms[1], context, node->elseBody);
    // `if (c) a; leave` instead of `if (c) { a; leave } else leave`, and
    // `if (c) leave; rest` instead of `if (c) leave; else { rest }`.
    Region rest;
    if (leaves(node->body) && leaves(node->elseBody) &&
        node->body.back()->kind == node->elseBody.back()->kind) {
      rest.push_back(std::move(node->body.back()));
      node->body.pop_back();
      node->elseBody.pop_back();
    } else if (leaves(node->body)) {
      std::swap(rest, node->elseBody);
    } else if (leaves(node->elseBody)) {
      std::swap(rest, node->body);
    }
    if (!node->body.empty() || !node->elseBody.empty())
      out.push_back(std::move(node));
    std::move(rest.begin(), rest.end(), std::back_inserter(out));
  }

  void lowerSwitch(const SwitchInst &choice, const Piece &piece, const Context &context,
                   Region &out) {
    auto node = makeNode(NodeKind::Switch);
    node->condition = choice.getCondition();
    node->cases = std::vector<SwitchCase>(piece.arms.size());
    for (auto [arm, region] : zip_equal(piece.arms, node->cases)) {
      region.isDefault = arm.to == choice.getDefaultDest();
      if (!region.isDefault)
        for (const auto &handle : choice.cases())
          if (handle.getCaseSuccessor() == arm.to)
            region.values.push_back(const_cast<ConstantInt *>(handle.getCaseValue()));
      lowerArm(arm, context, region.body);
    }
    out.push_back(std::move(node));
  }

  //===--- loops -----------------------------------------------------------------------------===//

  /// The point after a loop, reached by a Break without more ado: the end of the region when
  /// anything in the loop leads there, or else the point with most jumps.
  std::optional<Point> mainExit(const Piece &loop, const Context &context) const {
    SmallVector<std::pair<Point, unsigned>, 4> jumps;
    bool returns = false;
    for (const auto &[label, use] : loop.uses) {
      Point point = context.routeTo(label).point;
      if (point == context.end)
        return point;
      if (label.isExit()) {
        returns = true;
        continue;
      }
      auto *it = find_if(jumps, [&](const auto &entry) { return entry.first == point; });
      if (it == jumps.end())
        jumps.emplace_back(point, use.jumps);
      else
        it->second += use.jumps;
    }
    if (!jumps.empty())
      return max_element(jumps, less_second())->first;
    if (returns)
      return Point::KernelEnd;
    return std::nullopt;
  }

  void lowerLoop(const Piece &piece, const Context &context, Region &out) {
    std::optional<Point> exit = mainExit(piece, context);
    Context inner;
    inner.end = newPoint();
    inner.loopStart = inner.end;
    inner.afterBreakable = exit == Point::KernelEnd ? Point::KernelEnd : newPoint();
    inner.routes[Label::nextRound(piece.block)] = {{}, inner.end};

    SmallVector<Onward, 2> onward = routeOut(piece, exit, context, inner, out);
    auto loop = makeNode(NodeKind::Loop);
    loop->block = piece.block;
    const BasicBlock *outerHeader = std::exchange(loopHeader, piece.block);
    lowerChain(piece.chain, inner, loop->body);
    loopHeader = outerHeader;
    out.push_back(std::move(loop));

    for (const Onward &way : onward) {
      auto dispatch = makeFlagNode(NodeKind::IfFlag, way.when);
      makeFor({{}, way.point}, context, dispatch->body);
      out.push_back(std::move(dispatch));
    }
    if (exit)
      makeFor({{}, *exit}, context, out);
    else
      out.push_back(makeNode(NodeKind::Unreachable));
  }

  /// From after a loop on to a point that a Break doesn't reach.
  struct Onward {
    Point point;
    FlagValue when;
  };

  /// Routes all labels used in a loop to the point after it, and says how to go on from there.
  SmallVector<Onward, 2> routeOut(const Piece &loop, std::optional<Point> exit,
                                  const Context &context, Context &inner, Region &out) {
    SmallVector<Onward, 2> onward;
    SmallMapVector<Point, SmallVector<Label, 2>, 4> farther;
    for (const auto &[label, use] : loop.uses) {
      if (label.isExit())
        continue;
      Route route = context.routeTo(label);
      if (route.point != exit)
        farther[route.point].push_back(label);
      route.point = *inner.afterBreakable;
      inner.routes[label] = route;
    }
    std::optional<unsigned> flag;
    uint32_t value = 0;
    for (const auto &[point, labels] : farther) {
      if (std::optional<FlagValue> known = commonFlag(labels, inner)) {
        onward.push_back({point, *known});
        continue;
      }
      if (!flag)
        flag = newFlag(out);
      onward.push_back({point, {*flag, ++value}});
      for (Label label : labels)
        inner.routes[label].sets.push_back(onward.back().when);
    }
    return onward;
  }

  /// A flag that is set to a value on the way to each of the labels and to no others.
  static std::optional<FlagValue> commonFlag(ArrayRef<Label> labels, const Context &context) {
    auto sets = [](const Route &route, FlagValue wanted) {
      return any_of(route.sets, [&](FlagValue set) {
        return set.flag == wanted.flag && set.value == wanted.value;
      });
    };
    for (FlagValue flag : context.routeTo(labels.front()).sets)
      if (all_of(context.routes, [&](const auto &entry) {
            return sets(entry.second, flag) == is_contained(labels, entry.first);
          }))
        return flag;
    return std::nullopt;
  }

  /// A flag that is 0 here.
  unsigned newFlag(Region &out) {
    unsigned flag = result.flagCount++;
    if (loopHeader)
      out.push_back(makeFlagNode(NodeKind::SetFlag, {flag, 0}));
    return flag;
  }

  //===--- jumps over pieces -----------------------------------------------------------------===//

  void lowerSegment(const Chain &chain, const Segment &segment, const Context &context,
                    Region &out) {
    auto breaks = [&](Label label) {
      return !label.isExit() && context.routeTo(label).point == context.afterBreakable;
    };
    auto needsNoScope = [&](Label label) {
      if (label.isExit() || label == Label::nextRound(loopHeader))
        return true;
      return !label.isNextRound() && context.routes.contains(label) && breaks(label);
    };
    wishForDuplicates(tree, chain, segment, needsNoScope, wishes);
    if (std::optional<std::vector<ScopeRange>> scopes = planScopes(chain, segment, breaks))
      lowerInScopes(chain, segment, *scopes, context, out);
    else
      lowerUnderFlag(chain, segment, context, out);
  }

  /// Jumps to a piece further on break the Scope that ends before it.
  void lowerInScopes(const Chain &chain, const Segment &segment, ArrayRef<ScopeRange> scopes,
                     const Context &context, Region &out) {
    SmallVector<std::pair<const ScopeRange *, Region *>, 4> open;
    auto region = [&]() -> Region & { return open.empty() ? out : *open.back().second; };
    for (size_t index = segment.begin; index < segment.end; ++index) {
      while (!open.empty() && open.back().first->end == index)
        open.pop_back();
      const Piece &piece = chain.pieces[index];
      bool opens = any_of(scopes, [&](const ScopeRange &scope) { return scope.begin == index; });
      // A block's own code can stay outside: values that it defines are in use after the scope.
      if (opens && piece.kind == Piece::Kind::Block)
        lowerCode(piece, region());
      for (const ScopeRange &scope : scopes)
        if (scope.begin == index) {
          region().push_back(makeNode(NodeKind::Scope));
          open.emplace_back(&scope, &region().back()->body);
        }
      Context inner = pieceContext(chain, index, index + 1, context);
      if (!open.empty())
        inner.afterBreakable = startOf(chain, open.back().first->end, context);
      if (opens && piece.kind == Piece::Kind::Block)
        lowerTerminator(piece, inner, region());
      else
        lowerPiece(piece, inner, region());
    }
  }

  /// All jumps go to the end of their piece; a flag says which piece is next. 0 is the second.
  void lowerUnderFlag(const Chain &chain, const Segment &segment, const Context &context,
                      Region &out) {
    unsigned flag = newFlag(out);
    auto valueFor = [&](size_t index) { return uint32_t(index - segment.begin - 1); };
    size_t last = segment.end - 1;
    bool lastIsSkipped = false;
    for (size_t index = segment.begin; index < segment.end; ++index) {
      Context inner = pieceContext(chain, index, index + 1, context);
      for (auto &[label, route] : inner.routes) {
        size_t target = indexOf(chain, label).value_or(chain.pieces.size());
        if (target == chain.pieces.size() && !leadsToEnd(context, label))
          continue; // leaves the chain by other means
        if (index < last && valueFor(target) != 0)
          route.sets.push_back({flag, valueFor(target)});
        route.point = inner.end;
        lastIsSkipped |= index < last && target > last;
      }
      const Piece &piece = chain.pieces[index];
      if (index == segment.begin || (index == last && !lastIsSkipped)) {
        lowerPiece(piece, inner, out);
        continue;
      }
      auto guarded = makeFlagNode(NodeKind::IfFlag, {flag, valueFor(index)});
      lowerPiece(piece, inner, guarded->body);
      out.push_back(std::move(guarded));
    }
  }

  const Tree &tree;
  StructuredFunction &result;
  std::vector<DuplicationWish> &wishes;
  DenseMap<const Piece *, Point> starts;
  unsigned lastPoint = 0;
  const BasicBlock *loopHeader = nullptr; ///< of the innermost loop
};

} // namespace

StructuredFunction lowerTree(const Function &function, const Tree &tree,
                             std::vector<DuplicationWish> &wishes) {
  StructuredFunction result;
  result.function = &function;
  Lowering(tree, result, wishes).lowerChain(tree.root, Context(), result.body);
  if (!leaves(result.body))
    result.body.push_back(makeNode(NodeKind::Return));
  return result;
}

} // namespace khalc::shader
