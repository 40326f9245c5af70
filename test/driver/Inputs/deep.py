"""Writes files that nest deeper than a compiler's stack."""

import os
import sys

HEADER = "#include <khal/kernel.hpp>\n"
KERNEL = "[[khal::kernel(64)]] void k(khal::span<int> a) {{ a[0] = {}; }}\n"


def write(name, text):
    with open(os.path.join(sys.argv[1], name), "w") as file:
        file.write(HEADER + text)


write(
    "templates.cpp",
    "template <int N> struct T { static constexpr int v = T<N + 1>::v; };\n"
    + KERNEL.format("T<0>::v"),
)
write("brackets.cpp", KERNEL.format("(" * 5000 + "1" + ")" * 5000))
write("sum.cpp", KERNEL.format("+".join(["a[1]"] * 3000)))
write(
    "calls.cpp",
    "inline int f0(int x) { return x + 1; }\n"
    + "".join(
        "inline int f{}(int x) {{ return f{}(x) + 1; }}\n".format(i, i - 1) for i in range(1, 500)
    )
    + KERNEL.format("f499(a[1])"),
)
