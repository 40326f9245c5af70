# Assembles each PTX module of a file that holds several.
#
#   assemble.py PTXAS FILE ARCH…
#
# Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess
import sys
import tempfile

assembler, path, architectures = sys.argv[1], sys.argv[2], sys.argv[3:]
with open(path) as file:
    pieces = file.read().split(".version ")
modules = [".version " + piece for piece in pieces[1:]]
refused = 0
for module in modules:
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "module.ptx")
        with open(name, "w") as file:
            file.write(module)
        for architecture in architectures:
            command = [assembler, "-arch=" + architecture, name, "-o", os.devnull]
            refused += subprocess.run(command).returncode != 0
print(len(modules), "modules,", refused, "refused")
sys.exit(refused != 0)
