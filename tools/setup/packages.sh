# shellcheck shell=bash
# What is installed from Debian 12's own archive, and how. Sourced by the commands beside it.

# To build khalc, khal-info and the runtime, and to compile and run a kernel on any device.
build_packages=(
  cmake g++ ninja-build
  clang-22 llvm-22-dev libclang-22-dev libclang-cpp22-dev libclang-common-22-dev libclc-22
  libzstd-dev zlib1g-dev # what LLVM as archives needs
  spirv-tools spirv-headers libspirv-cross-c-shared-dev
  libcli11-dev nlohmann-json3-dev libvulkan-dev mesa-vulkan-drivers
)

# To build the examples and to run the tests.
test_packages=(
  llvm-22-tools clang python3
  glslang-tools vulkan-validationlayers
  libgtest-dev libgmock-dev libbenchmark-dev
  libpng-dev libjpeg62-turbo-dev mate-backgrounds gdb
  libopenmpi-dev openmpi-bin # examples/mpi_heat
)

# To run the shading languages' consumers that consumers.sh installs.
consumer_packages=(nodejs)
if ! command -v npm > /dev/null; then
  consumer_packages+=(npm)
fi

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    echo "Run this as root, or install sudo: '$*' needs it." >&2
    return 1
  fi
}

# Installs the packages that aren't there yet.
install_packages() {
  local missing=() package
  for package in "$@"; do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done
  if [ ${#missing[@]} -eq 0 ]; then
    return
  fi
  echo "== Installing ${missing[*]}"
  as_root apt-get -q update
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y --no-install-recommends install "${missing[@]}"
}

# Configures a build folder: configure FOLDER [CMake options…]
configure() {
  local folder=$1
  shift
  echo "== Configuring $folder"
  cmake -S . -B "$folder" -G Ninja "$@"
}
