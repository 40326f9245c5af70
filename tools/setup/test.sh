#!/usr/bin/env bash
# Installs what the tests need, builds everything and runs all tests on the devices that Debian has
# for every machine: the CPU, and Mesa's Vulkan driver for CPUs. Ends with CTest's summary.
#
#   tools/setup/test.sh [options for ctest…]      for example: -R e2e
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/setup/packages.sh

install_packages "${build_packages[@]}" "${test_packages[@]}"
consumers=$PWD/build/consumers
# In a child of its own, where a fault ends it; everything else can be tested without a mirror of npm or
# of bookworm-backports.
if ! bash tools/setup/consumers.sh "$consumers"; then
  echo "== WGSL's consumers couldn't be installed (see above): their tests are skipped" >&2
  consumers=
fi
configure build -DKHAL_BUILD_EXAMPLES=ON -DKHAL_BUILD_TESTS=ON -DKHAL_TEXT_CONSUMERS="$consumers"
echo "== Building"
cmake --build build
echo "== Testing"
ctest --test-dir build --output-on-failure -j "$(nproc)" "$@"
