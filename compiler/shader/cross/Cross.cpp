//===- Cross.cpp - shading languages from SPIR-V by SPIRV-Cross -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with exceptions: SPIRV-Cross throws. None leaves this file.
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/cross/Cross.h"

#include "shader/cross/Names.h"

#include <spirv_cross/spirv_glsl.hpp>
#include <spirv_cross/spirv_hlsl.hpp>
#include <spirv_cross/spirv_msl.hpp>

#include <algorithm>

namespace khalc::cross {

namespace {

using khal::abi::Target;

constexpr unsigned hlslRegisterOfBlock = 0;

std::string cleansedEntry(const spirv_cross::Compiler &compiler, const KernelInfo &kernel) {
  return compiler.get_cleansed_entry_point_name(kernel.name, spv::ExecutionModelGLCompute);
}

bool declares(const spirv_cross::Compiler &compiler, spv::Capability wanted) {
  const auto &declared = compiler.get_declared_capabilities();
  return std::find(declared.begin(), declared.end(), wanted) != declared.end();
}

/// GLSL for OpenGL whose subgroup operations are those of GL_KHR_shader_subgroup, which OpenGL has
/// too. SPIRV-Cross writes these for Vulkan alone; for OpenGL it looks for older extensions.
class GlslCompiler : public spirv_cross::CompilerGLSL {
public:
  using CompilerGLSL::CompilerGLSL;

private:
  void emit_subgroup_op(const spirv_cross::Instruction &instruction) override {
    options.vulkan_semantics = true;
    CompilerGLSL::emit_subgroup_op(instruction);
    options.vulkan_semantics = false;
  }
  std::string builtin_to_glsl(spv::BuiltIn builtin, spv::StorageClass storage) override {
    const bool isSubgroups =
        builtin == spv::BuiltInSubgroupSize || builtin == spv::BuiltInSubgroupLocalInvocationId ||
        builtin == spv::BuiltInSubgroupId || builtin == spv::BuiltInNumSubgroups;
    options.vulkan_semantics = isSubgroups;
    std::string text = CompilerGLSL::builtin_to_glsl(builtin, storage);
    options.vulkan_semantics = false;
    return text;
  }
};

Text writeGlsl(const std::vector<uint32_t> &words) {
  GlslCompiler compiler(words);
  if (declares(compiler, spv::CapabilityGroupNonUniform)) {
    compiler.require_extension("GL_KHR_shader_subgroup_basic");
    if (declares(compiler, spv::CapabilityInt64))
      compiler.require_extension("GL_EXT_shader_subgroup_extended_types_int64");
  }
  spirv_cross::CompilerGLSL::Options options;
  options.version = 450;
  compiler.set_common_options(options);
  avoidReserved(compiler);
  return {compiler.compile(), "main", "450"};
}

Text writeHlsl(const std::vector<uint32_t> &words, const KernelInfo &kernel) {
  spirv_cross::CompilerHLSL compiler(words);
  spirv_cross::CompilerHLSL::Options options;
  const bool half = declares(compiler, spv::CapabilityFloat16);
  options.shader_model = half ? 62 : 60;
  options.enable_16bit_types = half;
  options.use_entry_point_name = true;
  compiler.set_hlsl_options(options);
  avoidReserved(compiler);
  Text text;
  // As it is written; get_cleansed_entry_point_name() says "main" here.
  text.entry = isReserved(kernel.name) ? kernel.name + '_' : kernel.name;
  avoidEntry(compiler, text.entry);
  compiler.rename_entry_point(kernel.name, text.entry, spv::ExecutionModelGLCompute);
  text.code = compiler.compile();
  text.version = half ? "6.2" : "6.0";
  return text;
}

Text writeMsl(const std::vector<uint32_t> &words, const KernelInfo &kernel) {
  spirv_cross::CompilerMSL compiler(words);
  spirv_cross::CompilerMSL::Options options;
  options.platform = spirv_cross::CompilerMSL::Options::macOS;
  // Buffers have 64-bit integers from 2.3 on.
  const bool newer = declares(compiler, spv::CapabilityInt64);
  options.set_msl_version(2, newer ? 3 : 2);
  // Arrays are never copied whole here, so that they need no wrapper.
  options.force_native_arrays = true;
  compiler.set_msl_options(options);
  avoidReserved(compiler);
  const auto buffers = static_cast<uint32_t>(kernel.buffers.size());
  for (uint32_t i = 0; i <= buffers; ++i) {
    spirv_cross::MSLResourceBinding slot;
    slot.stage = spv::ExecutionModelGLCompute;
    slot.desc_set = i < buffers ? khal::abi::descriptor_set : spirv_cross::kPushConstDescSet;
    slot.binding = i < buffers ? i : spirv_cross::kPushConstBinding;
    slot.msl_buffer = i;
    compiler.add_msl_resource_binding(slot);
  }
  Text text;
  text.code = compiler.compile();
  text.entry = cleansedEntry(compiler, kernel);
  text.version = newer ? "2.3" : "2.2";
  return text;
}

Text writeAny(const std::vector<uint32_t> &words, Target target, const KernelInfo &kernel) {
  switch (target) {
  case Target::hlsl:
    return writeHlsl(words, kernel);
  case Target::msl:
    return writeMsl(words, kernel);
  default:
    return writeGlsl(words);
  }
}

} // namespace

spirv::Form formFor(Target target) {
  spirv::Form form;
  form.names = true;
  form.plainOperations = true;
  // Metal's setBytes takes plain words; the others' constant buffers want vectors.
  form.block =
      target == Target::msl ? spirv::Form::Block::PushConstant : spirv::Form::Block::Uniform;
  if (target == Target::hlsl) {
    form.numGroupsInBlock = true;
    form.blockBinding = hlslRegisterOfBlock;
  }
  return form;
}

std::optional<Text> write(const std::vector<uint32_t> &words, Target target,
                          const KernelInfo &kernel, std::string &fault) {
  try {
    return writeAny(words, target, kernel);
  } catch (const std::exception &error) {
    fault = error.what();
    return std::nullopt;
  }
}

} // namespace khalc::cross
