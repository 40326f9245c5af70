#!/usr/bin/env python3
"""How long khalc takes, and how much memory, on an example: medians of several runs.

    test/bench/compile_time.py [--khalc build/tools/khalc/khalc] [--runs 15] [FILE.cpp…]

Without files: examples/add_assign/add.cpp, and what <khal/kernel.hpp> costs for each target: a kernel
that uses nothing of it, with it and without. Peers that are on the PATH (glslc, nvcc) compile a kernel
of the same work in the same, interleaved runs, and the ratio to them is printed. Never a test: the
figures depend on the machine.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

GLSL = """#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(push_constant) uniform P { uint n; };
void main() { uint i = gl_GlobalInvocationID.x; if (i < n) a[i] += b[i]; }
"""
BARE = "[[khal::kernel(64)]] void kernel(float *a) { *a = 1; }\n"
HEADER = "#include <khal/kernel.hpp>\n"
TARGETS = ("cpu", "ptx", "spirv")
CUDA = """__global__ void add(float *a, const float *b, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += b[i];
}
"""


def run(command):
    """Wall time and time of the processor in seconds, and peak memory in MB, of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.stderr.close()
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))} failed with status {status}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def median_ms(runs, field):
    return statistics.median(sample[field] for sample in runs) * 1000


def report_header(samples):
    print(f"\n{'<khal/kernel.hpp>':44} {'median':>9} {'processor':>9}")
    for target in TARGETS:
        bare, whole = samples[f"khalc --target={target} bare.cpp"], samples[f"khalc --target={target} whole.cpp"]
        wall, processor = (median_ms(whole, field) - median_ms(bare, field) for field in (0, 1))
        print(f"{'--target=' + target:44} {wall:6.0f} ms {processor:6.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--khalc", default=ROOT / "build/tools/khalc/khalc")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "add.comp").write_text(GLSL)
        (folder / "add.cu").write_text(CUDA)
        (folder / "bare.cpp").write_text(BARE)
        (folder / "whole.cpp").write_text(HEADER + BARE)
        commands = {}
        for file in options.files or [ROOT / "examples/add_assign/add.cpp"]:
            for target in ([], ["--target=cpu"], ["--target=ptx"], ["--target=spirv"]):
                name = " ".join(["khalc", *target, pathlib.Path(file).name])
                commands[name] = [options.khalc, *target, "-o", folder, file]
        for target in TARGETS if not options.files else ():
            for file in ("bare.cpp", "whole.cpp"):
                commands[f"khalc --target={target} {file}"] = [
                    options.khalc, f"--target={target}", "-o", folder, folder / file]
        if shutil.which("glslc"):
            commands["glslc, the same in GLSL"] = ["glslc", "-o", folder / "a.spv", folder / "add.comp"]
        if shutil.which("nvcc"):
            commands["nvcc -ptx, the same in CUDA"] = [
                "nvcc", "-ptx", "-arch=sm_75", "-o", folder / "a.ptx", folder / "add.cu"]
        for command in commands.values():  # warm: caches hold the files
            run(command)
        samples = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                samples[name].append(run(command))
    base = None
    print(f"{'':44} {'median':>9} {'fastest':>9} {'peak':>9} {'ratio':>7}")
    for name, runs in samples.items():
        median = statistics.median(sample[0] for sample in runs)
        base = base or median
        print(f"{name:44} {median * 1000:6.0f} ms {min(runs)[0] * 1000:6.0f} ms "
              f"{max(memory for *_, memory in runs):6.0f} MB {median / base:7.2f}")
    if not options.files:
        report_header(samples)


if __name__ == "__main__":
    main()
