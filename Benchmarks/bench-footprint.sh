#!/bin/sh
# Prints what touchd takes: how long from its start until it is ready, resident memory by what it is, system calls while
# nothing happens, and what each library adds to the program, by MAP, which its link left. BINARY names the touchd.
set -eu
cd "$(dirname "$0")/.."
touchd=${BINARY:-.build/release/touchd}
Benchmarks/machine
echo
python3 Benchmarks/footprint.py "$(realpath "$touchd")" config/touchd.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strip -o "$work/touchd" "$touchd"
echo
python3 Benchmarks/link-map.py "${MAP:-.build/touchd.map}" "$work/touchd"
