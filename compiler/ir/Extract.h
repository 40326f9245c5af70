//===- Extract.h - one function of a module and what it reaches --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_EXTRACT_H
#define KHALC_IR_EXTRACT_H

#include "llvm/ADT/StringRef.h"

#include <memory>

namespace llvm {
class Module;
}

namespace khalc {

/// A module of its own with the function of that name, which must be there, and all that it reaches
/// through calls and addresses. Its cost follows what is reached, not the module, but for the names
/// of the module's functions and variables.
std::unique_ptr<llvm::Module> extract(const llvm::Module &module, llvm::StringRef function);

/// Drops what the debug information lists without that code refers to it (imported names, types and
/// variables kept for their own sake), which every copy of the module would carry along.
void dropListedDebugInfo(llvm::Module &module);

} // namespace khalc

#endif // KHALC_IR_EXTRACT_H
