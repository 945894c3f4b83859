# A visitor who does not see the screen chooses a ticket, and a Qt program draws behind a forwarded panel: prints what is said, and what the
# program gets. Arguments: the folder with the built programs, the touchd to run, the Qt program (Tests/SystemTests/Support/tickets.cpp).
# Runs with --systemd, for udevd.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/touches.sh
touchd=$2
log=/tmp/talking.log touches=/tmp/talking.touches got=/tmp/talking.got

# Puts a finger down or moves it, at a point of the layout: the panel has 1280 x 768 units for its 1080 x 1920 points.
finger() { play "$1 panel $2 $(($3 * 1280 / 1080)) $(($4 * 768 / 1920))" "frame panel"; }
lift() { play "up panel $1" "frame panel"; }
tap() { finger down "$1" "$2" "$3" && lift "$1"; }
# holds PROCESS NODE: returns when the process has the node open.
holds() {
    local deadline=$((SECONDS + 90))
    until ls -l "/proc/$1/fd" | grep -q -e "$2\$"; do
        ((SECONDS < deadline)) || { echo "the Qt program does not open $2" && cat $got && exit 1; }
        sleep 0.05
    done
}

# visit NAME PLUGIN: a visit, where Qt reads the forwarded touchscreen with that plugin.
visit() {
    : >$touches >$log >$got
    "$touchd" run --layout /tmp/talking.yaml --control /tmp/talking.control >$touches 2>$log &
    local touchd_pid=$!
    seen $log "is forwarded as"
    udevadm settle
    local node
    node=$(node 'EP0430M09 (touchd)')
    XDG_RUNTIME_DIR=/tmp QT_QPA_PLATFORM=offscreen QT_QPA_GENERIC_PLUGINS=${2/NODE/$node} "$program" >$got 2>&1 &
    local program_pid=$!
    seen $got ready
    holds $program_pid "$node"

    # No gesture here must end within a time: the finger moves on when a text has been said, and another finger taps meanwhile.
    "$touchd" talk on --socket /tmp/talking.control
    finger down 0 540 100
    seen $touches "say focus: Ticket machine of the city" 2
    finger move 0 540 700
    seen $touches "say focus: Deutsch"
    finger move 0 540 1050
    seen $touches "say focus: English"
    tap 1 200 1850
    seen $got "pressed English"
    finger move 0 540 400
    seen $touches "say focus: Single"
    finger move 0 540 650
    seen $touches "say focus: Day ticket"
    tap 1 200 1850
    seen $got "pressed Day ticket"
    finger move 0 540 900
    seen $touches "say focus: Week ticket"
    lift 0
    "$touchd" talk off --socket /tmp/talking.control
    tap 0 540 1840
    seen $got "pressed Start"
    section "talking-said-$1" sed -n 's/^ *[0-9.]* s  say //p' $touches
    section "talking-got-$1" sed -n '/ready/,$p' $got
    kill $program_pid $touchd_pid
    wait $program_pid $touchd_pid || true
}

program=$3
play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
# An emulated machine is slow: no touch is dropped because it waited.
cat Tests/LayoutTests/Files/good/talking.yaml - >/tmp/talking.yaml <<'END'
devices: [{match: {name: EP0430M09}, forward: true}]
watchdog: {drop-after: 3600 s}
END
visit evdevtouch evdevtouch:NODE
visit libinput libinput
play "destroy panel"
heard
