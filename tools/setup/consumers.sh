#!/usr/bin/env bash
# Puts what runs generated WGSL into a folder, for the tests of test/text: Deno (naga) and Dawn (Tint)
# from npm, and Mesa's Vulkan driver for CPUs from bookworm-backports, beside the machine's own, which
# is too old for Dawn.
#
#   tools/setup/consumers.sh FOLDER      then: cmake -DKHAL_TEXT_CONSUMERS=FOLDER …
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/setup/packages.sh
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# A folder that is newer than what it is made from is left as it is.
is_made() {
  [ "$folder/$1/made" -nt tools/setup/consumers.sh ] && [ "$folder/$1/made" -nt test/text/npm/package-lock.json ]
}

make_npm() {
  echo "== Installing Deno and Dawn from npm"
  mkdir -p "$folder/npm"
  cp test/text/npm/package.json test/text/npm/package-lock.json "$folder/npm"
  (cd "$folder/npm" && npm ci --loglevel=error --ignore-scripts --no-audit --no-fund)
}

# Downloads packages of another Debian suite and unpacks them, without a change to the machine:
# unpack SUITE INTO PACKAGE…
unpack() {
  local suite=$1 into=$2 work mirror
  shift 2
  work=$(mktemp -d)
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '/debian/?$' | head -n 1)
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
    "$mirror" "$suite" /usr/share/keyrings/debian-archive-keyring.gpg > "$work/suite.sources"
  local options=(
    -qq -o Dir::Etc::sourcelist="$work/suite.sources" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache"
    -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3
  )
  apt-get "${options[@]}" update
  (cd "$work" && apt-get "${options[@]}" download "$@")
  local package
  for package in "$work"/*.deb; do
    dpkg -x "$package" "$into"
  done
  rm -rf "$work"
}

make_mesa() {
  echo "== Unpacking Mesa from bookworm-backports"
  local unpacked=$folder/mesa/unpacked libraries=usr/lib/x86_64-linux-gnu
  unpack bookworm-backports "$unpacked" mesa-vulkan-drivers libdrm2 libdrm-amdgpu1
  cp -L "$unpacked/$libraries"/{libvulkan_lvp.so,libdrm.so.2,libdrm_amdgpu.so.1} "$folder/mesa"
  sed -E "s|\"library_path\": \".*\"|\"library_path\": \"$folder/mesa/libvulkan_lvp.so\"|" \
    "$unpacked"/usr/share/vulkan/icd.d/lvp_icd*.json > "$folder/mesa/lvp.json"
  rm -rf "$unpacked"
}

install_packages "${consumer_packages[@]}"
for part in npm mesa; do
  if ! is_made $part; then
    rm -rf "${folder:?}/$part"
    mkdir "$folder/$part"
    make_$part
    touch "$folder/$part/made"
  fi
done
