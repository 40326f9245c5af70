#!/usr/bin/env python3
"""Holds that every diagnostic has a test and its line in docs/diagnostics.md.

    coverage.py SOURCE_DIR            fails and says what is missing
    coverage.py --write SOURCE_DIR    writes the lists of docs/diagnostics.md anew

A test counts when it expects the diagnostic's tag, `[khal-virtual-call]` or for a warning
`[-Wkhal-divergent-barrier]`. Diagnostics that nothing from outside provokes are listed in
unprovoked.txt with the reason.
"""

import pathlib
import re
import sys

ENTRY = re.compile(r'^KHAL_DIAGNOSTIC\(\s*(\w+)\s*,\s*(\w+)\s*,\s*"((?:[^"\\]|\\.)*)"\s*\)', re.M)
LISTS = {
    "SourceError": "Errors in kernel files",
    "SourceWarning": "Warnings",
    "BadUse": "Bad use of the command",
    "Environment": "Around the compiler",
    "Internal": "Faults of khalc",
}
BEGIN = "<!-- begin {}: written by test/diag/coverage.py -->"
END = "<!-- end {} -->"


def tag_of(name):
    return "khal-" + name.replace("_", "-")


def read_entries(source):
    text = (source / "compiler/diag/Diagnostics.def").read_text()
    entries = ENTRY.findall(text)
    declared = len(re.findall(r"^KHAL_DIAGNOSTIC\(", text, re.M))
    if len(entries) != declared:
        sys.exit(f"coverage.py understands {len(entries)} of {declared} entries of Diagnostics.def")
    return entries


def read_unprovoked(source):
    reasons = {}
    for line in (source / "test/diag/unprovoked.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(": ")
            reasons[name] = reason.strip()
    return reasons


def tested_tags(source):
    tags = set()
    for path in (source / "test").rglob("*"):
        if path.suffix in (".cpp", ".test", ".ll") and "Inputs" not in path.parts:
            for tag in re.findall(r"\[(?:-Werror,)?(?:-W)?(khal-[\w-]+)\]", path.read_text()):
                tags.add(tag)
    return tags


def lines_of(entries, severity):
    prefix = "-W" if severity == "SourceWarning" else ""
    lines = ["| tag | text |", "|---|---|"]
    for name, of, text in sorted(entries):
        if of == severity:
            shown = text.replace('\\"', '"').replace("|", "\\|").replace("<", "&lt;")
            lines.append(f"| `{prefix}{tag_of(name)}` | {shown} |")
    return "\n".join(lines)


def with_lists(document, entries):
    for severity in LISTS:
        begin, end = BEGIN.format(severity), END.format(severity)
        before, found, rest = document.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            sys.exit(f"docs/diagnostics.md has no place for '{LISTS[severity]}': {begin} … {end}")
        document = f"{before}{begin}\n{lines_of(entries, severity)}\n{end}{after}"
    return document


def main():
    write = sys.argv[1] == "--write"
    source = pathlib.Path(sys.argv[-1])
    entries = read_entries(source)
    page = source / "docs/diagnostics.md"
    wanted = with_lists(page.read_text(), entries)
    if write:
        page.write_text(wanted)

    faults = []
    if page.read_text() != wanted:
        faults.append("docs/diagnostics.md isn't what Diagnostics.def says; run\n"
                      "  python3 test/diag/coverage.py --write .")
    unprovoked = read_unprovoked(source)
    tested = tested_tags(source)
    names = {name for name, _, _ in entries}
    for name, severity, _ in entries:
        if severity == "Note":
            continue
        is_tested = tag_of(name) in tested
        if name in unprovoked and is_tested:
            faults.append(f"{name} has a test; take it out of unprovoked.txt")
        elif name not in unprovoked and not is_tested:
            faults.append(f"no test expects [{tag_of(name)}]")
    for name, reason in unprovoked.items():
        if name not in names:
            faults.append(f"unprovoked.txt names '{name}', which there isn't")
        elif not reason:
            faults.append(f"unprovoked.txt gives no reason for '{name}'")
    for fault in faults:
        print("error: " + fault)
    sys.exit(1 if faults else 0)


main()
