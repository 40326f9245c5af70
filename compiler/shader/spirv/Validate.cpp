//===- Validate.cpp - SPIR-V checked by SPIRV-Tools ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/spirv/Validate.h"

#include <spirv-tools/libspirv.h>

#include <memory>

namespace khalc::spirv {

namespace {

constexpr spv_target_env environment = SPV_ENV_VULKAN_1_1;

using Context = std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)>;

Context makeContext() {
  return Context(spvContextCreate(environment), spvContextDestroy);
}

} // namespace

std::optional<std::string> findFault(const Words &module) {
  Context context = makeContext();
  spv_const_binary_t binary{module.data(), module.size()};
  spv_diagnostic diagnostic = nullptr;
  spv_result_t result = spvValidate(context.get(), &binary, &diagnostic);
  std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> guard(diagnostic,
                                                                           spvDiagnosticDestroy);
  if (result == SPV_SUCCESS)
    return std::nullopt;
  return diagnostic ? std::string(diagnostic->error) : "error " + std::to_string(result);
}

std::string disassemble(const Words &module) {
  Context context = makeContext();
  spv_text text = nullptr;
  spvBinaryToText(context.get(), module.data(), module.size(),
                  SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES,
                  &text, nullptr);
  std::unique_ptr<spv_text_t, decltype(&spvTextDestroy)> guard(text, spvTextDestroy);
  return text ? std::string(text->str, text->length) : std::string();
}

} // namespace khalc::spirv
