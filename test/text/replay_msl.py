#!/usr/bin/env python3
"""Runs recorded launches (see Launch.h) from their MSL, compiled as C++ by Clang with the library in
metal/, and compares each buffer bit by bit.

  replay_msl.py CLANG FOLDER RECORDING    FOLDER: for the program
"""
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
INPUTS = {
    "threadgroup_position_in_grid": "group",
    "thread_position_in_threadgroup": "local",
    "threadgroups_per_grid": "groups",
}


def prepared(text):
    """The kernel's text inside a namespace; work-group memory is static, as all work-items share it,
    and numbers are floats, as Metal has no double."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    body = "\n".join(lines).replace("using namespace metal;", "")
    body = re.sub(r"(?<![\w.])(\d+\.\d*(?:e[+-]?\d+)?)(?![\w.])", r"\1f", body)
    return re.sub(r"(?m)^(\s+)threadgroup ([^;()]+;)", r"\1static \2", body)


def call(text, entry):
    """The call of the entry point with its arguments by their attributes."""
    signature = re.search(r"kernel void " + re.escape(entry) + r"\((.*)\)\s*$", text, re.MULTILINE).group(1)
    arguments = []
    for parameter in re.findall(r"[^,\[]*\[\[[^\]]*\]\]", signature):
        declaration, attribute = re.match(r",?\s*(.*?)\s*\[\[(.*)\]\]", parameter).groups()
        buffer = re.match(r"buffer\((\d+)\)", attribute)
        if buffer:
            value = f"buffers[{buffer.group(1)}]"
            reference = re.search(r"(\w+)&", declaration)  # else a pointer without a type
            arguments.append(f"*reinterpret_cast<{reference.group(1)} *>({value})" if reference else value)
        else:
            arguments.append(INPUTS[attribute])
    return f"{entry}({', '.join(arguments)})"


def main():
    clang, folder, recording = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    launches = []
    while (recording / str(len(launches)) / "launch.json").exists():
        launches.append(json.loads((recording / str(len(launches)) / "launch.json").read_text()))
    kernels = {}  # text to number
    # Metal's address spaces are macros, which other headers mustn't meet.
    parts = ['#include "../Launch.h"\n#include "Fibers.h"\n#include <metal_stdlib>\nusing namespace metal;\n']
    cases = []
    for index, launch in enumerate(launches):
        if "unavailable" in launch["artifacts"]["msl"]:
            continue
        text = (recording / str(index) / "kernel.msl").read_text()
        number = kernels.setdefault(text, len(kernels))
        if number == len(parts) - 1:
            run = call(text, launch["artifacts"]["msl"]["entry"])
            # Inside of metal, whose names then come before the C library's.
            parts.append(f"namespace metal::k{number} {{\n{prepared(text)}\n"
                         "void run(void **buffers, uint3 group, uint3 local, uint3 groups) {\n"
                         f"  (void)buffers, (void)group, (void)local, (void)groups;\n  {run};\n}}\n}}\n")
        cases.append(f"  case {index}: return metal::k{number}::run;\n")
    parts.append("using Run = void (*)(void **, uint3, uint3, uint3);\n"
                 "Run run_of(unsigned launch) {\n  switch (launch) {\n" + "".join(cases) +
                 "  }\n  return nullptr;\n}\n#include \"Replay.h\"\n")
    source, program = folder / "replay.cpp", folder / "replay"
    source.write_text("".join(parts))
    subprocess.run([clang, "-std=c++20", "-O1", "-w", "-ffp-contract=off", f"-I{HERE / 'metal'}", "-o",
                    program, source], check=True)
    sys.exit(subprocess.run([program, recording]).returncode)


main()
