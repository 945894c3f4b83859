# Attacks the installed service in the ways that docs/security.md describes, and prints the results in sections: a
# layout and a program that others can change, a stranger's keyboard, a secret. Arguments: the folder with the built programs, the folder under
# which `make install DESTDIR=` has put touchd. No step waits for a time.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh

bash Tests/Lab/install.sh "$2"
layout=/etc/touchd/touchd.yaml
play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
systemctl stop touchd.service 2>/dev/null || true

# refused NAME: starts the service, which must fail, and prints its exit status and its first error.
refused() {
    section "$1" bash -c '
        # Without it, touchd would start with the last good layout.
        rm -f /var/lib/touchd/last-good-layout.json
        systemctl start touchd.service 2>/dev/null && echo "it runs"
        systemctl show --property=ExecMainStatus touchd.service
        journalctl --boot --unit=touchd.service --no-pager --output=cat | grep "error: " | tail -n 1
        systemctl reset-failed touchd.service'
}

cp Tests/Lab/service.yaml $layout
chown nobody $layout
refused foreign-layout
chown root $layout
chmod 777 /etc/touchd
refused open-folder
section open-folder-check bash -c "touchd check $layout 2>&1"
chmod 755 /etc/touchd
install -m 755 Tests/Lab/tell /usr/local/bin
chown nobody /usr/local/bin/tell
refused foreign-program
chown root /usr/local/bin/tell

# A secret that a handler fails to send, because nothing listens.
echo s3cret-token >/etc/touchd/credentials/token
cat >$layout <<'YAML'
screen: {size: [1920, 1080]}
views:
  - id: whole
    frame: [0, 0, 1920, 1080]
    on: {ended: tell}
handlers:
  tell:
    http:
      url: "http://127.0.0.1:9/s3cret-path?{view}"
      headers: {X-Key: s3cret-header}
      body: s3cret-body
      credential: token
      retries: 0
YAML
follow touchd.service
section start-with-secret systemctl start touchd.service
pid=$(systemctl show --property=MainPID --value touchd.service)
play "down panel 0 340 248" "frame panel" "up panel 0" "frame panel"
logged 'not sent to http://127.0.0.1:9'

# A keyboard is not even opened; a stranger's, which says that it is a mouse as well, types "reboot" and Enter.
play "device plain $recordings/vm-qemu-pointers/at-keyboard.evemu"
heard
play "device keyboard $recordings/keys-thinkpad-t-k400-misc/CHICONY USB Keyboard.desc"
heard
for key in KEY_R KEY_E KEY_B KEY_O KEY_O KEY_T KEY_ENTER; do
    play "event keyboard $key 1" "frame keyboard" "event keyboard $key 0" "frame keyboard"
done
play "down panel 0 340 248" "frame panel" "up panel 0" "frame panel"
logged '"TOUCHD_PHASE":"ended"'
section keyboard touchd devices
# The nodes that touchd has open; mocked ones are links to terminals.
section open-nodes bash -c "for node in /run/mock/bed/dev/input/event*; do
    find /proc/$pid/fd -lname \"\$(realpath \$node)\" -printf \"/dev/input/\${node##*/}\\n\"
done | sort -u"

# A handler's program that was taken over tries to get at touchd; so that it has a chance, it is given touchd's number.
install -m 755 Tests/Lab/taken-over /usr/local/bin
cat >$layout <<YAML
screen: {size: [1920, 1080]}
views:
  - id: whole
    frame: [0, 0, 1920, 1080]
    on: {began: {exec: [/usr/local/bin/taken-over, "$pid"]}}
YAML
section reload-taken-over systemctl reload touchd.service
play "down panel 0 340 248" "frame panel"
logged 'taken-over is'
section taken-over bash -c 'journalctl --sync; journalctl --boot --no-pager --output=cat --unit=touchd.service --grep="^taken-over"'
section exec-limits bash -c 'grep -E "^(CapEff|NoNewPrivs|Seccomp):" "/proc/$(systemctl show --property=MainPID --value touchd-exec.service)/status"'
play "up panel 0" "frame panel"

# The helper with the network, taken over: it keeps its sandbox, but runs an interpreter.
install -m 755 Tests/Lab/taken-over-network /usr/local/bin
echo "192.0.2.7 server.example" >>/etc/hosts
echo kiosk-token >/etc/touchd/credentials/token
install -d /run/systemd/system/touchd-network.service.d
printf '[Service]\nRestart=no\nExecPaths=%s /usr/local/bin\nExecStart=\nExecStart=/usr/local/bin/taken-over-network %s\n' \
    "$(realpath /usr/bin/python3)" "$pid" >/run/systemd/system/touchd-network.service.d/taken-over.conf
systemctl daemon-reload
# It still runs for the layout before, and touchd needs it no more.
systemctl stop touchd-network.service
systemctl start --wait touchd-network.service || journalctl --boot --no-pager --unit=touchd-network.service
section network-taken-over bash -c 'journalctl --sync; journalctl --boot --no-pager --output=cat --unit=touchd-network.service --grep="^network "'
section network-socket stat --format='%A %U %G' /run/touchd.network
rm -r /run/systemd/system/touchd-network.service.d

journalctl --sync
section secrets bash -c 'journalctl --boot --no-pager --output=export | grep -a -c s3cret || true'
systemctl stop touchd.service

# touchd itself, taken over: it keeps its sandbox, but runs an interpreter.
install -m 755 Tests/Lab/taken-over-touchd /usr/local/bin
install -d /run/systemd/system/touchd.service.d
printf '[Service]\nType=oneshot\nRestart=no\nExecStart=\nExecStart=/usr/local/bin/taken-over-touchd\n' \
    >/run/systemd/system/touchd.service.d/taken-over.conf
systemctl daemon-reload
systemctl start touchd.service || journalctl --boot --no-pager --unit=touchd.service --lines=20
section touchd-taken-over bash -c 'journalctl --sync; journalctl --boot --no-pager --output=cat --unit=touchd.service --grep="^touchd can"'
rm -r /run/systemd/system/touchd.service.d
systemctl daemon-reload
