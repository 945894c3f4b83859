#!/bin/sh
# Prints what the inspector costs touchd, and what it needs itself. BINARY names the touchd, beside which
# touchd-inspect is.
set -eu
cd "$(dirname "$0")/.."
touchd=${BINARY:-.build/release/touchd}
Benchmarks/machine
echo
python3 Benchmarks/inspect.py "$(realpath "$touchd")"
