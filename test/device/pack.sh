#!/usr/bin/env bash
# Packs what examples.sh runs, for a machine with a GPU but no build tools:
#
#   tools/setup/test.sh && test/device/pack.sh build build-device
#   (on the machine) test/device/examples.sh build-device
set -euo pipefail
build=${1:?the build folder}
pack=${2:?the folder to make}
programs=(tools/khal-info/khal-info test/builtins/builtins_test test/bindings/bindings_forms_test)
for example in add_assign matmul particles bitonic secp256k1 photo; do
  programs+=("examples/$example/$example")
done
for program in "${programs[@]}"; do
  install -D -s "$build/$program" "$pack/$program"
done
mkdir -p "$pack/lib"
ldd "$build/examples/photo/photo" | awk '/libpng|libjpeg|libz\./ { print $3 }' \
  | xargs -I{} cp -L {} "$pack/lib/"
cp /usr/share/backgrounds/mate/nature/TwoWings.jpg "$pack/"
du -sh "$pack"
