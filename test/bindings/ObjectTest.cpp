//===- ObjectTest.cpp - the generated object holds what khal/abi.h says -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes an object for kernels made up here, links and loads it, and reads the descriptors through
// the C++ definitions that the runtime uses.
//
//===---------------------------------------------------------------------------------------------===//

#include "bindings/Bindings.h"
#include "diag/Diagnostics.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstring>
#include <dlfcn.h>

namespace khalc {
namespace {

namespace abi = khal::abi;

constexpr char cpuModuleText[] = R"(
  target triple = "x86_64-pc-linux-gnu"
  define void @scale_v2(ptr %launch, i64 %first, i64 %end, ptr %scratch) {
    store i64 %first, ptr %scratch
    ret void
  }
  define void @scale_v3(ptr %launch, i64 %first, i64 %end, ptr %scratch) {
    store i64 %end, ptr %scratch
    ret void
  }
)";

KernelFile twoKernels() {
  KernelFile file;
  file.path = "/somewhere/on/this/machine/scale.cpp";
  KernelInfo scale;
  scale.name = "scale";
  scale.displayName = "ns::scale<float>";
  scale.symbol = "object_test_scale";
  scale.groupSize = {64, 2, 3};
  scale.mayAlias = true;
  scale.blockSize = 24;
  scale.position.line = 12;
  scale.buffers.push_back({"view.cells", "float", 4, 4, false, true});
  scale.buffers.push_back({"weights", "double", 8, 8, true, false});
  scale.sharedSpans.push_back({"tile", "double", 8, 20});
  file.kernels.push_back(scale);
  KernelInfo bare;
  bare.displayName = "bare";
  bare.symbol = "object_test_bare";
  file.kernels.push_back(bare);
  return file;
}

std::vector<CompiledKernel> compiledKernels() {
  std::vector<CompiledKernel> compiled(4);
  compiled[0] = {
      "object_test_scale", abi::Target::cpu, "x86-64-v2", "", "", "scale_v2", 1, 640, 16};
  compiled[1] = {"object_test_scale",
                 abi::Target::ptx,
                 "sm_75",
                 "scale_entry",
                 ".version 8.8\n",
                 "",
                 abi::feature_float64,
                 0,
                 4096};
  compiled[2] = {"object_test_scale",
                 abi::Target::spirv,
                 "1.1",
                 "main",
                 std::string("\x03\x02\x23\x07\0\0\0\0", 8),
                 "",
                 abi::feature_shared_atomic_int64,
                 0,
                 0,
                 {},
                 4096};
  compiled[3] = {"object_test_scale", abi::Target::cpu, "x86-64-v3", "", "", "scale_v3", 0, 64, 0};
  return compiled;
}

class ObjectTest : public testing::Test {
protected:
  std::optional<std::string> write(std::vector<CompiledKernel> compiled, bool withCpu = true) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module;
    if (withCpu) {
      llvm::SMDiagnostic fault;
      module = llvm::parseAssemblyString(cpuModuleText, fault, context);
      EXPECT_TRUE(module) << fault.getMessage().str();
    }
    diag::Engine diagnostics(false, said);
    auto object =
        bindings::writeObject(twoKernels(), compiled, std::move(module), context, {}, diagnostics);
    exitCode = diagnostics.exitCode();
    return object;
  }

  /// Links an object into a library and loads it.
  void *load(const std::string &object) {
    llvm::SmallString<128> objectPath, libraryPath;
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("khal-object", "o", descriptor, objectPath));
    llvm::raw_fd_ostream(descriptor, true) << object;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("khal-object", "so", libraryPath));
    const std::string link =
        "cc -shared -Wl,-z,text -o " + libraryPath.str().str() + " " + objectPath.str().str();
    EXPECT_EQ(std::system(link.c_str()), 0);
    void *library = dlopen(libraryPath.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(library) << dlerror();
    llvm::sys::fs::remove(objectPath);
    llvm::sys::fs::remove(libraryPath);
    return library;
  }

  std::string saidText;
  llvm::raw_string_ostream said{saidText};
  diag::ExitCode exitCode = diag::ExitCode::Done;
};

TEST_F(ObjectTest, DescriptorsReadBackThroughTheAbi) {
  const auto object = write(compiledKernels());
  ASSERT_TRUE(object) << saidText;
  void *library = load(*object);
  ASSERT_TRUE(library);

  const auto *kernel =
      static_cast<const abi::Kernel *>(dlsym(library, "khal_kernel_object_test_scale"));
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->abi_version, abi::version);
  EXPECT_EQ(kernel->flags, abi::kernel_may_alias);
  EXPECT_STREQ(kernel->name, "ns::scale<float>");
  EXPECT_STREQ(kernel->file, "scale.cpp") << "an object mustn't tell where its source was";
  EXPECT_EQ(kernel->line, 12u);
  EXPECT_EQ(kernel->group_size[0], 64u);
  EXPECT_EQ(kernel->group_size[1], 2u);
  EXPECT_EQ(kernel->group_size[2], 3u);
  EXPECT_EQ(kernel->block_size, 24u);
  EXPECT_EQ(kernel->shared_bytes, 4096u);

  ASSERT_EQ(kernel->buffer_count, 2u);
  EXPECT_STREQ(kernel->buffers[0].name, "view.cells");
  EXPECT_EQ(kernel->buffers[0].element_size, 4u);
  EXPECT_EQ(kernel->buffers[0].flags, abi::buffer_has_length);
  EXPECT_STREQ(kernel->buffers[1].name, "weights");
  EXPECT_EQ(kernel->buffers[1].element_size, 8u);
  EXPECT_EQ(kernel->buffers[1].flags, abi::buffer_read_only);

  ASSERT_EQ(kernel->shared_span_count, 1u);
  EXPECT_STREQ(kernel->shared_spans[0].name, "tile");
  EXPECT_EQ(kernel->shared_spans[0].element_size, 8u);
  EXPECT_EQ(kernel->shared_spans[0].length_offset, 20u);

  ASSERT_EQ(kernel->artifact_count, 4u);
  const abi::Artifact &cpu = kernel->artifacts[0];
  EXPECT_EQ(cpu.target, abi::Target::cpu);
  EXPECT_EQ(cpu.scratch_bytes, 640u);
  EXPECT_EQ(cpu.features, 1u);
  EXPECT_STREQ(cpu.variant, "x86-64-v2");
  EXPECT_EQ(cpu.code, nullptr);
  EXPECT_EQ(cpu.code_size, 0u);
  std::uint64_t scratch = 0;
  cpu.function(nullptr, 5, 9, &scratch);
  EXPECT_EQ(scratch, 5u);
  kernel->artifacts[3].function(nullptr, 5, 9, &scratch);
  EXPECT_EQ(scratch, 9u);

  const abi::Artifact &ptx = kernel->artifacts[1];
  EXPECT_EQ(ptx.target, abi::Target::ptx);
  EXPECT_EQ(ptx.features, abi::feature_float64);
  EXPECT_STREQ(ptx.entry, "scale_entry");
  EXPECT_STREQ(static_cast<const char *>(ptx.code), ".version 8.8\n");
  EXPECT_EQ(ptx.code_size, std::strlen(".version 8.8\n"));
  EXPECT_EQ(ptx.function, nullptr);

  const abi::Artifact &spirv = kernel->artifacts[2];
  EXPECT_EQ(spirv.code_size, 8u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(spirv.code) % alignof(std::uint32_t), 0u);
  EXPECT_EQ(*static_cast<const std::uint32_t *>(spirv.code), 0x07230203u);
  EXPECT_EQ(spirv.features, abi::feature_shared_atomic_int64);
  EXPECT_EQ(spirv.max_buffer_bytes, 4096u);
  EXPECT_EQ(ptx.max_buffer_bytes, 0u);

  const auto *bare =
      static_cast<const abi::Kernel *>(dlsym(library, "khal_kernel_object_test_bare"));
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->flags, 0u);
  EXPECT_EQ(bare->buffer_count, 0u);
  EXPECT_EQ(bare->buffers, nullptr);
  EXPECT_EQ(bare->shared_span_count, 0u);
  EXPECT_EQ(bare->artifact_count, 0u);
  EXPECT_EQ(bare->artifacts, nullptr);

  EXPECT_FALSE(dlsym(library, "scale_v2")) << "only descriptors are for others to see";
  dlclose(library);
}

TEST_F(ObjectTest, SameInputSameBytes) {
  const auto first = write(compiledKernels()), second = write(compiledKernels());
  ASSERT_TRUE(first && second) << saidText;
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(first->find("/somewhere/"), std::string::npos);
}

TEST_F(ObjectTest, WithoutCpuTarget) {
  std::vector<CompiledKernel> compiled = compiledKernels();
  compiled.erase(compiled.begin());
  compiled.pop_back();
  const auto object = write(compiled, /*withCpu=*/false);
  ASSERT_TRUE(object) << saidText;
  void *library = load(*object);
  ASSERT_TRUE(library);
  const auto *kernel =
      static_cast<const abi::Kernel *>(dlsym(library, "khal_kernel_object_test_scale"));
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->artifact_count, 2u);
  dlclose(library);
}

TEST_F(ObjectTest, MissingCpuFunctionIsAnInternalError) {
  std::vector<CompiledKernel> compiled = compiledKernels();
  compiled[0].cpuFunction = "absent";
  EXPECT_FALSE(write(compiled));
  EXPECT_EQ(exitCode, diag::ExitCode::Internal);
  EXPECT_NE(saidText.find("'absent'"), std::string::npos) << saidText;
}

} // namespace
} // namespace khalc
