#!/usr/bin/env bash
# From a clean clone on Debian 12 to a kernel that has run: installs what is needed, builds khalc and
# the runtime, compiles examples/add_assign with them, step by step as one would by hand, and runs it
# on the best device that there is (or the one that KHAL_DEVICE names).
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/setup/packages.sh

install_packages "${build_packages[@]}"
configure build -DKHAL_BUILD_EXAMPLES=OFF -DKHAL_BUILD_TESTS=OFF
echo "== Building khalc, khal-info and libkhal"
cmake --build build --target khalc khal-info khal_runtime

show() {
  echo "+ $*"
  "$@"
}
out=build/quickstart
mkdir -p $out
echo
echo "== The devices of this machine"
show build/tools/khal-info/khal-info
echo
echo "== From a kernel file to a program"
show build/tools/khalc/khalc --target=all -o $out examples/add_assign/add.cpp
show g++ -std=c++20 -O2 -I include -I $out examples/add_assign/main.cpp $out/add.khal.o \
  build/runtime/libkhal.a -ldl -pthread -o $out/add_assign
show $out/add_assign
