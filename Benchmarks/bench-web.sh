#!/bin/sh
# Prints the time from a touchscreen's frame to a DOM event, and what ten pages get of which one does not read. BINARY names
# the touchd, beside which touchd-web is.
set -eu
cd "$(dirname "$0")/.."
Benchmarks/machine
echo
python3 Benchmarks/web.py "${BINARY:-.build/release/touchd}"
