#!/bin/sh
# Prints, for every touch recording of the tests that libinput takes too, whether both find the same touches, and what a
# report costs each: nanoseconds by the clock, instructions by callgrind. Arguments: parts of recordings' names.
#
# Both read, in one process, an event node that umockdev makes, report by report: write, wait by epoll, read, call back. Both
# wait in a run loop of touchd's, since libinput leaves the waiting to the program that uses it.
set -eu
cd "$(dirname "$0")"
swift build -c release --product bench-decode 1>&2
bench=$(swift build -c release --show-bin-path)/bench-decode
recordings=../Tests/EvdevTests/Recordings
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# valgrind does not read the newest debug information.
strip -g -o "$work/bench-decode" "$bench"

./machine
echo "libinput $(pkg-config --modversion libinput), libevdev $(pkg-config --modversion libevdev), umockdev" \
    "$(pkg-config --modversion umockdev-1.0), valgrind $(valgrind --version | sed 's/^valgrind-//')"
echo

# Instructions in user space that a function takes with all it calls, for a report once warm: the profile is in $work.
per_report() {
    callgrind_annotate --inclusive=yes --threshold=100 "$work/profile" | awk -v name="$1" -v reports="$2" \
        'index($0, name) { gsub(",", "", $1); print int($1 / reports); exit }'
}

echo "| recording | protocol | reports | touches: touchd | libinput | the same | ns: touchd | libinput | instructions: touchd | libinput |"
echo "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
sed -nE 's/^\{"recording": "([^"]*)"(, "description": "([^"]*)")?, "kind": "touchscreen".*/\1\t\3/p' \
    $recordings/expectations.json >"$work/list"
tab=$(printf '\t')

while IFS="$tab" read -r events description; do
    for part in "${@:-}"; do case $events in *"$part"*) break ;; *) false ;; esac done || continue
    description=${description:+$recordings/$description}
    row=$(umockdev-wrapper "$bench" "$recordings/$events" ${description:+"$description"} </dev/null)
    case $row in "not taken"*) echo "$events: $row" >>"$work/notes" && continue ;; esac
    IFS="$tab" read -r protocol reports mine theirs same time libinput_time difference <<ROW
$row
ROW
    counted=$(umockdev-wrapper valgrind -q --log-file="$work/said" --tool=callgrind \
        --callgrind-out-file="$work/profile" \
        "$work/bench-decode" --count "$recordings/$events" ${description:+"$description"} </dev/null)
    instructions=$(per_report touchdDispatch "$counted")
    libinput_instructions=$(per_report libinputDispatch "$counted")
    echo "| $events | $protocol | $reports | $mine | $theirs | $same | $time | $libinput_time | $instructions | $libinput_instructions |"
    [ -z "$difference" ] || echo "$events: $difference" >>"$work/notes"
done <"$work/list"
[ ! -e "$work/notes" ] || { echo && sed 's/^/- /' "$work/notes"; }
