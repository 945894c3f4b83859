# Installs touchd, runs it under systemd, plays fingers and a mouse to it, and prints the journal in sections. Arguments: the folder with the
# built programs, the folder under which `make install DESTDIR=` has put touchd. No step waits for a time.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
touchscreen="Atmel maXTouch Touchscreen"
mouse="PIXART USB OPTICAL MOUSE"

source Tests/Lab/journal.sh
source Tests/Lab/fingers.sh
follow touchd.service

# One touchscreen is there before the service.
play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard

section install bash Tests/Lab/install.sh "$2"
section verify systemd-analyze verify touchd.service touchd.socket touchd@seat1.service touchd-exec.service touchd-exec@seat1.service touchd-network.service touchd-network.socket touchd-network@seat1.service touchd-web.service touchd-web.socket touchd-web@seat1.service touchd-metrics.service touchd-metrics.timer
section security bash -c 'systemd-analyze security --no-pager touchd.service | tail -n 1'
section exec-security bash -c 'systemd-analyze security --no-pager touchd-exec.service | tail -n 1'
section network-security bash -c 'systemd-analyze security --no-pager touchd-network.service | tail -n 1'
section web-security bash -c 'systemd-analyze security --no-pager touchd-web.service | tail -n 1'
section metrics-security bash -c 'systemd-analyze security --no-pager touchd-metrics.service | tail -n 1'

# Returns when touchd has said that it is ready, with the panel open.
section start systemctl start touchd.service
pid=$(systemctl show --property=MainPID --value touchd.service)
section show systemctl show --property=ActiveState,SubState,StatusText,NRestarts touchd.service
section owner stat --format="%U %G" "/proc/$pid"
section groups getent group $(sed -n 's/^Groups://p' "/proc/$pid/status")
section limits grep -E '^(CapEff|NoNewPrivs|Seccomp):' "/proc/$pid/status"

touch_pictures

# A mouse is plugged in; its pointer goes to the corner first, wherever it was, and clicks the button for the language.
play "device mouse $recordings/mouse-pixart-hwheel/PIXART-USB-OPTICAL-MOUSE.desc"
heard
logged '"TOUCHD_DEVICE":"'"$mouse"'"' 'using'
play "event mouse REL_X -4000" "event mouse REL_Y -4000" "frame mouse"
play "event mouse REL_X 100" "event mouse REL_Y 960" "frame mouse"
play "event mouse BTN_LEFT 1" "frame mouse" "event mouse BTN_LEFT 0" "frame mouse"
logged '"TOUCHD_PHASE":"ended"' '"TOUCHD_VIEW":"language"'

# The same mouse is unplugged with its button down. The kernel lets the button go before the device is gone.
play "event mouse BTN_LEFT 1" "frame mouse"
logged '"TOUCHD_PHASE":"began"' '"TOUCHD_VIEW":"language"'
play "destroy mouse"
heard

# Another touchscreen is plugged in, and unplugged with a finger on it.
play "device second $recordings/atmel-maxtouch/Atmel maXTouch Touchscreen.desc"
heard
logged '"TOUCHD_DEVICE":"'"$touchscreen"'"' 'using'
play "down second 0 262 306" "frame second"
logged '"TOUCHD_PHASE":"began"' '"TOUCHD_VIEW":"map"'
play "destroy second"
heard
logged '"TOUCHD_PHASE":"cancelled"' '"TOUCHD_VIEW":"map"'

reload_under_finger

# A layout with an error changes nothing.
echo "viewz: []" >>/etc/touchd/touchd.yaml
section mistaken-reload bash -c 'systemctl reload touchd.service 2>&1 || echo "exit status $?"'
logged 'the layout before it stays'
play "up panel 0" "frame panel" "down panel 2 640 384" "frame panel"
logged 'told began whole'

# Stopped with a finger down.
section stop systemctl stop touchd.service
section stopped systemctl show --property=ActiveState,SubState touchd.service
logged '"TOUCHD_PHASE":"cancelled"' '"TOUCHD_VIEW":"whole"'

journalctl --sync
section journal journalctl --boot --no-pager --output=json --unit=touchd.service

# Only root and members of the group may connect.
systemctl start touchd.service
section status-root touchd status
section status-member setpriv --reuid=nobody --regid=touchd --clear-groups touchd status
section status-stranger bash -c \
    'setpriv --reuid=nobody --regid=nogroup --clear-groups touchd status 2>&1 || echo "exit status $?"'
section catalog journalctl --boot --catalog --no-pager --lines=1 MESSAGE_ID=ea3972b462204261b677cd7959cf6e6d
section socket stat --format='%A %U %G' /run/touchd /run/touchd/control

# The metrics for node_exporter. Started again while touchd hangs, the service fails, and the file stays.
folder=/var/lib/prometheus/node-exporter
install -d --owner=touchd $folder
started=$(date +%s)
systemctl start touchd-metrics.service
section metrics cat $folder/touchd.prom
section metrics-file bash -c "ls $folder && stat --format='%A %U %G' $folder/touchd.prom"
inode() { stat --format=%i $folder/touchd.prom; }
before=$(inode)
systemctl kill --signal=STOP touchd.service
systemctl start touchd-metrics.service 2>/dev/null || true
section metrics-of-hung bash -c "ls $folder && systemctl show --property=Result,ExecMainStatus touchd-metrics.service"
[[ $(inode) == "$before" ]] && echo unchanged
systemctl kill --signal=CONT touchd.service
# The timer runs as long as touchd does.
systemctl enable --quiet --now touchd-metrics.timer
while [[ $(inode) == "$before" ]]; do systemctl is-active --quiet touchd-metrics.timer; done
systemctl restart touchd.service
section metrics-timer systemctl is-active touchd-metrics.timer
systemctl stop touchd.service
systemctl is-active touchd-metrics.timer || true
systemctl disable --quiet touchd-metrics.timer
journalctl --sync
section metrics-journal journalctl --boot --no-pager --output=cat --since="@$started" --unit=touchd-metrics.service

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
cp Tests/Lab/seat.yaml /etc/touchd/seat1.yaml
systemctl start touchd@seat1.service
section seat bash -c 'touchd status --socket /run/touchd-seat1/control | sed -n 2,3p; systemctl show --property=StatusText touchd@seat1'
systemctl stop touchd@seat1.service
rm /etc/touchd/seat1.yaml
