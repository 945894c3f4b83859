# Runs the self-test beside the installed service: as root with the kernel's uinput, and as a member of the service's group
# without. Prints what it says, and what the service has seen of it. Runs after service.sh. Argument: the folder with the
# built programs.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
cp config/touchd.yaml /etc/touchd/touchd.yaml
follow touchd.service
systemctl start touchd.service

invocation=$(systemctl show --property=InvocationID --value touchd.service)

# The metrics of the service, without times and connections.
counts() {
    touchd status --metrics | grep -v -E 'uptime|loop_busy|_control_|^#' | sort
}
counts >/tmp/before

# udev announces a device a second late, as on a busy machine.
mkdir -p /run/udev/rules.d
echo 'SUBSYSTEM=="input", KERNEL=="event*", RUN+="/bin/sleep 1"' >/run/udev/rules.d/99-late.rules
udevadm control --reload
section selftest bash -c 'touchd selftest; echo "exit status $?"'
rm /run/udev/rules.d/99-late.rules
udevadm control --reload
section selftest-member bash -c \
    'setpriv --reuid=nobody --regid=touchd --clear-groups touchd selftest; echo "exit status $?"'

counts >/tmp/after
section selftest-trace bash -c 'diff /tmp/before /tmp/after && echo none'

# A device is plugged in, and the layout is reloaded with other device rules while udev sets its group and properties.
echo 'ACTION=="add", SUBSYSTEM=="input", KERNEL=="event*", PROGRAM="/bin/sleep 10"' >/run/udev/rules.d/00-slow.rules
udevadm control --reload
play "device late $recordings/atmel-maxtouch/Atmel maXTouch Touchscreen.desc"
until grep -q 'Atmel maXTouch' /proc/bus/input/devices; do :; done
sed -i '$a devices: [{match: {name: "nothing*"}, rotate: 90}]' /etc/touchd/touchd.yaml
systemctl reload touchd.service
heard
logged '"TOUCHD_DEVICE":"Atmel maXTouch Touchscreen"' 'using'
rm /run/udev/rules.d/00-slow.rules
udevadm control --reload
play "destroy late"
heard
logged 'Atmel maXTouch Touchscreen is gone'

# The service has had no touch and no device of it; one that comes after is its first.
play "down panel 0 640 384" "frame panel" "up panel 0" "frame panel"
logged '"TOUCHD_PHASE":"ended"' '"TOUCHD_DEVICE":"EP0430M09"'
section selftest-status touchd status
systemctl stop touchd.service
journalctl --sync
section selftest-journal journalctl --no-pager --output=json "_SYSTEMD_INVOCATION_ID=$invocation"
play "destroy panel"
heard
