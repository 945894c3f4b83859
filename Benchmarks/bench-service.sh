#!/bin/sh
# bench-service: what touchd takes of a machine beside triggerhappy, which starts programs for keys: time from its start to
# READY=1 (here), memory under systemd (in the kernel lab, since it is the same there), sizes of program and package.
set -eu
cd "$(dirname "$0")/.."
touchd=${BINARY:-.build/release/touchd}
package=${PACKAGE:-$(ls dist/touchd_*_"$(dpkg --print-architecture)".deb)}
rounds=${ROUNDS:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

thd=/usr/sbin/thd
strip -o "$work/touchd" "$touchd"
Benchmarks/start-to-ready "$rounds" "$work/touchd run --layout config/touchd.yaml --output json" \
    "$thd --triggers /etc/triggerhappy/triggers.d/ --socket $work/thd.socket" >"$work/ready"
Tests/Lab/boot --systemd --timeout 900 Benchmarks/service-memory.sh "$(realpath .build/debug | sed "s|^$PWD|/lab|")" \
    "$(realpath "$touchd" | sed "s|^$PWD|/lab|")" >"$work/memory" || { cat "$work/memory" >&2; exit 1; }
apt-get --quiet=2 --print-uris download triggerhappy | awk '{ print $3 }' >"$work/peer"

sh Benchmarks/machine
echo
echo "| | touchd | triggerhappy $(dpkg-query --show --showformat='${Version}' triggerhappy) |"
echo "|---|---:|---:|"
# row WORDS FILE FIELD UNIT: the first line's field is touchd's, the second's is triggerhappy's.
row() { awk -v words="$1" -v unit="$4" -v field="$3" '{ printf "%s%s %s", NR == 1 ? "| " words " | " : " | ", $field, unit } END { print " |" }' "$2"; }
row "start to READY=1, median of $rounds" "$work/ready" 1 ms
row "start to READY=1, fastest" "$work/ready" 2 ms
row "start to READY=1, slowest" "$work/ready" 3 ms
for when in ready touched; do
    words=$([ $when = ready ] && echo "once ready" || echo "after 400 touches")
    grep " $when " "$work/memory" >"$work/then"
    row "resident, $words" "$work/then" 3 MB
    row "of it not shared, $words" "$work/then" 5 MB
done
megabytes() { awk -v bytes="$1" 'BEGIN { printf bytes < 1e6 ? "%.2f\n" : "%.1f\n", bytes / 1e6 }'; }
{ megabytes "$(stat -c %s "$work/touchd")"; megabytes "$(stat -c %s $thd)"; } >"$work/size"
row "program, stripped" "$work/size" 1 MB
{ megabytes "$(stat -c %s "$package")"; megabytes "$(cat "$work/peer")"; } >"$work/size"
row "package to download" "$work/size" 1 MB
