//===- StructureFuzz.cpp - random functions and their structured trees must do the same -------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "Generate.h"
#include "Interpret.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace khal::fuzz;
using namespace khalc::shader;

static cl::opt<uint64_t> firstSeed("seed", cl::desc("The first seed"), cl::init(1));
static cl::opt<unsigned> seedCount("count", cl::desc("How many seeds to try"), cl::init(1000));
static cl::opt<bool> printAll("print", cl::desc("Print each function and its tree"));
static cl::opt<bool> printOriginal("original",
                                   cl::desc("Print each function before anything is done"));
static cl::opt<bool> printCounts("counts",
                                 cl::desc("Print how many nodes of each kind there were"));

namespace {

struct Counts {
  unsigned functions = 0, ifs = 0, loops = 0, scopes = 0, flags = 0, finished = 0, runs = 0;

  void add(const Region &region) {
    for (const std::unique_ptr<Node> &node : region) {
      ifs += node->kind == NodeKind::If;
      loops += node->kind == NodeKind::Loop;
      scopes += node->kind == NodeKind::Scope;
      add(node->body);
      add(node->elseBody);
      for (const SwitchCase &choice : node->cases)
        add(choice.body);
    }
  }
};

/// Passes that give a program the shapes it has after optimisation.
void optimise(Module &module, Random &random) {
  static constexpr StringRef pipelines[] = {
      "simplifycfg",
      "simplifycfg,loop-simplify,lcssa,loop(loop-rotate),simplifycfg",
      "jump-threading,simplifycfg,gvn",
      "loop-simplify,lcssa,loop(loop-rotate),jump-threading,simplifycfg,gvn,simplifycfg",
  };
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder passes;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(sccs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, sccs, modules);
  FunctionPassManager manager;
  cantFail(passes.parsePassPipeline(manager, pipelines[random.below(std::size(pipelines))]));
  manager.run(*module.getFunction("f"), functions);
}

/// The trees' difference to the functions in what a run showed, or "".
std::string difference(const Observation &original, const Observation &tree) {
  if (!original.fault.empty())
    return "original: " + original.fault;
  if (!tree.fault.empty())
    return "tree: " + tree.fault;
  if (original.finished && !tree.finished)
    return "the tree doesn't end";
  // At the step limit the two may have got differently far.
  size_t common = std::min(original.events.size(), tree.events.size());
  if (original.finished && original.events.size() != tree.events.size())
    return "one has more events";
  for (size_t index = 0; index < common; ++index)
    if (original.events[index] != tree.events[index])
      return "event " + utostr(index) + " differs";
  return "";
}

bool check(uint64_t seed, Counts &counts) {
  Random random(seed);
  LLVMContext context;
  Shape shape = random.chance(40) ? Shape::Graph : Shape::Program;
  std::unique_ptr<Module> original = generate(context, shape, random);
  if (random.chance(60))
    optimise(*original, random);
  std::unique_ptr<Module> changed = CloneModule(*original);
  Function &before = *original->getFunction("f");
  Function &after = *changed->getFunction("f");
  if (printOriginal)
    outs() << *original;
  StructuredFunction tree = structure(after);

  ++counts.functions;
  counts.flags += tree.flagCount;
  counts.add(tree.body);
  auto report = [&](const std::string &message) {
    errs() << "seed " << seed << ": " << message << '\n' << before << after << toString(tree);
    return false;
  };
  if (printAll)
    report("function and tree");
  if (verifyFunction(after, &errs()))
    return report("the function is broken");
  for (unsigned inputs = 0; inputs < 6; ++inputs) {
    Observation expected = run(before, seed * 8 + inputs, {400, 1000});
    Observation actual = run(tree, seed * 8 + inputs, {40000, 1000});
    ++counts.runs;
    counts.finished += expected.finished;
    if (std::string fault = difference(expected, actual); !fault.empty())
      return report(fault);
  }
  return true;
}

void reportSeed(void *seed, const char *reason, bool) {
  errs() << "seed " << *static_cast<uint64_t *>(seed) << ": " << reason << '\n';
}

} // namespace

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv);
  uint64_t seed = firstSeed;
  install_fatal_error_handler(reportSeed, &seed);
  Counts counts;
  unsigned failures = 0;
  for (; seed < firstSeed + seedCount && failures < 3; ++seed)
    failures += !check(seed, counts);
  if (printCounts)
    outs() << counts.functions << " functions: " << counts.ifs << " ifs, " << counts.loops
           << " loops, " << counts.scopes << " scopes, " << counts.flags << " flags; "
           << counts.finished << " of " << counts.runs << " runs finished\n";
  return failures != 0;
}
