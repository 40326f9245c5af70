//===- StructureChain.h - what jumps over what in a chain -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_STRUCTURECHAIN_H
#define KHALC_SHADER_STRUCTURECHAIN_H

#include "shader/StructureTree.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace khalc::shader {

/// Jumps in piece `from` to the start of piece `to`, or to the chain's end if `to` is one past the
/// last piece.
struct ChainJump {
  size_t from;
  size_t to;
  Label label;
  bool acrossLoop; ///< at least one of them leaves a loop in the piece

  bool skips() const { return to > from + 1; }
};

/// The least run of pieces that no jump enters or leaves but at its ends. Each piece of it but the
/// first is jumped over.
struct Segment {
  size_t begin;
  size_t end;
  llvm::SmallVector<ChainJump, 4> jumps; ///< from its pieces

  size_t size() const { return end - begin; }
};

/// A chain's segments, in order. `leadsToEnd` tells which labels outside the chain are reached by
/// going on after it.
std::vector<Segment> segmentsOf(const Chain &chain, llvm::function_ref<bool(Label)> leadsToEnd);

/// The piece of a chain that a jump to a label goes to. The first piece can't be jumped to.
std::optional<size_t> indexOf(const Chain &chain, Label label);

struct ScopeRange {
  size_t begin;
  size_t end;
};

/// The scopes, outer before inner, with which each jump over pieces of a segment is a Break;
/// nothing if there are none: when jumps would have to leave several scopes or loops, or when a
/// `breaks` label's Break would meet a scope first.
std::optional<std::vector<ScopeRange>> planScopes(const Chain &chain, const Segment &segment,
                                                  llvm::function_ref<bool(Label)> breaks);

/// Names blocks of which copies would make jumps over a segment's pieces unnecessary.
/// `needsNoScope`: jumps to the label are simple anywhere in the segment.
void wishForDuplicates(const Tree &tree, const Chain &chain, const Segment &segment,
                       llvm::function_ref<bool(Label)> needsNoScope,
                       std::vector<DuplicationWish> &wishes);

} // namespace khalc::shader

#endif // KHALC_SHADER_STRUCTURECHAIN_H
