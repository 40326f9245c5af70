#!/usr/bin/env bash
# Every example and the suites that run kernels, on devices of this machine: the check on real GPUs.
#
#   test/device/examples.sh [BUILD [DEVICE…]]
#
# BUILD is a build folder, or what pack.sh made of one elsewhere; `build` when it isn't given. DEVICEs
# are ids of khal-info; all of them when none is given.
set -uo pipefail
build=${1:-build}
shift || true
if [ $# -eq 0 ]; then
  mapfile -t devices < <("$build/tools/khal-info/khal-info" --json | grep -o '"id": *"[^"]*"' | cut -d'"' -f4)
else
  devices=("$@")
fi
photo=/usr/share/backgrounds/mate/nature/TwoWings.jpg
if [ -d "$build/lib" ]; then
  export LD_LIBRARY_PATH=$build/lib
  photo=$build/TwoWings.jpg
fi
[ -e "$photo" ] || photo=drawn
out=$(mktemp -d)
failed=()

try() { # NAME COMMAND…
  local name=$1
  shift
  echo "+ $*"
  "$@" || failed+=("$name")
  echo
}

for device in "${devices[@]}"; do
  example() { # NAME arguments…
    local name=$1
    shift
    try "$name on $device" "$build/examples/$name/$name" --device="$device" "$@"
  }
  example add_assign
  example add_assign --size=4194240
  example matmul
  example matmul --m=1025 --k=1000 --n=999
  example particles
  example particles --count=8192 --steps=2
  example bitonic
  example bitonic --size=5000000
  example secp256k1
  example photo --input="$photo" --output="$out/${device/:/-}.png"
  for suite in builtins/builtins_test bindings/bindings_forms_test e2e/language/language_test; do
    if [ -x "$build/test/$suite" ]; then
      export KHAL_DEVICE=$device
      try "$suite on $device" "$build/test/$suite" --gtest_brief=1
      unset KHAL_DEVICE
    fi
  done
done

echo "Pictures of ${devices[*]}:"
(cd "$out" && sha256sum -- *.png)
if [ "$(cd "$out" && sha256sum -- *.png | cut -d' ' -f1 | sort -u | wc -l)" -ne 1 ]; then
  failed+=("the devices' pictures differ")
fi
rm -r "$out"
if [ ${#failed[@]} -ne 0 ]; then
  printf 'FAILED: %s\n' "${failed[@]}"
  exit 1
fi
echo "All right on ${devices[*]}."
