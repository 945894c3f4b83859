# Allows the installed service to forward touches, as docs/drawing-programs.md does, and prints what libinput gets from the
# forwarded touchscreen, also after SIGSTOP. Runs after service.sh. Argument: the folder with the built programs.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh
source Tests/Lab/touches.sh
events=/tmp/forward-service.events

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
systemctl stop touchd.service 2>/dev/null || true
systemctl reset-failed touchd.service 2>/dev/null || true
rm -rf /run/systemd/system/touchd.service.d
systemctl daemon-reload
sed s/slow/log/ Tests/Lab/forward.yaml >/etc/touchd/touchd.yaml
chmod 644 /etc/touchd/touchd.yaml
follow touchd.service
systemctl start touchd.service
logged 'is not forwarded: '
section forward-service-before bash -c 'touchd check --running --strict; echo "exit status $?"'

cp /usr/share/doc/touchd/examples/70-touchd-forward.rules /etc/udev/rules.d/
install -D -m 644 -t /etc/systemd/system/touchd.service.d /usr/share/doc/touchd/examples/touchd-forward.conf
udevadm control --reload
udevadm trigger --settle /dev/uinput
systemctl daemon-reload
section forward-service-uinput stat --format='%a %G' /dev/uinput
section forward-service-security bash -c 'systemd-analyze security --no-pager touchd.service | tail -n 1'
systemctl service-watchdogs yes
# Another program has grabbed the panel; when it ends, touchd forwards.
exec 8< <(exec python3 -c '
import fcntl, sys, time
panel = open(sys.argv[1])
fcntl.ioctl(panel, 0x40044590, 1)  # EVIOCGRAB
print("grabbed", flush=True)
time.sleep(3600)' "$(node EP0430M09)")
holder=$!
read -r -u 8
systemctl restart touchd.service
logged 'is not forwarded: another program has grabbed it'
section forward-service-held bash -c 'touchd devices | grep EP0430M09:'
kill "$holder"
logged 'is forwarded as'
section forward-service-check bash -c 'touchd check --running --strict; echo "exit status $?"'
section forward-service-status bash -c 'touchd status | grep ^device'

tap() {
    reader "$(node 'EP0430M09 (touchd)')" $events
    play "down panel 0 600 500" "frame panel" "up panel 0" "frame panel"
    seen $events TOUCH_UP
}
tap
section forward-service-touches touched $events
# Frozen as a whole, with the thread that would release the panel: the watchdog ends it, and systemd starts another.
systemctl kill --signal=STOP touchd.service
logged 'is forwarded as'
systemctl service-watchdogs no
section forward-service-stopped systemctl show --property=NRestarts touchd.service
end_readers
tap
section forward-service-again touched $events
end_readers
systemctl stop touchd.service
rm -r /etc/systemd/system/touchd.service.d /etc/udev/rules.d/70-touchd-forward.rules
systemctl daemon-reload
play "destroy panel"
heard
