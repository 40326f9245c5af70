"""Writes a file of bytes that no program ever meant, the same each time."""

import random
import sys

random.seed(1)
with open(sys.argv[1], "wb") as file:
    file.write(bytes(random.randrange(256) for _ in range(20000)))
