//===- PrivateArrays.h - loops over private arrays, unrolled so that the arrays vanish --------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_PRIVATEARRAYS_H
#define KHALC_IR_PRIVATEARRAYS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
}

namespace khalc {

/// What becomes of register tiles: nests of loops over private arrays that only count, such as the inner
/// product of two columns of registers. `Leave` is for targets whose own compiler unrolls such nests and
/// schedules them better than straight-line code (an NVIDIA H200's Vulkan driver by 24 %).
enum class RegisterTiles { Unroll, Leave };

/// What loops of tiles that are left have beside llvm.loop.unroll.disable: nobody asked for that one.
inline constexpr llvm::StringLiteral leftToDriver = "khal.loop.left";

/// Asks for full unrolling of the loops that index a private array by their counter, so that the
/// array becomes registers: an array with run-time indices lives in local memory, a hundred times
/// slower. Only loops with a known, small trip count, whose unrolled nest stays small.
///
///   for (i < 8) acc[i] += a * b[i];     =>   the same with !llvm.loop.unroll.full
///
/// Wants memory promoted to registers where that needs no unrolling.
class UnrollPrivateArrayLoops : public llvm::PassInfoMixin<UnrollPrivateArrayLoops> {
public:
  explicit UnrollPrivateArrayLoops(RegisterTiles tiles) : tiles(tiles) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  RegisterTiles tiles;
};

} // namespace khalc

#endif // KHALC_IR_PRIVATEARRAYS_H
