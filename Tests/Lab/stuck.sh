# Runs a program on touchd's library, in touchd's place, with handlers that do not return in time, and prints the results in sections.
# Arguments: the folder with the built programs, the folder under which `make install DESTDIR=` has put touchd.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh
bash Tests/Lab/install.sh "$2"

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard

# A handler returns after three seconds. A touch that came and went meanwhile is dropped; those that began before end.
sed 's/stuck}/slow}/' Tests/Lab/stuck.yaml >/run/slow.yaml
"${mocked[@]}" "$1/StuckKiosk" /run/slow.yaml slow >/tmp/slow.json 2>/tmp/slow.log &
slow_pid=$!
play "wait-open panel"
heard
# ended COUNT: waits until COUNT touches have ended.
ended() { until [[ $(grep -c '"ended"' /tmp/slow.json) -ge $1 ]]; do kill -0 "$slow_pid"; done; }
play "down panel 1 200 100" "frame panel" "down panel 0 640 700" "frame panel"
play "down panel 2 300 100" "frame panel" "up panel 2" "frame panel" "up panel 1" "frame panel" "up panel 0" "frame panel"
ended 2
play "down panel 0 640 300" "frame panel" "up panel 0" "frame panel"
ended 3
kill "$slow_pid" && wait "$slow_pid" || true
section slow-touches cat /tmp/slow.json
section slow-log grep "was dropped" /tmp/slow.log

# A separate program in touchd's place, with a handler that does not return.
mkdir -p /run/systemd/system/touchd.service.d
printf '[Service]\nExecStart=\nExecStart=%s /lab/Tests/Lab/stuck.yaml\n' "$(realpath "$1/StuckKiosk")" \
    >/run/systemd/system/touchd.service.d/stuck.conf
systemctl daemon-reload
follow touchd.service
systemctl start touchd.service
logged ea3972b462204261b677cd7959cf6e6d
systemctl service-watchdogs yes
# Meanwhile a finger comes down elsewhere and stays down.
play "down panel 1 200 100" "frame panel" "down panel 0 640 700" "frame panel"
logged 7f14c966cdc2417c93f7cc6a412cb439
logged ea3972b462204261b677cd7959cf6e6d
systemctl service-watchdogs no
section restarted systemctl show --property=NRestarts,ActiveState,SubState touchd.service
play "up panel 0" "frame panel" "up panel 1" "frame panel"
play "down panel 0 640 300" "frame panel" "up panel 0" "frame panel"
logged '"TOUCHD_PHASE":"ended"' '"TOUCHD_VIEW":"whole"'
systemctl stop touchd.service
journalctl --sync
section stuck-journal journalctl --boot --no-pager --output=json --unit=touchd.service

# Restores the service as `make install` left it.
rm -r /run/systemd/system/touchd.service.d
systemctl daemon-reload
