#!/bin/sh
# Prints, for touchd and other programs that read event nodes, how long after the kernel's stamp they report a frame: in the
# kernel lab, whose processor is emulated. BINARY names the touchd, the first argument the frames that are played for a row.
set -eu
cd "$(dirname "$0")/.."
swift build -c release --package-path Benchmarks --product bench-lab 1>&2
Benchmarks/machine
echo "libinput $(pkg-config --modversion libinput), $(evtest --version | tr -d '\n'), triggerhappy" \
    "$(dpkg-query -W -f '${Version}' triggerhappy), $(qemu-system-x86_64 --version | sed -n 's/^QEMU emulator version \([0-9.]*\).*/QEMU \1/p')"
root=$(pwd -P)
# Where a folder of this repository is in the lab.
folder() { (cd "$1" && pwd -P | sed "s|^$root|/lab|"); }
touchd=${BINARY:-.build/release/touchd}
Tests/Lab/boot --systemd --processors 2 --timeout 1800 Tests/Lab/latency.sh "$(folder Benchmarks/.build/release)" \
    "$(folder "$(dirname "$touchd")")/touchd" "${1:-2000}"
