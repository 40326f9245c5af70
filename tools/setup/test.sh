#!/usr/bin/env bash
# Installs what the tests need, builds everything and runs all tests on the devices that Debian has
# for every machine: the CPU, and Mesa's Vulkan driver for CPUs. Ends with CTest's summary.
#
#   tools/setup/test.sh [options for ctest…]      for example: -R e2e
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/setup/packages.sh

install_packages "${build_packages[@]}" "${test_packages[@]}"
tools/setup/consumers.sh build/consumers
configure build -DKHAL_BUILD_EXAMPLES=ON -DKHAL_BUILD_TESTS=ON -DKHAL_TEXT_CONSUMERS="$PWD/build/consumers"
echo "== Building"
cmake --build build
echo "== Testing"
ctest --test-dir build --output-on-failure -j "$(nproc)" "$@"
