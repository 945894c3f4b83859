# Makes touchd press keys through uinput when a panel is touched, and prints the events of its keyboard.
# Arguments: the folder with the built programs, the touchd to run. Runs with --systemd, for udevd.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
touchd=$2

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
"$touchd" run --layout Tests/Lab/emit.yaml --format json >/dev/null 2>/tmp/emit.log &
touchd_pid=$!
play "wait-open panel"
heard

node=/dev/input/$(sed -n '/touchd virtual keyboard/,/^$/s/^H: .*\(event[0-9]*\).*/\1/p' /proc/bus/input/devices)
# The kernel queues events for a reader from its open on.
exec 3<"$node"
play "down panel 0 100 200" "frame panel" "up panel 0" "frame panel"
# Eight events of 24 bytes, the first 16 of which are the time.
section emitted od --address-radix=n --output-duplicates --width=24 --format=d2 <(head -c 192 <&3)
exec 3<&-
section emit-keyboard sh -c "'$touchd' devices | grep -A 1 'touchd virtual keyboard'"
play "destroy panel" && heard
kill "$touchd_pid" && wait "$touchd_pid"
section emit-log cat /tmp/emit.log
section emit-left find /dev/input -path "$node"

replay=$PWD/config/recordings/quanta-optical.evemu
section emit-refused sh -c "setpriv --reuid=nobody --regid=nogroup --clear-groups '$touchd' run --layout Tests/Lab/emit.yaml \
    --replay '$replay' --speed max --format json 2>&1 >/dev/null | head -n 4"
# In a unit without the drop-in, the kernel has uinput, but the unit does not see it.
cp Tests/Lab/emit.yaml /run/emit.yaml
section emit-hidden bash -c "systemd-run --quiet --pipe --wait --property=PrivateDevices=yes '$touchd' run \
    --layout /run/emit.yaml --replay '$replay' --speed max --format json 2>&1 >/dev/null | head -n 4"
rm /run/emit.yaml
