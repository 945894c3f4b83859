# Prints what the units of touchd-day.timer do with two seats' journals of the day before yesterday, and a collector that is away, answers
# 503, and takes them. Arguments: the folder with the built programs, the folder under which `make install DESTDIR=` has put touchd.
set -euo pipefail
source Tests/Lab/section.sh

bash Tests/Lab/install.sh "$2"
section verify systemd-analyze verify touchd-day.timer touchd-day.service touchd-day-send.service
for unit in touchd-day touchd-day-send; do
    section $unit-security bash -c "systemd-analyze security --no-pager $unit.service | tail -n 1"
done

day=$(date -u -d '2 days ago' +%F)
section day echo "$day"
machine=$(cat /etc/machine-id)
# entry SECONDS UNIT MESSAGE_ID FIELD…: an entry this many seconds after noon.
entry() {
    local unit=$2 identity=$3 time=$(($(date -u -d "$day 12:00" +%s) + $1))
    printf '__REALTIME_TIMESTAMP=%s\n__MONOTONIC_TIMESTAMP=%s\n' ${time}000000 $(($1 + 1000))000000
    printf '%s\n' _BOOT_ID=0123456789abcdef0123456789abcdef "_MACHINE_ID=$machine" _HOSTNAME=hall _PID=700 \
        "_SYSTEMD_UNIT=$unit" "MESSAGE_ID=$identity" MESSAGE=touch "TOUCHD_TIME=$(($1 + 1000)).0" TOUCHD_DEVICE=panel "${@:4}" ''
}
began=$(sed -n 's/.*case touchBegan = "\(.*\)"/\1/p' Sources/ControlProtocol/Journal/MessageID.swift)
ended=$(sed -n 's/.*case touchEnded = "\(.*\)"/\1/p' Sources/ControlProtocol/Journal/MessageID.swift)
tap() {
    entry "$1" "$2" "$began" TOUCHD_TOUCH="$3" TOUCHD_PHASE=began TOUCHD_VIEW=buy TOUCHD_X=10.0 TOUCHD_Y=20.0
    entry "$1" "$2" "$ended" TOUCHD_TOUCH="$3" TOUCHD_PHASE=ended TOUCHD_VIEW=buy TOUCHD_X=10.0 TOUCHD_Y=20.0
}
{ tap 0 touchd.service 1 && tap 1 touchd@left.service 1 && tap 60 touchd.service 2; } >/tmp/day.export
install -d -g systemd-journal -m 2750 "/var/log/journal/$machine"
/lib/systemd/systemd-journal-remote --output="/var/log/journal/$machine/day.journal" /tmp/day.export 2>/dev/null
chgrp systemd-journal "/var/log/journal/$machine/day.journal" && chmod 640 "/var/log/journal/$machine/day.journal"

# Without settings, nothing starts.
run() { systemctl start touchd-day.service touchd-day-send.service || true; }
run
section unset systemctl show --property=ConditionResult,ExecMainStartTimestampMonotonic touchd-day.service touchd-day-send.service

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout /tmp/key.pem -out /tmp/certificate.pem 2>/dev/null
cat /tmp/certificate.pem >>/etc/ssl/certs/ca-certificates.crt
printf 'url: https://localhost:8443/days\ncredential: fleet\ntime-zone: Europe/Berlin\n' >/etc/touchd/day.yaml
install -m 600 /dev/stdin /etc/touchd/credentials/fleet <<<secret

# files: the days that wait.
files() { ls /var/lib/touchd.day/; }
# journal: the entries of both services, with their priority.
journal() {
    journalctl --sync
    journalctl --no-pager --output=json -u touchd-day.service -u touchd-day-send.service |
        python3 -c 'import json, sys
for line in sys.stdin: entry = json.loads(line); print(entry["PRIORITY"], entry["MESSAGE"])'
}
# entries COMMAND…: runs a command, and prints the entries that it adds.
entries() {
    local known
    known=$(journal | wc -l)
    "$@"
    journal | tail -n "+$((known + 1))"
}
section away entries run
section away-files files
cp -a "/var/lib/touchd.day/$day.json.gz" /tmp/kept

# serve STATUS: starts the collector; stopped by `kill $collector`.
serve() {
    rm -f /tmp/ready && mkfifo /tmp/ready
    python3 -u Tests/Lab/day-server.py 8443 /tmp/certificate.pem /tmp/key.pem "$1" > >(tee -a /tmp/requests >/tmp/ready) &
    collector=$!
    grep --max-count=1 --quiet ready /tmp/ready
    exec 3</tmp/ready
}
serve 503
section busy entries run
section busy-files files
kill $collector

# The timer, without its hour.
serve 200
install -d /run/systemd/system/touchd-day.timer.d
printf '[Timer]\nOnCalendar=\nOnActiveSec=0\nRandomizedDelaySec=0\n' >/run/systemd/system/touchd-day.timer.d/now.conf
systemctl daemon-reload
section taken entries bash -c 'systemctl start touchd-day.timer && grep --max-count=1 --quiet took < <(journalctl --follow --no-tail --output=cat -u touchd-day-send.service)'
systemctl stop touchd-day.timer
section taken-files files

# A day that is sent again: the collector has got it, but its answer was lost.
install -o "$(stat --format=%u /var/lib/private/touchd.day)" -m 600 /tmp/kept "/var/lib/touchd.day/$day.json.gz"
section again entries run
section again-files files
kill $collector
section requests grep path /tmp/requests
section last cat /var/lib/touchd.day/last-day

# journalctl fails: nothing is written, and the day is not noted as judged.
rm /var/lib/touchd.day/last-day
install -d /run/systemd/system/touchd-day.service.d
printf '[Service]\nBindReadOnlyPaths=/bin/false:/usr/bin/journalctl\n' >/run/systemd/system/touchd-day.service.d/false.conf
systemctl daemon-reload
section broken entries bash -c 'systemctl start touchd-day.service 2>/dev/null || true'
section broken-files files
echo "$day" >/var/lib/touchd.day/last-day

# The sender cannot read the journal.
install -d /run/systemd/system/touchd-day-send.service.d
printf '[Service]\nExecPaths=/\nNoExecPaths=\nExecStart=\nExecStart=/usr/bin/journalctl --quiet --lines=1 -D /var/log/journal\n' \
    >/run/systemd/system/touchd-day-send.service.d/spy.conf
systemctl daemon-reload
section spy entries bash -c 'systemctl start touchd-day-send.service 2>/dev/null || true'
