#!/bin/sh
# Prints, for every touch recording of the tests that libinput takes too, whether both find the same touches, and what a
# report costs each: nanoseconds by the clock, instructions by callgrind. Arguments: parts of recordings' names.
#
# Both read, in one process, an event node that umockdev makes, report by report: write, wait by epoll, read, call back.
set -eu
cd "$(dirname "$0")"
swift build -c release --product bench-decode 1>&2
bench=$(swift build -c release --show-bin-path)/bench-decode
recordings=../Tests/EvdevTests/Recordings
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# valgrind does not read the newest debug information.
strip -g -o "$work/bench-decode" "$bench"

echo "$(uname -n): $(nproc) × $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r), $(date -u +%F)," \
    "load $(cut -d ' ' -f 1 /proc/loadavg); libinput $(pkg-config --modversion libinput)"
echo

# Instructions in the user space of a report: what more rounds take more, divided by the reports in them.
count() {
    collected() {
        timeout 300 umockdev-wrapper valgrind --tool=callgrind --callgrind-out-file=/dev/null \
            --toggle-collect='*touchdDispatch*' --toggle-collect=libinput_touch_dispatch \
            "$work/bench-decode" --count "$1" "$2" "$3" ${4:+"$4"} 2>&1 | sed -n 's/.*Collected : //p'
    }
    less=$((400 / $2 + 1))
    more=$((2000 / $2 + 2))
    echo $((($(collected "$1" $more "$3" "$4") - $(collected "$1" $less "$3" "$4")) / (more - less) / $2))
}

echo "| recording | protocol | reports | touches: touchd | libinput | the same | ns: touchd | libinput | instructions: touchd | libinput |"
echo "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
sed -nE 's/^\{"recording": "([^"]*)"(, "description": "([^"]*)")?, "kind": "touchscreen".*/\1\t\3/p' \
    $recordings/expectations.json >"$work/list"
tab=$(printf '\t')
while IFS="$tab" read -r events description; do
    for part in "${@:-}"; do case $events in *"$part"*) break ;; *) false ;; esac done || continue
    description=${description:+$recordings/$description}
    row=$(timeout 300 umockdev-wrapper "$bench" "$recordings/$events" ${description:+"$description"} </dev/null)
    case $row in "not taken"*) echo "$events: $row" >>"$work/notes" && continue ;; esac
    IFS="$tab" read -r protocol reports mine theirs same time libinput_time difference <<ROW
$row
ROW
    instructions=$(count touchd "$reports" "$recordings/$events" "$description" </dev/null)
    libinput_instructions=$(count libinput "$reports" "$recordings/$events" "$description" </dev/null)
    echo "| $events | $protocol | $reports | $mine | $theirs | $same | $time | $libinput_time | $instructions | $libinput_instructions |"
    [ -z "$difference" ] || echo "$events: $difference" >>"$work/notes"
done <"$work/list"
[ ! -e "$work/notes" ] || { echo && sed 's/^/- /' "$work/notes"; }
