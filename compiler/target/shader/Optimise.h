//===- Optimise.h - LLVM's passes as the shader path runs them -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_OPTIMISE_H
#define KHALC_TARGET_SHADER_OPTIMISE_H

namespace llvm {
class Function;
}

namespace khalc::shader {

/// Optimises an entry into which everything is inlined, so that pointers, structs and abstractions
/// are gone wherever they can be. Never duplicates or moves a convergent call across control flow,
/// makes no vectors, no memory intrinsics out of loops and no irreducible control flow.
/// At level 0 only what pointer lowering needs is run.
void optimise(llvm::Function &entry, unsigned level);

/// Makes values of local variables once more, after copies became loads and stores.
void promote(llvm::Function &entry);

/// After pointer lowering: merges equal index arithmetic and drops what is dead. Knows nothing of
/// which resources share memory, so it doesn't touch loads and stores.
void cleanUp(llvm::Function &entry);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_OPTIMISE_H
