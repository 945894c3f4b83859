#!/bin/sh
# Prints how long after a panel's event a reader gets it, from the panel itself, through a C program that copies events unchanged
# and through touchd, in the kernel lab, whose processor is emulated. BINARY names the touchd, the first argument the frames of a row.
set -eu
work=.build/bench-forward
mkdir -p $work
for program in copy-touches measure-touches; do
    cc -O2 -Wall -Wextra -pthread -o $work/$program Benchmarks/Forward/$program.c
done
# The machine has this folder at /lab.
folder=$(realpath "$(dirname "$BINARY")")
Tests/Lab/boot --systemd --processors 2 --timeout 1800 Tests/Lab/forward-latency.sh /lab/$work "/lab${folder#"$(pwd -P)"}/touchd" "${1:-2000}"
