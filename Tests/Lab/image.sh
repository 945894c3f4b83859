# In the image that packaging/mkosi makes with the profile wev: plugs in a touchscreen, and waits until touchd forwards it to weston and
# wev, the program in place of the browser, prints a touch. Argument: the folder with uinput-play. `image` starts it.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
deadline=$((SECONDS + 600))
# awaits COMMAND…: returns when the command succeeds.
awaits() {
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline)) || { echo "not within 600 s: $*" && journalctl --boot --no-pager | tail -n 100 && exit 1; }
        sleep 0.2
    done
}
# printed TEXT: whether a program of the kiosk's session has printed it.
printed() { journalctl --boot --identifier=kiosk --output=cat --no-pager --grep "$1"; }
tap() { play "down panel 0 $1 $2" "frame panel" "up panel 0" "frame panel"; }

section system uname -srm
systemctl --version | head -n 1
units=(kiosk.service touchd.service touchd-web.socket)
for unit in "${units[@]}"; do awaits systemctl is-active "$unit"; done
section units systemctl is-active "${units[@]}"
systemctl --failed --no-legend
# runs PROGRAM: whether the user kiosk runs it.
runs() { cat $(grep -lxs "$1" /proc/[0-9]*/comm | sed 's/comm$/status/') | grep -qP "^Uid:\t$(id -u kiosk)\t"; }
awaits runs weston
awaits runs wev
section session echo "kiosk runs weston and wev"
loginctl list-sessions --no-legend

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
awaits sh -c "touchd status | grep 'forwarded as'"
section status touchd status
awaits printed xdg_toplevel
# wev gets no touch before it has drawn, and weston none before it has opened the forwarded touchscreen.
taps=0
until printed 'wl_touch.*down' >/dev/null; do
    ((SECONDS < deadline)) || awaits false
    tap 600 500
    taps=$((taps + 1))
    sleep 1
done
section touch echo "tap $taps"
journalctl --boot --identifier=kiosk --output=cat --no-pager --lines=4 --grep 'wl_touch.*(down|up)'
corner() { journalctl --boot --identifier=touchd --output=cat --no-pager --grep 'the service corner was tapped'; }
for _ in 1 2 3 4 5; do tap 20 20; done
awaits corner
section corner corner
section page bash -c 'exec 3<>/dev/tcp/127.0.0.1/8348; printf "GET / HTTP/1.0\r\nHost: 127.0.0.1:8348\r\n\r\n" >&3; head -n 1 <&3'
