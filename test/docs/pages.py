#!/usr/bin/env python3
"""Holds that every page with C++ in it is in the list of a test: pages.py DOCS TEST."""

import pathlib
import sys

listed = pathlib.Path(sys.argv[2]).read_text()
missing = [
    page.name
    for page in sorted(pathlib.Path(sys.argv[1]).glob("*.md"))
    if "```cpp\n" in page.read_text() and f"docs/{page.name}" not in listed
]
for name in missing:
    print(f"error: no test compiles the C++ of docs/{name}")
sys.exit(1 if missing else 0)
