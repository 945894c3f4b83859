#!/bin/sh
# check.sh PROGRAM [--keep]: compares the instructions of count-instructions' workloads with those kept in
# instructions.txt; a rise over 5 % fails. With --keep it keeps these counts instead. Instructions, unlike times, are the same
# on a busy machine. `make bench-check` builds the program, of what it compiled for touchd.
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "bench-check: install valgrind first" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# valgrind does not read the newest debug information.
strip -g -o "$work/count-instructions" "$program"

# Without this, Swift seeds its hash tables differently in every process.
SWIFT_DETERMINISTIC_HASHING=1 valgrind -q --tool=callgrind --instr-atstart=no --callgrind-out-file="$work/counts" \
    "$work/count-instructions" >/dev/null
{
    echo "# $(swift --version 2>/dev/null | grep -o 'Swift version [0-9.]*' | head -n 1), $(uname -m)"
    # A file for each workload: what it is, then what it took 600 times.
    for file in "$work"/counts.*; do
        sed -n 's/^desc: Trigger: Client Request: //p; s/^totals: //p' "$file" | paste - -
    done | sort -t "$(printf '\t')" -k 1,1 | awk -F '\t' '{ printf "%s\t%d\n", $1, $2 / 600 }'
} >"$work/new"

if [ "${2:-}" = --keep ]; then
    cp "$work/new" Benchmarks/instructions.txt
    cat Benchmarks/instructions.txt
else
    Benchmarks/compare-counts Benchmarks/instructions.txt "$work/new"
fi
