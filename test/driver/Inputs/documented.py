"""Fails unless the manual names every option that the help on stdin names."""

import re
import sys

manual = open(sys.argv[1], encoding="utf-8").read()
options = set(re.findall(r"^  (-[-\w]+)", sys.stdin.read(), re.MULTILINE)) - {"-h"}
# CLI11 knows Clang's one-dash words by two dashes.
clang_words = {"--isystem", "--include", "--std", "--MD", "--MF"}
missing = [
    option
    for option in sorted(options)
    if (option[1:] if option in clang_words else option) not in manual
]
if missing or len(options) < 15:
    sys.exit("not in {}: {} of {}".format(sys.argv[1], missing, sorted(options)))
