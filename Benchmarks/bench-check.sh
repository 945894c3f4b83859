#!/bin/sh
# Compares the instructions of fixed workloads with those kept in instructions.txt; a rise over 5 % fails.
# With --keep it keeps the counts of this build instead. Instructions, unlike times, are the same on a busy machine.
set -eu
cd "$(dirname "$0")"
swift build -c release --product count-instructions 1>&2
binaries=$(swift build -c release --show-bin-path)
# valgrind does not read the newest debug information.
strip -g -o "$binaries/count-instructions.stripped" "$binaries/count-instructions"
kept=$PWD/instructions.txt
cd ..

# Swift seeds its hash tables anew in every process, unless it is told not to.
export SWIFT_DETERMINISTIC_HASHING=1
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binaries/count-instructions.stripped" "$1" "$2" 2>&1 |
        sed -n 's/.*Collected : //p'
}

command -v valgrind >/dev/null || { echo "bench-check: install valgrind first" >&2; exit 1; }
new=$(mktemp)
trap 'rm -f "$new"' EXIT
"$binaries/count-instructions" | while IFS= read -r name; do
    printf '%s\t%d\n' "$name" $((($(count "$name" 900) - $(count "$name" 300)) / 600)) >> "$new"
done

if [ "${1:-}" = --keep ]; then
    cp "$new" "$kept"
    cat "$kept"
    exit
fi
awk -F '\t' '
    NR == FNR { kept[$1] = $2; next }
    {
        before = ($1 in kept) ? kept[$1] : 0
        change = before ? ($2 - before) * 100 / before : 0
        note = before ? sprintf("%+.1f %%", change) : "new"
        if (change > 5) { note = note "  more than 5 % above what is kept"; bad = 1 }
        printf "%-36s %8d %8d  %s\n", $1, before, $2, note
    }
    END {
        if (bad) {
            print "bench-check: find out what costs more, or keep the new counts with Benchmarks/bench-check.sh --keep"
            exit 1
        }
    }' "$kept" "$new"
