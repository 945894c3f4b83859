# Prints what touchd and triggerhappy take of memory under systemd, in the kernel lab: MB resident, the shared pages among
# them divided by their users, and what would come free if it ended; first once they are ready, then after 400 touches.
# Arguments: the folder with uinput-play, the touchd to install.
set -euo pipefail
source Tests/Lab/play.sh "$1"
touchd=$2

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
make --silent install DESTDIR= PREFIX=/usr BINARY="$touchd" >/dev/null
systemd-sysusers
systemd-tmpfiles --create --prefix=/dev
systemctl daemon-reload
services="touchd.service triggerhappy.service"
# shellcheck disable=SC2086 # one word a service
systemctl start $services

memory() {
    local service pid
    for service in $services; do
        pid=$(systemctl show --property=MainPID --value "$service")
        awk -v service="${service%.service}" -v when="$1" '
            /^Rss:/ { resident = $2 } /^Pss:/ { shared = $2 } /^Private_/ { own += $2 }
            END { printf "%s %s %.1f %.1f %.1f\n", service, when, resident / 1000, shared / 1000, own / 1000 }
        ' "/proc/$pid/smaps_rollup"
    done
}

memory ready
mkfifo /tmp/monitor
touchd monitor --json >/tmp/monitor &
monitor=$!
exec 6</tmp/monitor
until touchd status --json | grep -q '"subscribers" : 1'; do :; done
for ((i = 0; i < 400; i++)); do
    play "down panel 0 340 248" "frame panel" "up panel 0" "frame panel"
    # One tap after another: the kernel buffers some dozens of events per reader, and drops all if more come.
    until read -r line <&6 && [[ $line == *'"ended"'* ]]; do :; done
done
kill $monitor
memory touched
