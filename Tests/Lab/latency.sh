# Plays taps and ten fingers to touchd and to other programs that read event nodes, all at once and each alone, and prints
# tables of when each program reported them. Arguments: the folder with bench-lab, the touchd to run, how many frames.
# Runs with --systemd, for udevd, whose properties libinput goes by.
set -euo pipefail
bench=$1/bench-lab
touchd=$2
frames=$3
# Each program writes every line immediately, as to a terminal.
programs=(
    "touchd=touchd:$touchd run --layout Tests/Lab/latency.yaml --output json --control /tmp/control 2>/tmp/touchd.log"
    "evtest=evtest:stdbuf -oL evtest NODE 2>/dev/null"
    "libinput debug-events=libinput:stdbuf -oL libinput debug-events --device NODE 2>/dev/null"
    "triggerhappy=keys:stdbuf -oL thd --dump NODE 2>/dev/null"
)
"$touchd" check Tests/Lab/latency.yaml >/dev/null

# table TITLE WORK HERTZ FINGERS: a row for each program.
table() {
    local work=("${@:2:3}" "$frames") program
    printf '\n%s:\n\n| | frames told | p50 | p99 | p99.9 |\n|---|---:|---:|---:|---:|\n' "$1"
    export STATUS="$touchd status --json --socket /tmp/control"
    "$bench" "${work[@]}" "${programs[@]}"
    "$bench" "${work[@]}" "${programs[0]}" | sed 's/^| /| alone: /'
    unset STATUS
    for program in "${programs[@]:1}"; do "$bench" "${work[@]}" "$program" | sed 's/^| /| alone: /'; done
}

table "Taps, 120 frames a second" taps 120 1
table "Taps, 1,000 frames a second" taps 1000 1
unset "programs[3]"
table "Ten fingers moving, 120 frames a second" moves 120 10
table "Ten fingers moving, 1,000 frames a second" moves 1000 10
