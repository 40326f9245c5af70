//===- Builtins.h - names of the device builtins in IR -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_BUILTINS_H
#define KHALC_IR_BUILTINS_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace khalc {

enum class Builtin {
#define KHAL_BUILTIN(id, symbol, kind) id,
#include "ir/Builtins.def"
};

/// The builtin that a function's name stands for, if any.
std::optional<Builtin> builtinFor(const llvm::Function &function);
/// The builtin that a call calls, if any.
std::optional<Builtin> builtinCalled(const llvm::CallBase &call);

/// True for what gives a result that hangs on which work-items are there: kind Subgroup.
bool isSubgroupOperation(Builtin builtin);

/// True for a [[khal::shared]] variable.
bool isSharedVariable(const llvm::GlobalVariable &variable);
/// Makes a variable one.
void markAsShared(llvm::GlobalVariable &variable);

/// Gives the declarations of builtins the attributes that their kind promises, so that the
/// optimiser may move, merge and drop calls to the pure ones and none of the convergent ones.
void annotateBuiltins(llvm::Module &module);

} // namespace khalc

#endif // KHALC_IR_BUILTINS_H
