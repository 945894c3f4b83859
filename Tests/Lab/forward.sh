# Forwards a panel's touches through touchd and prints what libinput gets from the forwarded touchscreen and from the grabbed
# panel. Arguments: the folder with the built programs, the touchd to run. Runs with --systemd, for udevd.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/touches.sh
touchd=$2
log=/tmp/forward.log touches=/tmp/forward.touches events=/tmp/forward.events direct=/tmp/forward.direct

run() {
    : >"$log"
    "$1" "${@:2}" >$touches 2>"$log" &
    touchd_pid=$!
    seen "$log" "is forwarded as"
}

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
panel=${answer##* }
sed s/slow/log/ Tests/Lab/forward.yaml >/tmp/forward.yaml
run "$touchd" run --layout /tmp/forward.yaml --format json --control /tmp/forward.control
forwarded=$(node 'EP0430M09 (touchd)')
udevadm settle
section forward-udev bash -c "udevadm info --query=property $forwarded | grep -E '^ID_INPUT' | sort"
section forward-devices "$touchd" devices --layout /tmp/forward.yaml
section forward-status "$touchd" status --socket /tmp/forward.control
reader "$forwarded" $events
reader "$panel" $direct

# A tap on a view with forward: false, one beside it, a swipe that takes its touch back, and one more tap.
play "down panel 0 100 100" "frame panel" "up panel 0" "frame panel"
play "down panel 0 600 500" "frame panel" "up panel 0" "frame panel"
seen $events TOUCH_UP
play "down panel 0 900 500" "frame panel" "move panel 0 700 500" "frame panel" "move panel 0 500 500" "frame panel"
play "move panel 0 300 500" "frame panel" "up panel 0" "frame panel"
seen $events TOUCH_CANCEL
play "down panel 0 600 300" "frame panel" "up panel 0" "frame panel"
seen $events TOUCH_UP 2
section forward-routed touched $events
section forward-place place $events
section forward-panel touched $direct

# A reload that changes another device's rule opens all devices again, and keeps the touchscreen: libinput sees none removed.
sed -i 's/^devices:/&\n  - {match: {name: nobody}, ignore: true}/' /tmp/forward.yaml
section forward-reload "$touchd" reload --socket /tmp/forward.control
section forward-kept bash -c "grep -c DEVICE_REMOVED $events || true"

# Replugged with a finger down: the forwarded touchscreen goes and comes with its panel.
play "down panel 0 600 500" "frame panel"
seen $events TOUCH_DOWN 4
play "destroy panel"
heard
seen $events DEVICE_REMOVED
section forward-unplugged touched $events
end_readers
play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
panel=${answer##* }
seen "$log" "is forwarded as" 2
forwarded=$(node 'EP0430M09 (touchd)')
udevadm settle
reader "$forwarded" $events
reader "$panel" $direct
play "down panel 0 600 500" "frame panel" "up panel 0" "frame panel"
seen $events TOUCH_UP
section forward-replugged touched $events

# Killed with a finger down: the kernel removes the touchscreen and the grab at once, and the panel's readers get the next
# touch. The next touchd grabs the panel when that finger is up.
play "down panel 0 600 500" "frame panel"
seen $events TOUCH_DOWN 2
kill -KILL "$touchd_pid"
# Otherwise bash prints that it was killed, into a section.
wait "$touchd_pid" 2>/dev/null || true
seen $events DEVICE_REMOVED
play "up panel 0" "frame panel" "down panel 1 600 500" "frame panel"
seen $direct TOUCH_DOWN
: >"$log"
"$touchd" run --layout /tmp/forward.yaml --format json --control /tmp/forward.control >$touches 2>"$log" &
touchd_pid=$!
seen "$log" "as soon as no finger is down"
section forward-waits bash -c "'$touchd' status --socket /tmp/forward.control | grep '^device.*EP0430M09:'"
play "up panel 1" "frame panel"
seen $direct TOUCH_UP
seen "$log" "is forwarded as"
section forward-killed touched $direct
end_readers
kill "$touchd_pid" && wait "$touchd_pid"

# A handler in Swift does not return for some seconds: another thread ends the finger and releases the panel.
run "$1/StuckKiosk" Tests/Lab/forward.yaml slow
reader "$(node 'EP0430M09 (touchd)')" $events
reader "$panel" $direct
play "down panel 0 600 500" "frame panel"
seen $events TOUCH_DOWN
play "down panel 1 1180 100" "frame panel"
seen $events TOUCH_CANCEL
play "up panel 0" "up panel 1" "frame panel" "down panel 0 600 300" "frame panel"
seen $direct TOUCH_DOWN
play "up panel 0" "frame panel"
seen $direct TOUCH_UP
seen "$log" "is forwarded as" 2
play "down panel 0 600 300" "frame panel" "up panel 0" "frame panel"
seen $events TOUCH_UP
section forward-guardian touched $events
section forward-guardian-panel touched $direct
section forward-guardian-log grep -c "is not grabbed any more" "$log"
end_readers
kill "$touchd_pid" && wait "$touchd_pid" || true

# Without permission for uinput the panel is not grabbed.
chmod 644 "$panel"
setpriv --reuid=nobody --regid=nogroup --clear-groups "$touchd" run --layout /tmp/forward.yaml --format json 2>"$log" >/dev/null &
seen "$log" "not forwarded"
kill $! && wait $! || true
section forward-refused grep -m 1 "not forwarded" "$log"

# Two panels, each of a screen: a contact shorter than the debounce time, a calibrated one, and two fingers in one frame on
# the panel that is mounted upright, of which one goes through.
play "device upright $recordings/elan-touchscreen/ELAN Touchscreen.desc"
heard
: >"$log"
"$touchd" run --layout Tests/Lab/forward-screens.yaml --format json --control /tmp/forward.control >$touches 2>"$log" &
touchd_pid=$!
seen "$log" "is forwarded as" 2
upright=/tmp/forward.upright
reader "$(node 'EP0430M09 (touchd)')" $events
reader "$(node 'ELAN Touchscreen (touchd)')" $upright
play "down panel 0 100 100" "frame panel" "up panel 0" "frame panel" "down panel 1 600 500" "frame panel"
seen $events TOUCH_DOWN
play "up panel 1" "frame panel" "down upright 0 331 1686" "down upright 1 2485 468" "frame upright"
play "up upright 0" "up upright 1" "frame upright"
seen $events TOUCH_UP
seen $upright TOUCH_UP
section forward-calibrated touched $events
section forward-calibrated-place place $events
section forward-upright touched $upright
section forward-upright-place place $upright
end_readers
kill "$touchd_pid" && wait "$touchd_pid" || true
play "destroy upright"
heard
play "destroy panel"
heard
