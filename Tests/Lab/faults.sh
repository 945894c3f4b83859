# Causes a kiosk's faults with the installed service, and prints the results in sections: journald that is
# away, programs that do not read, a handler that does not return. Runs after service.sh. Argument: the folder with the
# built programs. No step waits for a time, but one fills ten seconds.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh

# number KEY: a number in the service's status. reached KEY NUMBER: waits until it is at least NUMBER.
number() { touchd status --json | sed -nE "s/^ *\"$1\" : ([0-9]+),?\$/\1/p" | head -n 1; }
reached() { until (($(number "$1") >= $2)); do :; done; }

# tap COUNT: puts four fingers on the view "whole" and lifts them, COUNT times; returns when the subscriber has received all
# touches. One hand, then the next: the kernel's buffer for a reader holds some dozens of events and drops all if it overflows.
taps=0
tap() {
    local line i left
    for ((i = 0; i < $1; i++)); do
        play "down panel 0 200 300" "down panel 1 400 300" "down panel 2 600 300" "down panel 3 800 300" "frame panel"
        play "up panel 0" "up panel 1" "up panel 2" "up panel 3" "frame panel"
        left=4
        while ((left > 0)) && read -r -t 60 -u 6 line; do [[ $line != *'"ended"'* ]] || left=$((left - 1)); done
        ((left == 0)) || { echo "no touch was reported within a minute" && exit 1; }
        taps=$((taps + 4))
    done
}

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
cp Tests/Lab/faults.yaml /etc/touchd/touchd.yaml
systemctl start touchd.service

# Only root and members of the group may connect.
section status-root touchd status
section status-member setpriv --reuid=nobody --regid=touchd --clear-groups touchd status
section status-stranger bash -c \
    'setpriv --reuid=nobody --regid=nogroup --clear-groups touchd status 2>&1 || echo "exit status $?"'
section catalog journalctl --boot --catalog --no-pager --lines=1 MESSAGE_ID=ea3972b462204261b677cd7959cf6e6d
section socket stat --format='%A %U %G' /run/touchd /run/touchd/control

# One program reads everything; another one asks for moves and never reads.
mkfifo /tmp/monitor
touchd monitor --json >/tmp/monitor &
monitor=$!
exec 6</tmp/monitor
touchd monitor --moves --json >/dev/null &
silent=$!
reached subscribers 2
kill -STOP $silent
until (($(number droppedEvents) > 0)); do tap 100; done
section silent-client touchd status
kill -KILL $silent
until [[ $(number subscribers) == 1 ]]; do :; done

# cursor: prints the cursor of touchd's last entry. entries CURSOR: prints touchd's later entries, once no entry is waiting. Both select by
# the identifier that touchd writes, because journald looks up the unit itself. They need the same filter: after the cursor of an entry that
# its filter excludes, journalctl leaves out one that it includes.
cursor() {
    journalctl --boot --no-pager --lines=1 --output=cat --show-cursor --identifier=touchd | sed -n 's/^-- cursor: //p'
}
entries() {
    until [[ $(number waiting) == 0 ]]; do :; done
    journalctl --sync
    journalctl --after-cursor="$1" --no-pager --output=json --identifier=touchd
}

# journald and its sockets are stopped for ten seconds during touches, then started again.
start=$(cursor) before=$taps
units=(systemd-journald.socket systemd-journald-dev-log.socket systemd-journald-audit.socket systemd-journald.service)
systemctl stop "${units[@]}" 2>/dev/null
SECONDS=0
while ((SECONDS < 10)); do tap 1; done
section without-journald bash -c "echo taps $((taps - before)); touchd status | grep ^log"
systemctl start "${units[@]}"
tap 1
section without-journald-journal entries "$start"

# journald runs but is suspended, as with a disk that does not respond.
start=$(cursor) before=$taps
journald=$(systemctl show --property=MainPID --value systemd-journald.service)
kill -STOP "$journald"
until (($(number waiting) > 0)); do tap 50; done
section stopped-journald bash -c "echo taps $((taps - before)); touchd status | grep ^log"
kill -CONT "$journald"
section stopped-journald-journal entries "$start"
# journald writes its messages about files to the kernel's log only.
section journald bash -c 'journalctl --boot --no-pager --output=short-monotonic --identifier=systemd-journald
    dmesg | grep systemd-journald; ls -l /run/log/journal/*'
kill $monitor

# Socket activation: systemd listens, and starts touchd for a client.
systemctl stop touchd.service
systemctl start touchd.socket
section activated systemctl is-active touchd.service || true
# On a busy machine the start may take longer than a client waits.
until touchd status >/tmp/status; do :; done
head -n 2 /tmp/status
systemctl is-active touchd.service
systemctl stop touchd.socket touchd.service

# A second seat.
cp Tests/Lab/faults.yaml /etc/touchd/seat1.yaml
systemctl start touchd@seat1.service
section seat bash -c 'touchd status --socket /run/touchd-seat1/control | sed -n 2,3p; systemctl show --property=StatusText touchd@seat1'
systemctl stop touchd@seat1.service

# A handler returns after three seconds. A touch that came and went meanwhile is dropped; those that began before end.
sed 's/stuck}/slow}/' Tests/Lab/stuck.yaml >/run/slow.yaml
"$1/StuckKiosk" /run/slow.yaml slow >/tmp/slow.json 2>/tmp/slow.log &
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
start=$(cursor)
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
section stuck-journal journalctl --after-cursor="$start" --no-pager --output=json --unit=touchd.service

# Restores the service as `make install` left it.
rm -r /run/systemd/system/touchd.service.d /etc/touchd/seat1.yaml
systemctl daemon-reload
