# Makes a touchscreen and a mouse, lets programs read what is played on them, and prints all of it in sections.
# Argument: the folder with the built programs. Runs with --systemd, for udevd.
set -euo pipefail
source Tests/Lab/section.sh
command -v evtest >/dev/null || { echo "missing on this machine; try: apt-get install evtest" >&2; exit 69; }

source Tests/Lab/play.sh "$1"

# record NAME COMMAND…: has a program read the device from here on, until the device is gone.
record() {
    "${@:2}" >"/tmp/$1.events" 2>&1 &
    play "wait-open $1"
    heard
}

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard && panel=${answer##* }
play "device mouse $recordings/mouse-pixart-hwheel/PIXART-USB-OPTICAL-MOUSE.desc"
heard && mouse=${answer##* }

section udev-panel udevadm info --query=property "$panel"
section udev-mouse udevadm info --query=property "$mouse"

record panel evtest "$panel"
# evtest leaves out the value of a SYN_REPORT. Of the 24 bytes of an event, the first 16 are its time.
record mouse od --address-radix=n --output-duplicates --width=24 --format=d2 "$mouse"
play "down panel 0 100 200" "down panel 3 640 384" "frame panel"
play "move panel 3 641 385" "frame panel" "up panel 0" "frame panel" "up panel 3" "frame panel"
play "down panel 1 7 8" "frame panel"
play "event mouse REL_X 5" "event mouse REL_Y -7" "frame mouse" "event mouse BTN_LEFT 1" "frame mouse"
play "event mouse BTN_LEFT 0" "frame mouse" "event mouse BTN_LEFT 1" "frame mouse"
play "destroy panel" && heard && echo "$answer" >/tmp/destroyed
play "destroy mouse" && heard && echo "$answer" >>/tmp/destroyed
wait $(jobs -p | grep -vx "$PLAY_PID") || true

section panel cat /tmp/panel.events
section mouse cat /tmp/mouse.events
section destroyed cat /tmp/destroyed
section nodes-left find /dev/input -path "$panel" -o -path "$mouse"
