//===- CheckIntegerPointers.h - pointers that are made from integers --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_CHECKINTEGERPOINTERS_H
#define KHALC_TARGET_SHADER_CHECKINTEGERPOINTERS_H

namespace llvm {
class Function;
}

namespace khalc::diag {
class Engine;
}

namespace khalc::shader {

/// Why a pointer that is made from an integer can't be traced.
inline constexpr char madeOfNumber[] =
    "it is made from an integer; index the buffer or use a pointer instead";

/// Reports each pointer that is made from an integer which no pointer went into:
///
///   inttoptr (load i32, ptr @khal.buffer.0)    error: a buffer holds no pointers
///   inttoptr (or (ptrtoint ptr %p), 1)         fine, and so is what was kept in local memory
///   inttoptr (select %c, i32 0, i32 0)         fine: null
///
/// PointerNumbers would take such a number for one of its own. Called before it makes loads and
/// stores of pointers ones of integers. False after a report.
bool checkIntegerPointers(llvm::Function &function, diag::Engine &diagnostics);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_CHECKINTEGERPOINTERS_H
