#!/bin/sh
# Prints how long after a panel's event a reader gets it, from the panel itself, through a C program that copies events unchanged
# and through touchd, in the kernel lab, whose processor is emulated; then the instructions of a moved touch. BINARY names the
# touchd, the first argument the frames of a row.
set -eu
cd "$(dirname "$0")/.."
work=.build/bench-forward
mkdir -p "$work"
for program in copy-touches measure-touches; do
    cc -O2 -Wall -Wextra -pthread -o "$work/$program" "Benchmarks/Forward/$program.c"
done
Benchmarks/machine
# The machine has this folder at /lab.
folder=$(realpath "$(dirname "${BINARY:-.build/release/touchd}")")
touchd=/lab${folder#"$(pwd -P)"}/touchd
Tests/Lab/boot --systemd --processors 2 --timeout 1800 Tests/Lab/forward-latency.sh "/lab/$work" "$touchd" "${1:-2000}"

# instructions FRAMES: those of copy-touches for that number of frames of one moved finger, as the panel reports them.
instructions() {
    python3 -c "
import struct, sys
for x in range($1):
    for type, code, value in ((3, 53, x % 65536), (3, 0, x % 65536), (0, 0, 0)):
        sys.stdout.buffer.write(struct.pack('qqHHi', 0, 0, type, code, value))" >"$work/frames"
    # One read for each frame, as from a panel whose finger moves.
    python3 -c "
import os, time
with open('$work/frames', 'rb') as file:
    while frame := file.read(72):
        os.write(1, frame)
        time.sleep(0.002)" |
        valgrind -q --tool=callgrind --callgrind-out-file="$work/counts" "$work/copy-touches" - >/dev/null
    sed -n 's/^\(totals\|summary\): //p' "$work/counts" | head -n 1
}
few=$(instructions 200)
many=$(instructions 1200)
strip -g -o "$work/count-instructions" .build/release/count-instructions
SWIFT_DETERMINISTIC_HASHING=1 valgrind -q --tool=callgrind --instr-atstart=no --callgrind-out-file="$work/workloads" \
    "$work/count-instructions" >/dev/null
for file in "$work"/workloads.*; do
    sed -n 's/^desc: Trigger: Client Request: //p; s/^totals: //p' "$file" | paste - -
done | awk -F '\t' -v copied=$(((many - few) / 1000)) '/^forwarded/ {
    printf "\n| a moved touch, from read to write | instructions of the program |\n|---|---:|\n"
    printf "| copy-touches | %d |\n| touchd | %d |\n", copied, $2 / 600
}'
rm -f "$work"/workloads*
