//===- Check.cpp - what kernels reach, and whether they may -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "check/Check.h"

#include "check/FunctionWalk.h"
#include "diag/Diagnostics.h"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace khalc::check {

namespace {

/// A function in breadth-first order from the kernels; `caller` is an index into the same order,
/// so following it gives a shortest chain of calls.
struct Visited {
  const FunctionDecl *definition;
  size_t caller;
  SourceLocation call;
  FunctionFacts facts;
};
constexpr size_t noCaller = ~size_t(0);

class Walk {
public:
  Walk(ASTContext &context, diag::Engine &diagnostics)
      : context(context), diagnostics(diagnostics) {}

  Reached run(ArrayRef<const FunctionDecl *> kernels) {
    for (const FunctionDecl *kernel : kernels)
      visit(kernel, noCaller, SourceLocation());
    for (size_t i = 0; i < order.size(); ++i) {
      FunctionFacts facts = walkFunction(context, *order[i].definition);
      for (const Edge &edge : facts.edges)
        visit(edge.callee, i, edge.location);
      for (const VarDecl *constant : facts.constants)
        visitConstant(constant, i);
      order[i].facts = std::move(facts);
    }
    markPortable(kernels);
    reportFaults();
    reportRecursion();
    for (const Visited &function : order) {
      reached.functions.push_back(function.definition);
      for (const AtomicExpr *atomic : function.facts.atomics)
        reached.atomics.push_back({function.definition, atomic});
    }
    return std::move(reached);
  }

private:
  void visit(const FunctionDecl *definition, size_t caller, SourceLocation call) {
    definition = definition->getDefinition();
    if (index.try_emplace(definition, order.size()).second)
      order.push_back({definition, caller, call, {}});
  }

  void visitConstant(const VarDecl *variable, size_t user);
  void visitAddresses(const APValue &value, size_t user);
  void markPortable(ArrayRef<const FunctionDecl *> kernels);
  void reportFaults();
  void reportRecursion();
  std::vector<diag::AstCallSite> chainTo(size_t function) const;

  /// The standard library recurses where the sizes at hand may never need it (std::sort of a short
  /// array): whether it does is only known once the optimiser has seen the calls.
  bool isLibraryCode(SourceLocation location) const {
    return context.getSourceManager().isInSystemHeader(location);
  }

  std::string nameOf(const FunctionDecl &function) const {
    std::string name;
    llvm::raw_string_ostream out(name);
    function.getNameForDiagnostic(out, context.getPrintingPolicy(), /*Qualified=*/true);
    return name;
  }

  ASTContext &context;
  diag::Engine &diagnostics;
  std::vector<Visited> order;
  llvm::DenseMap<const FunctionDecl *, size_t> index;
  llvm::SmallPtrSet<const VarDecl *, 16> seenConstants;
  /// Functions reached outside of branches for one target.
  std::vector<bool> isPortable;
  Reached reached;
};

void Walk::visitConstant(const VarDecl *variable, size_t user) {
  if (!seenConstants.insert(variable).second)
    return;
  reached.constants.push_back(variable);
  // A table of numbers holds no addresses; it may be large.
  if (context.getBaseElementType(variable->getType())->isArithmeticType())
    return;
  if (const APValue *value = variable->evaluateValue())
    visitAddresses(*value, user);
}

/// Functions and variables whose addresses a constant holds are reached through it.
void Walk::visitAddresses(const APValue &root, size_t user) {
  llvm::SmallVector<const APValue *, 16> work{&root};
  while (!work.empty()) {
    const APValue &value = *work.pop_back_val();
    switch (value.getKind()) {
    case APValue::LValue: {
      const auto *base = value.getLValueBase().dyn_cast<const ValueDecl *>();
      if (const auto *function = dyn_cast_or_null<FunctionDecl>(base)) {
        if (function->isDefined())
          visit(function, user, order[user].definition->getLocation());
      } else if (const auto *variable = dyn_cast_or_null<VarDecl>(base)) {
        if (variable->hasConstantInitialization())
          visitConstant(variable, user);
      }
      break;
    }
    case APValue::Array:
      for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
        work.push_back(&value.getArrayInitializedElt(i));
      if (value.hasArrayFiller())
        work.push_back(&value.getArrayFiller());
      break;
    case APValue::Struct:
      for (unsigned i = 0; i < value.getStructNumBases(); ++i)
        work.push_back(&value.getStructBase(i));
      for (unsigned i = 0; i < value.getStructNumFields(); ++i)
        work.push_back(&value.getStructField(i));
      break;
    case APValue::Union:
      work.push_back(&value.getUnionValue());
      break;
    default:
      break;
    }
  }
}

void Walk::markPortable(ArrayRef<const FunctionDecl *> kernels) {
  isPortable.assign(order.size(), false);
  llvm::SmallVector<size_t, 32> work;
  const auto mark = [&](const FunctionDecl *function) {
    const size_t i = index.lookup(function->getDefinition());
    if (!isPortable[i])
      work.push_back(i);
    isPortable[i] = true;
  };
  for (const FunctionDecl *kernel : kernels)
    mark(kernel);
  while (!work.empty())
    for (const Edge &edge : order[work.pop_back_val()].facts.edges)
      if (!edge.oneTargetOnly)
        mark(edge.callee);
}

std::vector<diag::AstCallSite> Walk::chainTo(size_t function) const {
  std::vector<diag::AstCallSite> chain;
  for (size_t i = function; order[i].caller != noCaller; i = order[i].caller)
    chain.push_back({order[i].call, nameOf(*order[order[i].caller].definition)});
  return chain;
}

void Walk::reportFaults() {
  for (size_t i = 0; i < order.size(); ++i)
    for (const Fault &fault : order[i].facts.faults) {
      const bool isForOneTarget = fault.oneTargetOnly || !isPortable[i];
      if (fault.id == diag::Id::inline_assembly && isForOneTarget)
        continue;
      diagnostics.report(fault.id, fault.location, fault.arguments, chainTo(i));
    }
}

/// Depth-first over the call graph, without recursion of our own: an edge to a function that is
/// still being walked closes a cycle.
void Walk::reportRecursion() {
  enum class State : char { New, Open, Done };
  std::vector<State> state(order.size(), State::New);
  struct Frame {
    size_t function;
    size_t nextEdge;
  };
  for (size_t root = 0; root < order.size(); ++root) {
    if (state[root] != State::New)
      continue;
    llvm::SmallVector<Frame, 32> stack{{root, 0}};
    state[root] = State::Open;
    while (!stack.empty()) {
      Frame &frame = stack.back();
      const std::vector<Edge> &edges = order[frame.function].facts.edges;
      if (frame.nextEdge == edges.size()) {
        state[frame.function] = State::Done;
        stack.pop_back();
        continue;
      }
      const Edge &edge = edges[frame.nextEdge++];
      const size_t callee = index.lookup(edge.callee->getDefinition());
      if (state[callee] == State::Open && !isLibraryCode(edge.location))
        diagnostics.report(diag::Id::recursive_call, edge.location,
                           {nameOf(*order[callee].definition)}, chainTo(frame.function));
      if (state[callee] != State::New)
        continue;
      state[callee] = State::Open;
      stack.push_back({callee, 0});
    }
  }
}

} // namespace

Reached walkKernels(ASTContext &context, ArrayRef<const FunctionDecl *> kernels,
                    diag::Engine &diagnostics) {
  return Walk(context, diagnostics).run(kernels);
}

} // namespace khalc::check
