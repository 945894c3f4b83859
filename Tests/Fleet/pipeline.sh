# Sends a kiosk's touches to a collector, from there into chdb, and from there to touchd report, and compares the report with that of the kiosk's own
# journal. In the middle, the upload and the collector are killed, and the collector forgets how far it was stored. In a container
# (Tests/Lab/container). Arguments: touchd, and a Python that has chdb.
set -euo pipefail

export DATABASE=/tmp/fleet JOURNAL=/tmp/collector
mkdir -p "$JOURNAL"
install -m 755 "$1" /tmp/touchd
fleet() { "$2" config/fleet/touchd-fleet "${@:3}"; }

# collect: starts the collector and the kiosk's upload.
collect() {
    systemd-run --quiet --unit=collector /lib/systemd/systemd-journal-remote --listen-http=127.0.0.1:19532 --split-mode=none \
        --output="$JOURNAL/kiosks.journal"
    systemd-run --quiet --unit=upload --property=Restart=always --property=RestartSec=1 --property=StartLimitIntervalSec=0 \
        /lib/systemd/systemd-journal-upload --url=http://127.0.0.1:19532 --save-state=/tmp/uploaded
}
# touches: one run of the service.
touches() {
    systemd-run --quiet --wait --same-dir --unit=touchd /tmp/touchd run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu \
        --speed max --format journal
}
# own, collected: the fields of touchd's entries.
own() { journalctl --sync && journalctl --unit=touchd --output=export; }
count() { journalctl "$@" --unit=touchd --output=export | grep -c '^MESSAGE_ID=' || true; }
arrived() {
    journalctl --sync
    until [[ $(count --directory="$JOURNAL" --quiet) -ge $(count) ]]; do read -r -t 0.2 <> <(:) || true; done
}

collect
for _ in 1 2 3; do touches; done
arrived
echo "stored: $(fleet "$@" load)"
cp "$DATABASE/cursor" /tmp/cursor

for number in {1..6}; do
    if [[ $number == 3 ]]; then systemctl kill --signal=KILL collector upload; fi
    touches
done &
playing=$!
wait "$playing"
systemctl reset-failed collector upload 2>/dev/null || true
systemctl stop upload collector 2>/dev/null || true
echo "cut: $(count --directory="$JOURNAL" --quiet) of $(count) entries at the collector"
collect
arrived
echo "stored: $(fleet "$@" load)"
# The collector forgets what it stored last: the entries come again.
cp /tmp/cursor "$DATABASE/cursor"
echo "stored again: $(fleet "$@" load)"
echo "in the database: $(fleet "$@" ask 'SELECT toInt32(count()) AS entries FROM touchd.entries FINAL')"

# A damaged day is one error, and nothing of its file counts.
if printf '{"day": "2026-11-01", "kiosk": {"host": "hall"}}\n{"day": "2026-\n' | fleet "$@" days 2>/tmp/error; then exit 1; fi
[[ $(wc -l </tmp/error) == 1 ]] || { cat /tmp/error; exit 1; }
echo "damaged days: $(cut -c 1-70 /tmp/error); $(fleet "$@" ask 'SELECT toInt32(count()) AS days FROM touchd.days')"

own | /tmp/touchd report --json >/tmp/own.json
fleet "$@" journal "$(hostname)" 2020-01-01 2100-01-01 | /tmp/touchd report --json >/tmp/stored.json
/tmp/touchd report - < <(own) | head -n 8
diff /tmp/own.json /tmp/stored.json
echo "the report of the kiosk's journal and that of the database are the same"
