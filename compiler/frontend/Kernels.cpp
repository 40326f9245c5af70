//===- Kernels.cpp - the kernels of a parsed file ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/Kernels.h"

#include "frontend/Attributes.h"
#include "frontend/HostTypes.h"
#include "frontend/Invocation.h"
#include "frontend/Parameters.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MD5.h"

using namespace clang;

namespace khalc {

namespace {

/// Walks namespaces and classes, but no system header: the standard library has no kernels.
class KernelFinder {
public:
  KernelFinder(ASTContext &context, diag::Engine &diagnostics)
      : sources(context.getSourceManager()), diagnostics(diagnostics) {}

  void walk(const DeclContext &scope) {
    for (const Decl *declaration : scope.decls())
      visit(*declaration);
  }

  std::vector<const FunctionDecl *> take() {
    llvm::stable_sort(found, [&](const FunctionDecl *a, const FunctionDecl *b) {
      return sources.isBeforeInTranslationUnit(orderOf(*a), orderOf(*b));
    });
    return std::move(found);
  }

private:
  void visit(const Decl &declaration) {
    if (sources.isInSystemHeader(declaration.getLocation()))
      return;
    if (const auto *function = dyn_cast<FunctionDecl>(&declaration)) {
      visitFunction(*function);
    } else if (const auto *functions = dyn_cast<FunctionTemplateDecl>(&declaration)) {
      if (functions->isThisDeclarationADefinition() || !functions->getPreviousDecl())
        for (const FunctionDecl *special : functions->specializations())
          visitFunction(*special);
    } else if (const auto *classes = dyn_cast<ClassTemplateDecl>(&declaration)) {
      if (classes->isCanonicalDecl())
        for (const ClassTemplateSpecializationDecl *special : classes->specializations())
          walk(*special); // what was instantiated only by use isn't asked for
    } else if (const auto *record = dyn_cast<CXXRecordDecl>(&declaration)) {
      if (record->isThisDeclarationADefinition() && !record->isDependentContext() &&
          !isa<ClassTemplateSpecializationDecl>(record))
        walk(*record);
    } else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(declaration)) {
      walk(*cast<DeclContext>(&declaration));
    }
  }

  void visitFunction(const FunctionDecl &declaration) {
    const FunctionDecl *definition = nullptr;
    const AnnotateAttr *mayAlias = mayAliasAttribute(declaration);
    if (!kernelAttribute(declaration)) {
      if (mayAlias)
        diagnostics.report(diag::Id::may_alias_without_kernel, mayAlias->getLocation());
      return;
    }
    if (declaration.isDependentContext() || !declaration.isDefined(definition) ||
        definition->isDeleted())
      return;
    const TemplateSpecializationKind kind = definition->getTemplateSpecializationKind();
    const bool isUsedOnly =
        kind == TSK_ImplicitInstantiation || kind == TSK_ExplicitInstantiationDeclaration;
    if (!isUsedOnly && seen.insert(definition).second)
      found.push_back(definition);
  }

  static SourceLocation orderOf(const FunctionDecl &function) {
    const SourceLocation instantiation = function.getPointOfInstantiation();
    return instantiation.isValid() ? instantiation : function.getLocation();
  }

  const SourceManager &sources;
  diag::Engine &diagnostics;
  std::vector<const FunctionDecl *> found;
  llvm::SmallPtrSet<const FunctionDecl *, 16> seen;
};

SourcePosition positionOf(SourceLocation location, const SourceManager &sources) {
  const PresumedLoc position = sources.getPresumedLoc(location);
  if (position.isInvalid())
    return {};
  return {position.getFilename(), position.getLine(), position.getColumn()};
}

std::string displayNameOf(const FunctionDecl &function, const ASTContext &context) {
  PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  policy.AnonymousTagLocations = false; // the same on every machine
  std::string name;
  llvm::raw_string_ostream out(name);
  function.getNameForDiagnostic(out, policy, /*Qualified=*/true);
  return name;
}

/// A C identifier, the same on every machine. Kernels that other files can't see have the file's
/// text in their symbol, since the objects of two files meet in one program.
std::string symbolOf(const FunctionDecl &function, ASTContext &context) {
  const std::unique_ptr<MangleContext> mangler(context.createMangleContext());
  std::string mangled;
  llvm::raw_string_ostream out(mangled);
  if (mangler->shouldMangleDeclName(&function))
    mangler->mangleName(GlobalDecl(&function), out);
  else
    out << "_C" << function.getName();
  std::string symbol = "khal";
  for (const char c : mangled)
    symbol += llvm::isAlnum(c) ? c : '_';
  if (!function.isExternallyVisible()) {
    const SourceManager &sources = context.getSourceManager();
    llvm::MD5 hash;
    hash.update(sources.getBufferData(sources.getMainFileID()));
    llvm::MD5::MD5Result digest;
    hash.final(digest);
    symbol += "_" + std::string(digest.digest().substr(0, 16));
  }
  return symbol;
}

std::string bodyNameOf(StringRef symbol) {
  return (bodyPrefix + symbol.substr(4)).str();
}

bool sameShape(const Parameter &a, const Parameter &b) {
  return a.form == b.form && a.readOnly == b.readOnly && a.elementSize == b.elementSize &&
         a.leaves.size() == b.leaves.size() &&
         std::equal(a.leaves.begin(), a.leaves.end(), b.leaves.begin(),
                    [](const Leaf &x, const Leaf &y) {
                      return x.kind == y.kind && x.index == y.index && x.size == y.size;
                    });
}

/// Compared once all shapes are the same: one parameter's size moves all that follow it.
bool samePlaces(const Parameter &a, const Parameter &b) {
  return std::equal(a.leaves.begin(), a.leaves.end(), b.leaves.begin(),
                    [](const Leaf &x, const Leaf &y) { return x.blockOffset == y.blockOffset; });
}

bool sameMember(const StructInfo::Member &a, const StructInfo::Member &b) {
  return a.name == b.name && a.typeSpelling == b.typeSpelling && a.arrayExtents == b.arrayExtents &&
         a.offset == b.offset && a.bits == b.bits;
}

bool sameLayout(const StructInfo &a, const StructInfo &b) {
  return a.size == b.size && a.alignment == b.alignment &&
         std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                    sameMember);
}

const StructInfo *findStruct(ArrayRef<StructInfo> structs, StringRef qualifiedName) {
  const auto *found = llvm::find_if(
      structs, [&](const StructInfo &info) { return info.qualifiedName == qualifiedName; });
  return found == structs.end() ? nullptr : found;
}

/// Whether both ABIs have the same bytes in a type of the host's spelling. std::size_t differs, in
/// a struct that has the same size all the same.
bool sameStructs(StringRef type, ArrayRef<StructInfo> host, ArrayRef<StructInfo> device) {
  const StructInfo *info = findStruct(host, type);
  if (!info)
    return true; // a scalar, or what sameShape() has compared
  if (!info->holdsPointers) {
    const StructInfo *seen = findStruct(device, type);
    if (!seen || !sameLayout(*info, *seen))
      return false;
  }
  return llvm::all_of(info->members, [&](const StructInfo::Member &member) {
    return sameStructs(member.typeSpelling, host, device);
  });
}

/// What only the device's ABI knows of the parameters' objects.
void takeObjectLayout(KernelInfo &kernel, const KernelInfo &device, size_t abi) {
  for (size_t p = 0; p < kernel.parameters.size(); ++p) {
    Parameter &parameter = kernel.parameters[p];
    const Parameter &seen = device.parameters[p];
    parameter.objectSize[abi] = seen.objectSize[abi];
    parameter.objectAlignment[abi] = seen.objectAlignment[abi];
    for (size_t l = 0; l < parameter.leaves.size(); ++l)
      parameter.leaves[l].objectOffset[abi] = seen.leaves[l].objectOffset[abi];
  }
}

bool sameKernel(const KernelInfo &a, const KernelInfo &b) {
  return a.name == b.name && a.position.line == b.position.line &&
         a.position.column == b.position.column && a.groupSize == b.groupSize &&
         a.mayAlias == b.mayAlias && a.parameters.size() == b.parameters.size();
}

/// Spells the arguments of one template behind those before; false after an error.
bool addTemplateArguments(const TemplateParameterList &parameters,
                          const TemplateArgumentList &arguments, const FunctionDecl &function,
                          HostTypes &types, KernelInfo &kernel) {
  for (unsigned i = 0; i < arguments.size(); ++i) {
    // A pack takes all that are left.
    const NamedDecl *parameter = parameters.getParam(std::min(i, parameters.size() - 1));
    const TypeUse use{parameter->getNameAsString(), kernel.displayName, function.getLocation()};
    const auto spelling = types.spellArgument(arguments.get(i), use);
    if (!spelling)
      return false;
    if (!spelling->empty())
      kernel.templateArguments += (kernel.templateArguments.empty() ? "" : ", ") + *spelling;
  }
  return true;
}

/// Those of the classes that the kernel is a member of come first: on the host the kernel is a
/// function template alone.
bool describeTemplateArguments(const FunctionDecl &function, HostTypes &types, KernelInfo &kernel) {
  SmallVector<const ClassTemplateSpecializationDecl *, 2> classes;
  for (const DeclContext *scope = function.getDeclContext(); scope; scope = scope->getParent())
    if (const auto *special = dyn_cast<ClassTemplateSpecializationDecl>(scope))
      classes.push_back(special);
  for (const ClassTemplateSpecializationDecl *special : llvm::reverse(classes))
    if (!addTemplateArguments(*special->getSpecializedTemplate()->getTemplateParameters(),
                              special->getTemplateArgs(), function, types, kernel))
      return false;
  const TemplateArgumentList *own = function.getTemplateSpecializationArgs();
  if (own && !addTemplateArguments(*function.getPrimaryTemplate()->getTemplateParameters(), *own,
                                   function, types, kernel))
    return false;
  if (own || !classes.empty())
    kernel.templateArguments = "<" + kernel.templateArguments + ">";
  return true;
}

} // namespace

std::vector<const FunctionDecl *> findKernels(ASTContext &context, HostTypes &types) {
  KernelFinder finder(context, types.diagnostics);
  finder.walk(*context.getTranslationUnitDecl());
  return finder.take();
}

bool describeKernel(const FunctionDecl &function, DeviceAbi abi, HostTypes &types,
                    KernelInfo &kernel) {
  ASTContext &context = types.context;
  kernel.name = function.getNameAsString();
  kernel.displayName = displayNameOf(function, context);
  kernel.position = positionOf(function.getLocation(), context.getSourceManager());
  kernel.mayAlias = mayAliasAttribute(function) != nullptr;
  for (const DeclContext *scope = function.getDeclContext(); scope; scope = scope->getParent())
    if (const auto *named = dyn_cast<NamedDecl>(scope); named && named->getIdentifier())
      kernel.namespaces.insert(kernel.namespaces.begin(), named->getNameAsString());
  if (!function.getReturnType()->isVoidType()) {
    types.diagnostics.report(
        diag::Id::kernel_returns, function.getLocation(),
        {kernel.name, function.getReturnType().getAsString(context.getPrintingPolicy())});
    return false;
  }
  const auto groupSize = groupSizeOf(function, context, types.diagnostics);
  if (!groupSize)
    return false;
  kernel.groupSize = *groupSize;
  if (!describeTemplateArguments(function, types, kernel))
    return false;
  if (!flattenParameters(function, abi, types, kernel))
    return false;
  if (abi == DeviceAbi::Host) {
    kernel.symbol = symbolOf(function, context);
    kernel.bodyFunction = bodyNameOf(kernel.symbol);
  }
  return true;
}

void makeSymbolsUnique(std::vector<KernelInfo> &kernels) {
  llvm::StringMap<unsigned> seen;
  for (KernelInfo &kernel : kernels)
    if (const unsigned number = seen[kernel.symbol]++) {
      kernel.symbol += "_" + std::to_string(number + 1);
      kernel.bodyFunction = bodyNameOf(kernel.symbol);
    }
}

bool mergeDeviceView(KernelFile &host, const std::vector<KernelInfo> &device,
                     ArrayRef<const FunctionDecl *> functions, DeviceAbi abi, HostTypes &types) {
  const size_t index = static_cast<size_t>(abi);
  const std::string target = targetNameOf(abi);
  const std::vector<StructInfo> structs = types.takeStructs();
  if (host.kernels.size() != device.size()) {
    const auto &longer = host.kernels.size() > device.size() ? host.kernels : device;
    const size_t first = std::mismatch(host.kernels.begin(), host.kernels.end(), device.begin(),
                                       device.end(), sameKernel)
                             .first -
                         host.kernels.begin();
    const KernelInfo &kernel = longer[std::min(first, longer.size() - 1)];
    types.diagnostics.report(diag::Id::kernel_differs, kernel.position,
                             {kernel.displayName, target});
    return false;
  }
  bool same = true;
  for (size_t k = 0; k < device.size(); ++k) {
    KernelInfo &kernel = host.kernels[k];
    if (!sameKernel(kernel, device[k])) {
      types.diagnostics.report(diag::Id::kernel_differs, functions[k]->getLocation(),
                               {kernel.displayName, target});
      same = false;
      continue;
    }
    const auto sameTypes = [&](const Parameter &parameter, const Parameter &) {
      return sameStructs(parameter.hostType, host.structs, structs) &&
             llvm::all_of(parameter.leaves, [&](const Leaf &leaf) {
               return leaf.kind != Leaf::Kind::BufferPointer ||
                      sameStructs(kernel.buffers[leaf.index].elementType, host.structs, structs);
             });
    };
    using Comparison = llvm::function_ref<bool(const Parameter &, const Parameter &)>;
    for (const Comparison isSame :
         {Comparison(sameShape), Comparison(samePlaces), Comparison(sameTypes)}) {
      for (size_t p = 0; p < kernel.parameters.size() && same; ++p) {
        if (isSame(kernel.parameters[p], device[k].parameters[p]))
          continue;
        types.diagnostics.report(diag::Id::parameter_layout_differs,
                                 functions[k]->getParamDecl(p)->getLocation(),
                                 {kernel.parameters[p].name, kernel.displayName, target});
        same = false;
      }
    }
    if (same)
      takeObjectLayout(kernel, device[k], index);
  }
  return same;
}

} // namespace khalc
