//===- StructureChain.cpp - what jumps over what in a chain -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructureChain.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace khalc::shader {

std::optional<size_t> indexOf(const Chain &chain, Label label) {
  for (size_t index = 1; index < chain.pieces.size(); ++index)
    if (chain.pieces[index].label == label)
      return index;
  return std::nullopt;
}

std::vector<Segment> segmentsOf(const Chain &chain, function_ref<bool(Label)> leadsToEnd) {
  std::vector<Segment> segments;
  size_t reach = 0; // the farthest start of a piece that a jump so far goes to
  for (auto [index, piece] : enumerate(chain.pieces)) {
    if (segments.empty() || reach <= index)
      segments.push_back({index, index, {}});
    Segment &segment = segments.back();
    segment.end = index + 1;
    for (const auto &[label, use] : piece.uses) {
      std::optional<size_t> target = indexOf(chain, label);
      if (!target && leadsToEnd(label))
        target = chain.pieces.size();
      if (!target)
        continue;
      segment.jumps.push_back({index, *target, label, use.acrossLoop});
      reach = std::max(reach, *target);
    }
  }
  return segments;
}

static const ScopeRange *innermost(ArrayRef<ScopeRange> scopes, size_t index) {
  const ScopeRange *found = nullptr;
  for (const ScopeRange &scope : scopes)
    if (scope.begin <= index && index < scope.end)
      found = &scope;
  return found;
}

std::optional<std::vector<ScopeRange>> planScopes(const Chain &chain, const Segment &segment,
                                                  function_ref<bool(Label)> breaks) {
  std::vector<ScopeRange> scopes;
  for (const ChainJump &jump : segment.jumps) {
    if (!jump.skips())
      continue;
    if (jump.acrossLoop)
      return std::nullopt;
    auto scope = find_if(scopes, [&](const ScopeRange &range) { return range.end == jump.to; });
    if (scope == scopes.end())
      scopes.push_back({jump.from, jump.to});
    else
      scope->begin = std::min(scope->begin, jump.from);
  }
  sort(scopes, [](const ScopeRange &a, const ScopeRange &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  for (auto [number, outer] : enumerate(scopes))
    for (const ScopeRange &inner : drop_begin(scopes, number + 1))
      if (inner.begin < outer.end && inner.end > outer.end)
        return std::nullopt;
  for (const ChainJump &jump : segment.jumps)
    if (jump.skips() && innermost(scopes, jump.from)->end != jump.to)
      return std::nullopt;
  for (size_t index = segment.begin; index < segment.end; ++index)
    if (innermost(scopes, index) && any_of(chain.pieces[index].uses, [&](const auto &use) {
          return !indexOf(chain, use.first) && breaks(use.first);
        }))
      return std::nullopt;
  return scopes;
}

/// The piece of a chain that is one block, all of whose arms are jumps.
static const Piece *onlyBlock(const Chain *chain) {
  if (!chain || chain->pieces.size() != 1)
    return nullptr;
  const Piece &piece = chain->pieces.front();
  bool jumps = all_of(piece.arms, [](const Arm &arm) { return arm.kind != Arm::Kind::Inline; });
  return piece.kind == Piece::Kind::Block && jumps ? &piece : nullptr;
}

/// The blocks in a piece, other than within its loops, that jump to a label.
static void collectSources(const Piece &piece, Label label,
                           SmallVectorImpl<const BasicBlock *> &sources) {
  if (!piece.uses.count(label))
    return;
  for (const Arm &arm : piece.arms) {
    if (arm.kind == Arm::Kind::Jump && arm.target == label)
      sources.push_back(arm.from);
    if (arm.kind == Arm::Kind::Inline)
      for (const Piece &inner : arm.chain->pieces)
        collectSources(inner, label, sources);
  }
  if (piece.kind == Piece::Kind::Nested)
    for (const Piece &inner : piece.chain->pieces)
      collectSources(inner, label, sources);
}

void wishForDuplicates(const Tree &tree, const Chain &chain, const Segment &segment,
                       function_ref<bool(Label)> needsNoScope,
                       std::vector<DuplicationWish> &wishes) {
  DuplicationWish cheapest;
  unsigned cost = ~0u;
  auto consider = [&](const BasicBlock *block, SmallVector<const BasicBlock *, 4> predecessors) {
    std::optional<unsigned> each = duplicationCost(*block);
    if (each && !predecessors.empty() && *each * predecessors.size() < cost) {
      cost = *each * predecessors.size();
      cheapest = {block, std::move(predecessors)};
    }
  };

  // A jump forward to something short that ends by leaving, such as a loop's increment: do that
  // where the jump is.
  for (const ChainJump &jump : segment.jumps) {
    if (!jump.skips() || jump.acrossLoop)
      continue;
    const Piece *target = onlyBlock(tree.labelled.lookup(jump.label.block()));
    if (!target || !all_of(target->uses, [&](const auto &use) { return needsNoScope(use.first); }))
      continue;
    SmallVector<const BasicBlock *, 4> sources;
    const Piece &piece = chain.pieces[jump.from];
    collectSources(piece, jump.label, sources);
    if (sources.size() == piece.uses.lookup(jump.label).jumps)
      consider(target->block, std::move(sources));
  }

  // A short piece that is jumped over, and nothing else: do it on each way to it.
  if (segment.size() == 2) {
    const Piece &skipped = chain.pieces[segment.begin + 1];
    if (skipped.kind == Piece::Kind::Nested && onlyBlock(skipped.chain)) {
      SmallVector<const BasicBlock *, 4> sources;
      const Piece &piece = chain.pieces[segment.begin];
      collectSources(piece, skipped.label, sources);
      if (sources.size() > 1 && sources.size() == piece.uses.lookup(skipped.label).jumps)
        consider(skipped.chain->pieces.front().block,
                 SmallVector<const BasicBlock *, 4>(drop_begin(sources)));
    }
  }
  if (cheapest.block)
    wishes.push_back(std::move(cheapest));
}

} // namespace khalc::shader
