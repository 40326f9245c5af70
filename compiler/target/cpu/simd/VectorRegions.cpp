//===- VectorRegions.cpp - regions that are run for several work-items at once ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/VectorRegions.h"

#include "shader/StructureVariables.h"
#include "target/cpu/BarrierRegions.h"
#include "target/cpu/ContextLayout.h"
#include "target/cpu/GroupSignature.h"
#include "target/cpu/ItemLoop.h"
#include "target/cpu/RegionFunction.h"
#include "target/cpu/simd/ControlEmitter.h"
#include "target/cpu/simd/ElementCopies.h"
#include "target/cpu/simd/Shapes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace khalc::cpu::simd {

namespace {

/// Longer functions are compiled for one work-item at a time: code under masks grows with the
/// width where it has no vector form.
constexpr unsigned mostInstructions = 8192;

/// A vector's elements are as many as a register has of these.
constexpr unsigned bitsOfElement = 32;

/// Nor are functions vectorised whose variables are so large: each lane has its own, on the stack.
constexpr uint64_t mostPrivateBytes = 64 * 1024;

uint64_t privateBytes(const Function &function) {
  uint64_t sum = 0;
  for (const Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      sum += variable->getAllocationSize(function.getDataLayout())->getFixedValue();
  return sum;
}

/// The dimension that lanes are neighbours in; 3 if there's only one work-item.
unsigned vectorDimension(const KernelInfo &kernel) {
  unsigned dimension = 0;
  while (dimension < 3 && kernel.groupSize[dimension] == 1)
    ++dimension;
  return dimension;
}

} // namespace

VectorRegions::VectorRegions(Function &item, const BarrierRegions &barrierRegions,
                             const KernelInfo &kernel, bool vectorMaths)
    : kernel(kernel), vectorMaths(vectorMaths) {
  if (vectorDimension(kernel) == 3)
    return;
  ContextLayout layout(item.getDataLayout(), kernel.groupSize, barrierRegions);
  for (auto [number, region] : enumerate(barrierRegions.regions)) {
    regions.push_back(nullptr);
    if (!itemsAreIndependent(region))
      continue;
    Function *function = buildRegionFunction(item, barrierRegions, number, kernel, layout);
    if (function->getInstructionCount() > mostInstructions ||
        privateBytes(*function) > mostPrivateBytes) {
      function->eraseFromParent();
      continue;
    }
    expandElementCopies(*function);
    shader::StructuredFunction tree = shader::structure(*function, shader::Variables::OfAnyType);
    regions.back() = std::make_unique<Region>(Region{function, std::move(tree)});
  }
}

VectorRegions::~VectorRegions() {
  for (const std::unique_ptr<Region> &region : regions)
    if (region)
      region->function->eraseFromParent();
}

bool VectorRegions::any() const {
  return any_of(regions, [](const auto &region) { return region != nullptr; });
}

/// The loops over one region's work-items.
class VectorRegions::LoopEmitter {
public:
  LoopEmitter(const KernelInfo &kernel, const Region &region, bool vectorMaths,
              const VectorUnit &unit, Function &group, ArrayRef<Value *> uniformSlots,
              IRBuilder<> &builder, IRBuilder<> &variables)
      : kernel(kernel), region(region), vectorMaths(vectorMaths),
        dimension(vectorDimension(kernel)), unit(unit), group(group), uniformSlots(uniformSlots),
        builder(builder), variables(variables), width(oneRegister()),
        shapes(region.tree, width, stridedArguments()) {
    unsigned count = registersPerVector(region.tree, shapes, unit, kernel.groupSize[dimension]);
    if (count == 1)
      return;
    width *= count;
    shapes = Shapes(region.tree, width, stridedArguments());
  }

  Value *emit() {
    decision = variables.CreateAlloca(variables.getInt32Ty(), nullptr, "decision");
    uint32_t size = kernel.groupSize[dimension];
    uint32_t whole = size / width * width;
    if (whole > 0)
      emitLoop({0, whole, width}, nullptr);
    if (whole < size)
      emitLoop({whole, size, width}, firstLanes(size - whole));
    return builder.CreateLoad(builder.getInt32Ty(), decision, "next.region");
  }

private:
  unsigned oneRegister() const {
    return std::min<unsigned>(unit.lanes, PowerOf2Ceil(kernel.groupSize[dimension]));
  }

  DenseMap<const Value *, Shape> stridedArguments() const {
    return {{argument(GroupSignature(kernel).localId(dimension)), Shape::strided(1)},
            {argument(RegionSignature(kernel).item), Shape::strided(1)}};
  }

  Argument *argument(unsigned number) const { return region.function->getArg(number); }

  Mask firstLanes(unsigned count) {
    SmallVector<Constant *> live;
    for (unsigned lane = 0; lane < width; ++lane)
      live.push_back(builder.getInt1(lane < count));
    return ConstantVector::get(live);
  }

  void emitLoop(ItemRange range, Mask mask) {
    std::array<ItemRange, 3> ranges;
    for (unsigned d : {0u, 1u, 2u})
      ranges[d] = d == dimension ? range : ItemRange{0, kernel.groupSize[d]};
    ItemLoop loop(builder, kernel.groupSize, ranges);
    Lanes lanes(builder, shapes);
    GroupSignature signature(kernel);
    for (unsigned number = 0; number < signature.groupArguments(); ++number)
      lanes.setScalar(argument(number), group.getArg(number));
    for (unsigned d : {0u, 1u, 2u})
      lanes.setScalar(argument(signature.localId(d)), loop.localId(d));
    RegionSignature own(kernel);
    lanes.setScalar(argument(own.item), loop.index());
    lanes.setScalar(argument(own.decision), decision);
    for (auto [index, address] : enumerate(uniformSlots))
      lanes.setScalar(argument(own.uniformSlot(0) + index), address);

    DebugLoc glue = builder.getCurrentDebugLocation();
    ControlEmitter(builder, variables, lanes, shapes,
                   vectorMaths ? oneRegister() * bitsOfElement : 0)
        .emit(region.tree, mask);
    builder.SetCurrentDebugLocation(glue);
    BasicBlock *end = builder.GetInsertBlock();
    PHINode *unused = loop.beginLatch(builder);
    unused->eraseFromParent();
    BranchInst::Create(builder.GetInsertBlock(), end);
    loop.finish(builder);
  }

  const KernelInfo &kernel;
  const Region &region;
  bool vectorMaths;
  unsigned dimension;
  const VectorUnit &unit;
  Function &group;
  ArrayRef<Value *> uniformSlots;
  IRBuilder<> &builder;
  IRBuilder<> &variables;
  unsigned width;
  Shapes shapes;
  AllocaInst *decision = nullptr;
};

Value *VectorRegions::emit(unsigned region, const VectorUnit &unit, Function &group,
                           ArrayRef<Value *> uniformSlots, IRBuilder<> &builder,
                           IRBuilder<> &variables) const {
  return LoopEmitter(kernel, *regions[region], vectorMaths, unit, group, uniformSlots, builder,
                     variables)
      .emit();
}

} // namespace khalc::cpu::simd
