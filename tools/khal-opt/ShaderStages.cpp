//===- ShaderStages.cpp - the shader path, for khal-opt ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Stage.h"

#include "target/shader/Shader.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace khal_opt {

namespace {

using khal::abi::Target;

/// Prints what the shader path's dump calls `stage`, for every kernel.
bool runShader(StageInput &input, llvm::StringRef stage, llvm::raw_ostream &out,
               Target target = Target::spirv) {
  khalc::TargetOptions options;
  options.optimisationLevel = input.optimisationLevel;
  options.floatMode = input.floatMode;
  options.dump = [stage, &out](const std::string &name, const std::string &text) {
    if (llvm::StringRef(name).starts_with(stage))
      out << text;
  };
  return khalc::shader::compile(std::move(input.module), input.file, {{target}}, options,
                                input.diagnostics)
      .has_value();
}

} // namespace

bool shaderOptimisedStage(StageInput &input, llvm::raw_ostream &out) {
  return runShader(input, "shader-optimised-", out);
}

bool shaderLoweredStage(StageInput &input, llvm::raw_ostream &out) {
  return runShader(input, "shader-lowered-", out);
}

bool shaderStructuredStage(StageInput &input, llvm::raw_ostream &out) {
  return runShader(input, "shader-structured-", out);
}

bool spirvStage(StageInput &input, llvm::raw_ostream &out) {
  return runShader(input, "spirv-", out);
}

bool glslStage(StageInput &input, llvm::raw_ostream &out) {
  return runShader(input, "glsl-", out, Target::glsl);
}

bool hlslStage(StageInput &input, llvm::raw_ostream &out) {
  return runShader(input, "hlsl-", out, Target::hlsl);
}

bool mslStage(StageInput &input, llvm::raw_ostream &out) {
  return runShader(input, "msl-", out, Target::msl);
}

bool wgslStage(StageInput &input, llvm::raw_ostream &out) {
  return runShader(input, "wgsl-", out, Target::wgsl);
}

} // namespace khal_opt
