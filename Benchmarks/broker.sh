#!/bin/bash
# Prints how many of touchd's events mosquitto carries from its publishers to one subscriber over loopback, and what a
# connected kiosk costs it. The events are what BINARY publishes of a recording; mosquitto_pub sends them repeatedly.
set -euo pipefail
events=100000 publishers=10
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
port=18830
cat >"$work/layout.yaml" <<END
screen: {size: [1920, 1080]}
handlers:
  publish: {publish: {topic: kiosk/touch, mqtt: {host: 127.0.0.1, port: $port, qos: 1}}}
views: [{id: painting, frame: [0, 0, 1920, 1080], on: {began: publish, ended: publish}}]
END
printf 'listener %d 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\nuser root\n' $port >"$work/mosquitto.conf"
mosquitto -c "$work/mosquitto.conf" >"$work/log" 2>&1 &
broker=$!
until mosquitto_pub -p $port -r -t ready -m ready 2>/dev/null; do sleep 0.1; done

# First, while the broker holds nothing else.
python3 - $port $broker >"$work/kiosks" <<'PYTHON'
import socket, sys
port, broker = map(int, sys.argv[1:])
def resident():
    return next(int(line.split()[1]) for line in open(f"/proc/{broker}/status") if line.startswith("VmRSS"))
before, kiosks = resident(), []
for number in range(800):
    name = b"kiosk-%04d" % number
    variable = b"\0\4MQTT\4\2\0\x3c" + len(name).to_bytes(2, "big") + name
    kiosk = socket.create_connection(("127.0.0.1", port))
    kiosk.sendall(b"\x10" + bytes([len(variable)]) + variable)
    assert kiosk.recv(4) == b"\x20\2\0\0", "the broker did not accept a connection"
    kiosks.append(kiosk)
print(f"A connected, idle kiosk: {(resident() - before) / len(kiosks):.1f} kB of the broker's memory.")
PYTHON

# subscribe COUNT FILE: what a subscriber gets; it is one when it has what the broker keeps for each.
subscribe() {
    stdbuf -oL mosquitto_sub -p $port -q 1 -t 'kiosk/#' -t ready -C $(($1 + 1)) >"$2" &
    subscriber=$!
    until [ -s "$2" ]; do sleep 0.1; done
}
# Seconds of a processor that the broker has used.
used() { awk -v tick="$(getconf CLK_TCK)" '{ print ($14 + $15) / tick }' /proc/$broker/stat; }

subscribe 6 "$work/said"
"$BINARY" run --layout "$work/layout.yaml" --replay config/recordings/quanta-optical.evemu --speed max >/dev/null 2>&1
wait $subscriber
grep '^{' "$work/said" >"$work/events"
bytes=$(awk '{ sum += length } END { printf "%.0f", sum / NR }' "$work/events")
awk -v count=$((events / publishers)) '{ line[NR] = $0 } END { for (i = 0; i < count; i++) print line[i % NR + 1] }' \
    "$work/events" >"$work/many"

mosquitto -h | head -n 1 || true
echo
echo "$events events of $bytes bytes from $publishers connections to one subscriber:"
echo
echo "| | events a second | events for a second of the broker's processor |"
echo "|---|---:|---:|"
for quality in 0 1; do
    subscribe $events "$work/got"
    start=$(date +%s.%N) before=$(used)
    for ((i = 0; i < publishers; i++)); do mosquitto_pub -p $port -q $quality -t kiosk/touch -l <"$work/many" & done
    wait $subscriber
    awk -v quality=$quality -v events=$events -v start="$start" -v end="$(date +%s.%N)" \
        -v before="$before" -v after="$(used)" 'BEGIN {
        printf "| published with QoS %d | %.0f | %.0f |\n", quality, events / (end - start), events / (after - before) }'
done
echo
cat "$work/kiosks"
