//===- NarrowBarriers.cpp - barriers that need not order storage buffers ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#include "target/shader/NarrowBarriers.h"

#include "ir/Builtins.h"
#include "shader/Lowered.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace khalc::shader {

namespace {

/// Which buffers some code reads and writes.
struct Accesses {
  BitVector reads, writes;

  explicit Accesses(unsigned buffers) : reads(buffers), writes(buffers) {}
  Accesses &operator|=(const Accesses &other) {
    reads |= other.reads;
    writes |= other.writes;
    return *this;
  }
  /// Buffers of which one of the two accesses writes.
  BitVector conflictsWith(const Accesses &other) const {
    BitVector anyOfOther = other.reads;
    anyOfOther |= other.writes;
    BitVector conflicts = writes;
    conflicts &= anyOfOther;
    BitVector readFirst = reads;
    readFirst &= other.writes;
    conflicts |= readFirst;
    return conflicts;
  }
};

class BarrierNarrowing {
public:
  BarrierNarrowing(Function &function, LoweredKernel &kernel) : function(function), kernel(kernel) {
    // Buffers that may be the same memory count as one.
    bool mayAlias = kernel.info->mayAlias;
    for (const Resource &resource : kernel.resources)
      if (resource.kind == Resource::Kind::Buffer)
        buffers[resource.variable] = mayAlias ? 0 : resource.index;
    for (auto [variable, index] : buffers)
      numBuffers = std::max(numBuffers, index + 1);
  }

  void run() {
    Accesses all(numBuffers);
    bool ordersDevice = false;
    SmallVector<CallInst *> barriers;
    for (BasicBlock &block : function) {
      auto [own, isNew] = ofBlock.try_emplace(&block, between(block.begin(), block.end()));
      all |= own->second;
      for (Instruction &instruction : block) {
        ordersDevice |= isOrdering(instruction);
        if (auto *call = dyn_cast<CallInst>(&instruction))
          if (builtinCalled(*call) == Builtin::Barrier)
            barriers.push_back(call);
      }
    }
    BitVector shared(numBuffers);
    for (CallInst *barrier : barriers) {
      BitVector conflicts = before(*barrier).conflictsWith(after(*barrier));
      if (conflicts.none())
        barrier->addFnAttr(Attribute::get(function.getContext(), sharedOnlyAttribute));
      shared |= conflicts;
    }
    if (ordersDevice) {
      all.reads &= all.writes;
      shared |= all.reads;
    }
    for (Resource &resource : kernel.resources)
      if (auto buffer = buffers.find(resource.variable); buffer != buffers.end())
        resource.coherent = shared.test(buffer->second);
  }

private:
  /// A fence, a barrier of a subgroup, or an atomic that orders other accesses.
  static bool isOrdering(const Instruction &instruction) {
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      std::optional<Builtin> builtin = builtinCalled(*call);
      return builtin == Builtin::Fence || builtin == Builtin::SubgroupBarrier;
    }
    if (isa<FenceInst>(instruction))
      return true;
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return isAtLeastOrStrongerThan(load->getOrdering(), AtomicOrdering::Acquire);
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return isAtLeastOrStrongerThan(store->getOrdering(), AtomicOrdering::Release);
    if (auto *operation = dyn_cast<AtomicRMWInst>(&instruction))
      return operation->getOrdering() != AtomicOrdering::Monotonic;
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return exchange->getSuccessOrdering() != AtomicOrdering::Monotonic;
    return false;
  }

  Accesses between(BasicBlock::iterator from, BasicBlock::iterator to) const {
    Accesses accesses(numBuffers);
    for (Instruction &instruction : make_range(from, to)) {
      const Value *pointer = getLoadStorePointerOperand(&instruction);
      if (auto *operation = dyn_cast<AtomicRMWInst>(&instruction))
        pointer = operation->getPointerOperand();
      else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        pointer = exchange->getPointerOperand();
      if (!pointer)
        continue;
      if (auto *element = dyn_cast<GEPOperator>(pointer))
        pointer = element->getPointerOperand();
      auto buffer = buffers.find(pointer);
      if (buffer == buffers.end())
        continue;
      if (instruction.mayReadFromMemory())
        accesses.reads.set(buffer->second);
      if (instruction.mayWriteToMemory())
        accesses.writes.set(buffer->second);
    }
    return accesses;
  }

  /// What blocks that `next` leads to from `start` access, `start` itself among them when it is in a
  /// cycle.
  template <class Neighbours>
  void addReachable(BasicBlock *start, Neighbours next, Accesses &accesses) const {
    SmallPtrSet<BasicBlock *, 16> seen;
    SmallVector<BasicBlock *> open{start};
    while (!open.empty())
      for (BasicBlock *block : next(open.pop_back_val()))
        if (seen.insert(block).second) {
          accesses |= ofBlock.at(block);
          open.push_back(block);
        }
  }

  Accesses before(CallInst &barrier) const {
    BasicBlock *block = barrier.getParent();
    Accesses accesses = between(block->begin(), barrier.getIterator());
    addReachable(block, [](BasicBlock *from) { return predecessors(from); }, accesses);
    return accesses;
  }

  Accesses after(CallInst &barrier) const {
    BasicBlock *block = barrier.getParent();
    Accesses accesses = between(barrier.getIterator(), block->end());
    addReachable(block, [](BasicBlock *from) { return successors(from); }, accesses);
    return accesses;
  }

  Function &function;
  LoweredKernel &kernel;
  DenseMap<const Value *, unsigned> buffers; ///< by variable
  unsigned numBuffers = 0;
  DenseMap<BasicBlock *, Accesses> ofBlock;
};

} // namespace

void narrowBarriers(Function &function, LoweredKernel &kernel) {
  BarrierNarrowing(function, kernel).run();
}

} // namespace khalc::shader
