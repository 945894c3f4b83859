#!/bin/sh
# Prints what it costs touchd that somebody looks on, and what the inspector itself takes. BINARY names the touchd, beside which
# touchd-inspect is.
set -eu
cd "$(dirname "$0")/.."
touchd=${BINARY:-.build/release/touchd}
Benchmarks/machine
echo
python3 Benchmarks/inspect.py "$(realpath "$touchd")"
