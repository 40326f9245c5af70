//===- PrivateArrays.cpp - loops over private arrays, unrolled so that the arrays vanish ------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "ir/PrivateArrays.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace khalc {

namespace {

// A register file has 255 registers a work-item; arrays that need many more stay in memory anyway.
constexpr unsigned maxTripCount = 128;
constexpr uint64_t maxUnrolledInstructions = 8192;
constexpr uint64_t maxArrayBytes = 1024;
// Smaller nests gain nothing from being left, and drivers stop unrolling at counts beyond 32 (Mesa's).
constexpr uint64_t minTileInstructions = 256;
constexpr unsigned maxTileTripCount = 33; // the test at the top runs once more

class LoopMarker {
public:
  LoopMarker(Function &function, LoopInfo &loops, ScalarEvolution &evolution, RegisterTiles tiles)
      : layout(function.getDataLayout()), loops(loops), evolution(evolution), tiles(tiles) {}

  void run() {
    for (Loop *loop : loops.getLoopsInPreorder()) {
      if (!shouldUnroll(*loop))
        continue;
      if (tiles == RegisterTiles::Leave && isTile(*loop))
        leave(*loop);
      else
        addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
    }
  }

private:
  bool shouldUnroll(const Loop &loop) {
    if (!loop.getLoopLatch() || hasUnrollRequest(loop) || !tripCount(loop))
      return false;
    return unrolledSize(loop) <= maxUnrolledInstructions && indexesPrivateArray(loop);
  }

  /// A nest of counted loops with nothing but arithmetic in it. Arrays of pointers must vanish: shaders
  /// have no pointers in memory.
  bool isTile(const Loop &loop) {
    return !loop.isInnermost() && unrolledSize(loop) >= minTileInstructions &&
           all_of(loop.getLoopsInPreorder(),
                  [&](const Loop *each) {
                    unsigned count = tripCount(*each);
                    return count != 0 && count <= maxTileTripCount && !hasUnrollRequest(*each);
                  }) &&
           all_of(loop.blocks(), [](const BasicBlock *block) {
             return none_of(*block, isPointerAccessOrBarrier);
           });
  }
  static bool isPointerAccessOrBarrier(const Instruction &instruction) {
    if (isa<LoadInst, StoreInst>(instruction))
      return getLoadStoreType(&instruction)->isPointerTy();
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->isConvergent();
  }

  static void leave(Loop &tile) {
    for (Loop *loop : tile.getLoopsInPreorder()) {
      addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", /*V=*/1);
      addStringMetadataToLoop(loop, leftToDriver.data(), /*V=*/1);
    }
  }

  static bool hasUnrollRequest(const Loop &loop) {
    MDNode *id = loop.getLoopID();
    return id && (GetUnrollMetadata(id, "llvm.loop.unroll.full") ||
                  GetUnrollMetadata(id, "llvm.loop.unroll.enable") ||
                  GetUnrollMetadata(id, "llvm.loop.unroll.count") ||
                  GetUnrollMetadata(id, "llvm.loop.unroll.disable"));
  }

  /// 0 if unknown or too large.
  unsigned tripCount(const Loop &loop) {
    unsigned count = evolution.getSmallConstantMaxTripCount(&loop);
    return count <= maxTripCount ? count : 0;
  }

  /// Instructions after unrolling this loop and all the loops inside that have a known count.
  uint64_t unrolledSize(const Loop &loop) {
    uint64_t body = 0;
    for (BasicBlock *block : loop.blocks())
      if (loops.getLoopFor(block) == &loop)
        body += block->size();
    for (const Loop *inner : loop.getSubLoops())
      body += unrolledSize(*inner);
    unsigned count = tripCount(loop);
    return body * std::max(1u, count);
  }

  bool indexesPrivateArray(const Loop &loop) {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (Value *pointer = getLoadStorePointerOperand(&instruction))
          if (isSmallPrivateArray(pointer) && isKnownOnceUnrolled(pointer, loop))
            return true;
    return false;
  }

  bool isSmallPrivateArray(Value *pointer) const {
    auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
    if (!array || !array->isStaticAlloca())
      return false;
    std::optional<TypeSize> size = array->getAllocationSize(layout);
    return size && *size <= TypeSize::getFixed(maxArrayBytes);
  }

  /// The address follows the counter of `loop`, and nothing but counters.
  bool isKnownOnceUnrolled(Value *pointer, const Loop &loop) {
    bool followsLoop = false;
    auto dependsOnData = [&](const SCEV *part) {
      if (auto *counter = dyn_cast<SCEVAddRecExpr>(part))
        followsLoop |= counter->getLoop() == &loop;
      // The array itself, which some targets first cast to a state space of its own.
      if (auto *unknown = dyn_cast<SCEVUnknown>(part))
        return !isa<AllocaInst>(unknown->getValue()->stripPointerCasts());
      return false;
    };
    return !SCEVExprContains(evolution.getSCEV(pointer), dependsOnData) && followsLoop;
  }

  const DataLayout &layout;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  RegisterTiles tiles;
};

} // namespace

PreservedAnalyses UnrollPrivateArrayLoops::run(Function &function,
                                               FunctionAnalysisManager &analyses) {
  LoopMarker marker(function, analyses.getResult<LoopAnalysis>(function),
                    analyses.getResult<ScalarEvolutionAnalysis>(function), tiles);
  // Metadata alone changes; every analysis of the code holds.
  marker.run();
  return PreservedAnalyses::all();
}

} // namespace khalc
