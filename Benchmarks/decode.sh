#!/bin/sh
# Prints, for every touchscreen recording of the tests that libinput takes too, whether both find the same touches, and what a
# report costs each: nanoseconds by the clock, instructions by callgrind. Arguments: parts of recordings' names.
# Both read, in one process, an event node that umockdev makes, report by report: write, wait by epoll, read, call back.
set -eu
bench=Benchmarks/.build/release/bench-decode
recordings=Tests/EvdevTests/Recordings
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# valgrind does not read the newest debug information.
strip -g -o "$work/bench-decode" $bench
echo "libinput $(pkg-config --modversion libinput), libevdev $(pkg-config --modversion libevdev), umockdev" \
    "$(pkg-config --modversion umockdev-1.0), valgrind $(valgrind --version | sed 's/^valgrind-//')"
echo
echo "| recording | protocol | reports | touches: touchd | libinput | the same | ns: touchd | libinput | instructions: touchd | libinput |"
echo "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
sed -nE 's/^\{"recording": "([^"]*)"(, "description": "([^"]*)")?, "kind": "touchscreen".*/\1\t\3/p' \
    $recordings/expectations.json | while IFS=$(printf '\t') read -r events description; do
    for part in "${@:-}"; do case $events in *"$part"*) break ;; *) false ;; esac done || continue
    description=${description:+$recordings/$description}
    row=$(umockdev-wrapper $bench "$recordings/$events" ${description:+"$description"} </dev/null)
    case $row in "not taken"*) continue ;; esac
    rm -f "$work"/counts*
    reports=$(umockdev-wrapper valgrind -q --log-file="$work/said" --tool=callgrind --instr-atstart=no --collect-atstart=no \
        --callgrind-out-file="$work/counts" "$work/bench-decode" --count "$recordings/$events" ${description:+"$description"} </dev/null)
    instructions() { echo $(($(sed -n 's/^totals: //p' "$(grep -lx "desc: Trigger: Client Request: $1" "$work"/counts*)") / reports)); }
    echo "| $events | $(echo "$row" | sed 's/\t/ | /g') | $(instructions touchd) | $(instructions libinput) |"
done
