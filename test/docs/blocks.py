#!/usr/bin/env python3
"""Compiles the C++ that the docs show.

    blocks.py PAGE.md WORK_DIR KHALC -- CXX COMMAND…

A block that begins with ```cpp is a kernel file if it includes <khal/kernel.hpp>, which khalc
compiles for all targets, or host code if it includes <khal/khal.hpp>, which the C++ compiler checks
with the headers that khalc made. A kernel file's name is NAME.cpp where the page's host code
includes "NAME.khal.hpp" and no other block has it yet. Any other C++ must say what it is: ```text.
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def run(command, what):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{what} doesn't compile:\n{done.stdout}{done.stderr}")
    if "warning:" in done.stderr:
        sys.exit(f"{what} compiles with warnings:\n{done.stderr}")


def main():
    page, work, khalc = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    cxx = sys.argv[sys.argv.index("--") + 1 :]
    text = page.read_text()
    work.mkdir(parents=True, exist_ok=True)
    wanted = re.findall(r'#include "(\w+)\.khal\.hpp"', text)
    count = 0
    hosts = []
    for match in BLOCK.finditer(text):
        if match[1] != "cpp":
            continue
        count += 1
        line = text.count("\n", 0, match.start()) + 1
        what = f"{page.name}:{line}"
        if "#include <khal/kernel.hpp>" in match[2]:
            name = wanted.pop(0) if wanted else f"block{line}"
            kernels = work / f"{name}.cpp"
            kernels.write_text(match[2])
            run([khalc, "-Werror", "-o", str(work), str(kernels)], what)
        elif "#include <khal/khal.hpp>" in match[2]:
            hosts.append((what, line, match[2]))
        else:
            sys.exit(f"{what} is C++ that is neither a kernel file nor host code")
    for what, line, code in hosts:
        host = work / f"host{line}.cpp"
        host.write_text(code)
        run([*cxx, "-fsyntax-only", "-I", str(work), str(host)], what)
    print(f"{page.name}: {count} blocks")


main()
