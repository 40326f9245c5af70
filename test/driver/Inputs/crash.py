"""crash.py KHALC FOLDER SIGNAL: waits until khalc is in the middle of compiling, sends it a signal
and prints what it says; exits as it does."""

import os
import signal
import subprocess
import sys
import time

khalc, folder, name = sys.argv[1:]
pipe = os.path.join(folder, "pipe.hpp")
source = os.path.join(folder, "k.cpp")
os.mkfifo(pipe)
with open(source, "w") as file:
    file.write("[[khal::kernel(64)]] void k(float *a) { a[0] = 1; }\n")
process = subprocess.Popen(
    [khalc, "-o", os.path.join(folder, "out"), "-include", pipe, source],
    stderr=subprocess.PIPE,
    text=True,
)
# Opening a pipe for writing waits for its reader: Clang is then inside the file.
writer = os.open(pipe, os.O_WRONLY)
time.sleep(0.1)
process.send_signal(getattr(signal, name))
try:
    message = process.communicate(timeout=60)[1]
finally:
    process.kill()
    os.close(writer)
sys.stdout.write(message)
sys.exit(process.returncode if process.returncode >= 0 else 128 - process.returncode)
