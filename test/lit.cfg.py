# The compiler's tests, for LLVM's lit.
#
# Substitutions:
#   %khalc %khal-opt    the tools of this build
#   %exits N COMMAND…   runs a command and fails unless it exits with N
#   %python             the Python that lit runs in
#   %cxx                the host's C++ compiler, with khal's headers
#   %clangxx            the same of LLVM's own Clang
#   %shared             test/shared: sources that several suites use
# Features: ptxas, spirv-val.

import os
import shutil
import sys

sys.path.insert(0, os.path.join(config.khal_source_dir, "test"))
import run_line_test


def quoted(path):
    return '"' + path + '"'


config.name = "khal"
config.test_format = run_line_test.RunLineTest(execute_external=False)
config.suffixes = [".cpp", ".ll", ".test"]
config.excludes = ["CMakeLists.txt", "Inputs", "shared"]
config.test_source_root = os.path.join(config.khal_source_dir, "test")
config.test_exec_root = config.khal_test_build_dir

config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, config.environment.get("PATH", "")]
)
# A test's result must not depend on who runs it.
config.environment["LC_ALL"] = "C"
for name in ("CPATH", "CPLUS_INCLUDE_PATH", "KHAL_DEVICE"):
    config.environment.pop(name, None)

exits = os.path.join(config.test_source_root, "exits.py")
config.substitutions += [
    ("%khalc", quoted(config.khalc)),
    ("%khal-opt", quoted(config.khal_opt)),
    ("%exits", quoted(sys.executable) + " " + quoted(exits)),
    ("%python", quoted(sys.executable)),
    (
        "%cxx",
        quoted(config.cxx)
        + " -std=c++20 -I "
        + quoted(os.path.join(config.khal_source_dir, "include")),
    ),
    (
        "%clangxx",
        quoted(os.path.join(config.llvm_tools_dir, "clang++"))
        + " -std=c++20 -I "
        + quoted(os.path.join(config.khal_source_dir, "include")),
    ),
    ("%shared", os.path.join(config.test_source_root, "shared")),
]


def use_if_found(feature, *candidates):
    for candidate in candidates:
        path = shutil.which(candidate)
        if path:
            config.available_features.add(feature)
            config.substitutions.append(("%" + feature, quoted(path)))
            return
    lit_config.note("no " + feature + ": tests that need it are reported as unsupported")


use_if_found("ptxas", "ptxas", "/usr/local/cuda/bin/ptxas")
use_if_found("spirv-val", "spirv-val")
if config.sanitized in ("ON", "1", "TRUE"):
    config.available_features.add("sanitized")
