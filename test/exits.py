"""exits.py N COMMAND…: runs the command; succeeds if it exits with exactly N."""

import subprocess
import sys

expected = int(sys.argv[1])
actual = subprocess.run(sys.argv[2:]).returncode
if actual != expected:
    sys.exit("exited with {} instead of {}: {}".format(actual, expected, " ".join(sys.argv[2:])))
