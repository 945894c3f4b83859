# Moves a finger on a virtual panel, 120 frames a second, and prints tables of when a reader received each frame: from the panel
# itself, from copy-touches (a C program that copies events unchanged) and from touchd. Arguments: the folder with the built C
# programs, the touchd to run, how many frames. Runs with --systemd, for udevd.
set -euo pipefail
programs=$1 touchd=$2 frames=$3
cat >/tmp/forward.yaml <<'END'
screen: {size: [1920, 1080]}
devices: [{match: {name: "bench panel"}, forward: true}]
views: [{id: page, frame: [0, 0, 1920, 1080]}]
END

# row TITLE SUFFIX [OPTION…] -- [COMMAND…]: measures while the command, with the panel's node for NODE, runs as a service with
# the unit's options.
row() {
    local title=$1 suffix=$2 options=() node
    shift 2
    while [[ $1 != -- ]]; do options+=("$1") && shift; done
    shift
    coproc MEASURE { "$programs/measure-touches" "$frames" 120 "$suffix"; }
    read -r node <&"${MEASURE[0]}"
    if [[ $# -gt 0 ]]; then
        systemd-run --quiet --unit=forwarder "${options[@]}" "${@//NODE/$node}"
    fi
    local line
    read -r line <&"${MEASURE[0]}" || line="failed | | |"
    echo "| $title | $line"
    wait "$MEASURE_PID" 2>/dev/null || true
    systemctl stop forwarder.service 2>/dev/null || true
    systemctl reset-failed forwarder.service 2>/dev/null || true
}

touchd_command=("$touchd" run --layout /tmp/forward.yaml --control /tmp/forward.control)
table() {
    printf '\n%s:\n\n| | frames received | p50 | p99 | p99.9 |\n|---|---:|---:|---:|---:|\n' "$1"
    row "the panel itself" "" --
    row "copy-touches" " (copied)" -- "$programs/copy-touches" NODE
    row "touchd" " (touchd)" -- "${touchd_command[@]}"
}
table "Idle processors"
systemd-run --quiet --unit=load stress-ng --quiet --cpu 4
table "Beside \`stress-ng --cpu 4\`"
row "touchd, \`CPUWeight=1000\`" " (touchd)" -p CPUWeight=1000 -- "${touchd_command[@]}"
row "touchd, \`Nice=-10\`" " (touchd)" -p Nice=-10 -- "${touchd_command[@]}"
row "copy-touches, \`Nice=-10\`" " (copied)" -p Nice=-10 -- "$programs/copy-touches" NODE
systemctl stop load.service
