//===- IncludeTracker.h - how the kernel file includes its headers ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_INCLUDETRACKER_H
#define KHALC_FRONTEND_INCLUDETRACKER_H

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"

#include <map>
#include <string>

namespace khalc {

/// The `#include` directives of the main file, by line: "<array>", "\"shapes.hpp\"".
using MainIncludes = std::map<unsigned, std::string>;

/// Fills a MainIncludes while Clang preprocesses.
class IncludeTracker : public clang::PPCallbacks {
public:
  IncludeTracker(const clang::SourceManager &sources, MainIncludes &includes)
      : sources(sources), includes(includes) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &, llvm::StringRef name,
                          bool isAngled, clang::CharSourceRange, clang::OptionalFileEntryRef,
                          llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (sources.isInMainFile(hash))
      includes[sources.getSpellingLineNumber(hash)] =
          isAngled ? "<" + name.str() + ">" : "\"" + name.str() + "\"";
  }

private:
  const clang::SourceManager &sources;
  MainIncludes &includes;
};

/// The directive of the main file that brought `location` in, directly or through other headers;
/// for a header given with -include, its name in quotes. Empty for the main file itself.
std::string includeThatBrought(clang::SourceLocation location, const clang::SourceManager &sources,
                               const MainIncludes &includes);

} // namespace khalc

#endif // KHALC_FRONTEND_INCLUDETRACKER_H
