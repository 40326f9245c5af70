//===- ToolchainTest.cpp - finding libstdc++ --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/Toolchain.h"

#include "diag/Diagnostics.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <gtest/gtest.h>

using namespace khalc;

namespace {

/// A made-up root of a file system.
class Toolchain : public testing::Test {
protected:
  Toolchain() : out(text), engine(false, out) {
    llvm::SmallString<128> path;
    llvm::sys::fs::createUniqueDirectory("khal-root", path);
    root = std::string(path);
    const llvm::Triple host(llvm::sys::getDefaultTargetTriple());
    multiarch = (host.getArchName() + "-linux-gnu").str();
  }
  ~Toolchain() override { llvm::sys::fs::remove_directories(root); }

  void touch(const std::string &file) {
    const std::string path = root + "/" + file;
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    ASSERT_FALSE(error);
  }
  void addDebian(const std::string &version) {
    touch("usr/include/c++/" + version + "/vector");
    touch("usr/include/" + multiarch + "/c++/" + version + "/bits/c++config.h");
  }
  std::string inRoot(const std::string &path) const { return root + "/usr/include/" + path; }

  std::string root, multiarch, text;
  llvm::raw_string_ostream out;
  diag::Engine engine;
};

TEST_F(Toolchain, TakesTheNewest) {
  addDebian("9");
  addDebian("12");
  addDebian("11.3.0");
  const auto found = findSystemHeaders(root, engine);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cxx, (std::vector<std::string>{inRoot("c++/12"), inRoot(multiarch + "/c++/12"),
                                                  inRoot("c++/12/backward")}));
  EXPECT_EQ(found->c, (std::vector<std::string>{root + "/usr/local/include", inRoot(multiarch),
                                                root + "/usr/include"}));
}

TEST_F(Toolchain, PassesOverHalfInstalledOnes) {
  addDebian("12");
  touch("usr/include/c++/13/vector"); // without the machine-dependent part
  touch("usr/include/c++/v1/vector"); // libc++
  const auto found = findSystemHeaders(root, engine);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cxx.front(), inRoot("c++/12"));
}

TEST_F(Toolchain, KnowsTheLayoutOfOtherSystems) {
  touch("usr/include/c++/14/vector");
  touch("usr/include/c++/14/x86_64-redhat-linux/bits/c++config.h");
  const auto found = findSystemHeaders(root, engine);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cxx[1], inRoot("c++/14/x86_64-redhat-linux"));
}

TEST_F(Toolchain, SaysWhatToInstall) {
  EXPECT_FALSE(findSystemHeaders(root, engine));
  EXPECT_EQ(engine.exitCode(), diag::ExitCode::Environment);
  EXPECT_EQ(text, "khalc: error: no C++ standard library headers found under " + inRoot("c++") +
                      "; install libstdc++ (on Debian: apt-get install libstdc++-12-dev) "
                      "[khal-standard-library-missing]\n");
}

} // namespace
