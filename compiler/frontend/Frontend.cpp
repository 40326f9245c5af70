//===- Frontend.cpp - from a C++ kernel file to kernels and LLVM IR ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/Frontend.h"

#include "check/Check.h"
#include "diag/Diagnostics.h"
#include "frontend/AtomicScopes.h"
#include "frontend/Attributes.h"
#include "frontend/Body.h"
#include "frontend/HostTypes.h"
#include "frontend/Invocation.h"
#include "frontend/Kernels.h"
#include "frontend/ModuleCleanup.h"
#include "frontend/Toolchain.h"
#include "kernel/DebuggerNames.h"

#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"

using namespace clang;

namespace khalc {

namespace {

/// What all parses of one file share.
struct Job {
  const FrontendOptions &options;
  llvm::LLVMContext &llvmContext;
  diag::Engine &diagnostics;
  FrontendResult &result;

  bool wantsModule(DeviceAbi abi) const { return llvm::is_contained(options.abis, abi); }
};

/// Waits for the whole file, then goes from its AST to kernels and to a module.
class KernelConsumer : public SemaConsumer {
public:
  KernelConsumer(Job &job, DeviceAbi abi, CompilerInstance &compiler)
      : job(job), abi(abi), compiler(compiler) {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<IncludeTracker>(compiler.getSourceManager(), includes));
  }

  void InitializeSema(Sema &forParse) override { sema = &forParse; }
  void ForgetSema() override { sema = nullptr; }

  void HandleTranslationUnit(ASTContext &context) override {
    if (hasErrors())
      return;
    const auto complete = [this](QualType type, SourceLocation location) {
      return sema->isCompleteType(location, type);
    };
    HostTypes types(context, complete, includes, job.options.khalIncludeDir, job.diagnostics);
    const std::vector<const FunctionDecl *> kernels = findKernels(context, types);
    if (!describe(kernels, types) || !job.wantsModule(abi))
      return;
    std::vector<const FunctionDecl *> roots = kernels;
    if (const FunctionDecl *calls = debuggerCalls(context))
      roots.push_back(calls);
    const check::Reached reached = check::walkKernels(context, roots, job.diagnostics);
    if (!hasErrors())
      generate(context, kernels, reached);
  }

  /// Asked where no code is made of this parse, and not about constexpr functions or ones whose type
  /// is deduced. Clang gives no warnings about headers of the system, of which khal's are, and what
  /// is wrong with a use of their templates the device's own parse finds.
  bool shouldSkipFunctionBody(Decl *function) override {
    return compiler.getSourceManager().isInSystemHeader(function->getLocation());
  }

private:
  bool hasErrors() const { return compiler.getDiagnostics().hasErrorOccurred(); }

  bool describe(llvm::ArrayRef<const FunctionDecl *> kernels, HostTypes &types) {
    std::vector<KernelInfo> infos(kernels.size());
    for (size_t i = 0; i < kernels.size(); ++i)
      describeKernel(*kernels[i], abi, types, infos[i]);
    if (hasErrors())
      return false;
    KernelFile &file = job.result.file;
    if (abi != DeviceAbi::Host)
      return mergeDeviceView(file, infos, kernels, abi, types);
    if (infos.empty()) {
      const SourceManager &sources = compiler.getSourceManager();
      job.diagnostics.report(diag::Id::no_kernel,
                             sources.getLocForStartOfFile(sources.getMainFileID()),
                             {job.options.input});
      return false;
    }
    makeSymbolsUnique(infos);
    file.kernels = std::move(infos);
    file.enums = types.takeEnums();
    file.structs = types.takeStructs();
    return true;
  }

  /// With -g -O0 khal's header has it, to be there for a debugger.
  static const FunctionDecl *debuggerCalls(ASTContext &context) {
    const auto found =
        context.getTranslationUnitDecl()->lookup(&context.Idents.get(debuggerCallsFunction));
    return found.empty() ? nullptr : dyn_cast<FunctionDecl>(found.front());
  }

  void generate(ASTContext &context, llvm::ArrayRef<const FunctionDecl *> kernels,
                const check::Reached &reached) {
    std::vector<FunctionDecl *> bodies;
    for (size_t i = 0; i < kernels.size(); ++i)
      bodies.push_back(makeBody(*sema, *kernels[i], job.result.file.kernels[i].bodyFunction));
    sema->PerformPendingInstantiations();
    if (hasErrors())
      return;

    // Only what kernels reach is shown to the code generator: host code in the same file costs
    // nothing, and can't fail for a device's ABI.
    const std::unique_ptr<CodeGenerator> generator =
        CreateLLVMCodeGen(compiler, llvm::sys::path::filename(job.options.input), job.llvmContext);
    generator->Initialize(context);
    const auto show = [&](const Decl *declaration) {
      generator->HandleTopLevelDecl(DeclGroupRef(const_cast<Decl *>(declaration)));
    };
    llvm::for_each(reached.constants, show);
    llvm::for_each(reached.functions, show);
    llvm::for_each(bodies, show);
    if (const FunctionDecl *calls = debuggerCalls(context))
      show(calls);
    const AtomicScopes scopes(reached.atomics, context, *generator);
    generator->HandleTranslationUnit(context);
    std::unique_ptr<llvm::Module> module(generator->ReleaseModule());
    if (!module) {
      if (!hasErrors())
        job.diagnostics.report(diag::Id::codegen_failed, {targetNameOf(abi)});
      return;
    }
    scopes.apply(*module);
    cleanUpModule(*module, job.result.file);
    job.result.modules[static_cast<size_t>(abi)] = std::move(module);
  }

  Job &job;
  const DeviceAbi abi;
  CompilerInstance &compiler;
  Sema *sema = nullptr;
  MainIncludes includes;
};

/// Host code in a kernel file, and the host's headers, may use what a device hasn't. In a kernel the
/// check says so, with the chain of calls.
struct HostOnlyFeatures : TargetInfo {
  static void allow(TargetInfo &target) {
    for (bool TargetInfo::*feature :
         {&HostOnlyFeatures::TLSSupported, &HostOnlyFeatures::VLASupported,
          &HostOnlyFeatures::HasFloat128})
      target.*feature = true;
  }
};

class KernelAction : public ASTFrontendAction {
public:
  KernelAction(Job &job, DeviceAbi abi) : job(job), abi(abi) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    HostOnlyFeatures::allow(compiler.getTarget());
    return std::make_unique<KernelConsumer>(job, abi, compiler);
  }

private:
  Job &job;
  const DeviceAbi abi;
};

/// Every file, system headers too: a build system wants to know when the compiler's input changed.
class AllDependencies : public DependencyCollector {
public:
  bool needSystemDependencies() override { return true; }
};

/// Parses the file for one ABI. False after an error.
bool parseFor(DeviceAbi abi, Job &job, const SystemHeaders &headers) {
  FrontendOptions options = job.options;
  if (abi != DeviceAbi::Host)
    options.clangArgs.push_back("-w"); // the host's parse gives the warnings

  CompilerInstance compiler;
  compiler.createVirtualFileSystem();
  // The invocation's own faults need an engine before the options for one are known.
  clang::DiagnosticOptions early;
  early.ShowColors = job.diagnostics.colour();
  clang::TextDiagnosticPrinter printer(job.diagnostics.out(), early);
  const IntrusiveRefCntPtr<DiagnosticsEngine> earlyEngine =
      CompilerInstance::createDiagnostics(compiler.getVirtualFileSystem(), early, &printer,
                                          /*ShouldOwnClient=*/false);
  if (!setUpInvocation(compiler.getInvocation(), options, headers, abi, job.diagnostics.colour(),
                       *earlyEngine)) {
    job.diagnostics.report(diag::Id::clang_options, {targetNameOf(abi)});
    return false;
  }

  compiler.createDiagnostics(
      new clang::TextDiagnosticPrinter(job.diagnostics.out(), compiler.getDiagnosticOpts()));
  compiler.setVerboseOutputStream(job.diagnostics.out());
  // Where headers are the host's, its builtin functions must parse: `_mm_pause` in <atomic>.
  clang::TargetOptions hostTarget;
  hostTarget.Triple = llvm::sys::getDefaultTargetTriple();
  if (abi != DeviceAbi::Host)
    compiler.setAuxTarget(TargetInfo::CreateTargetInfo(compiler.getDiagnostics(), hostTarget));
  const auto dependencies = std::make_shared<AllDependencies>();
  compiler.addDependencyCollector(dependencies);

  job.diagnostics.attach(&compiler.getDiagnostics());
  compiler.getFrontendOpts().SkipFunctionBodies = !job.wantsModule(abi);
  KernelAction action(job, abi);
  const bool ran = compiler.ExecuteAction(action);
  const bool failed = !ran || compiler.getDiagnostics().hasErrorOccurred();
  job.diagnostics.attach(nullptr);
  if (failed && abi != DeviceAbi::Host)
    job.diagnostics.report(diag::Id::device_parse, {targetNameOf(abi)});

  for (const std::string &file : dependencies->getDependencies())
    if (!llvm::is_contained(job.result.dependencies, file))
      job.result.dependencies.push_back(file);
  return !failed && !job.diagnostics.hasErrors();
}

bool checkFolders(const FrontendOptions &options, diag::Engine &diagnostics) {
  const auto has = [](const std::string &folder, const char *file) {
    return llvm::sys::fs::exists(folder + "/" + file);
  };
  if (!has(options.khalIncludeDir, "khal/kernel.hpp"))
    diagnostics.report(diag::Id::khal_headers_missing, {options.khalIncludeDir});
  if (!has(options.clangResourceDir, "include/stddef.h"))
    diagnostics.report(diag::Id::clang_headers_missing, {options.clangResourceDir + "/include"});
  return !diagnostics.hasErrors();
}

} // namespace

std::optional<FrontendResult> runFrontend(const FrontendOptions &options,
                                          llvm::LLVMContext &context, diag::Engine &diagnostics) {
  registerAttributes();
  if (!checkFolders(options, diagnostics))
    return std::nullopt;
  const std::optional<SystemHeaders> headers = findSystemHeaders("/", diagnostics);
  if (!headers)
    return std::nullopt;

  FrontendResult result;
  result.file.path = options.input;
  Job job{options, context, diagnostics, result};
  if (!parseFor(DeviceAbi::Host, job, *headers))
    return std::nullopt;
  for (const DeviceAbi abi : {DeviceAbi::Nvptx, DeviceAbi::Shader})
    if (job.wantsModule(abi) && !parseFor(abi, job, *headers))
      return std::nullopt;
  return result;
}

} // namespace khalc
