# Does with touchd what README.md and the guides under docs/ tell their readers to do, in their words, and prints in sections
# what came of it. Arguments: the folder with the built programs, the folder under which `make install DESTDIR=` has put touchd.
# Runs with --systemd. No step waits for a time: each waits for what the step before must bring about.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh

# tap X Y: one finger of the panel comes down, moves a little, and is lifted.
tap() {
    play "down panel 0 $1 $2" "frame panel" "move panel 0 $(($1 + 2)) $(($2 + 1))" "frame panel"
    play "up panel 0" "frame panel"
}

# began FILE COMMAND…: starts a background program, its number in $!, with its output in the file.
began() { : >"$1" && { "${@:2}" >"$1" 2>&1 & }; }

# printed FILE TEXT: waits until such a program has written a text. Only a failure takes as long as the limit.
printed() {
    timeout 600 grep --quiet --max-count=1 -- "$2" <(exec tail --lines=+1 --follow "$1") && return
    echo "never printed: $2"
    cat "$1"
    exit 1
}

# docs/install.md, with README.md's layout.
play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
[[ $answer == *" /dev/input/event1" ]]
cp -a --no-preserve=ownership "$2/." /
systemd-sysusers
systemd-tmpfiles --create touchd.conf
journalctl --update-catalog
systemctl daemon-reload
cp /etc/touchd/touchd.yaml /tmp/installed.yaml
sed -n '/^```yaml$/,/^```$/{/^```/d;p}' README.md >/etc/touchd/touchd.yaml
follow touchd.service
systemctl enable --now touchd
cd /tmp
began followed journalctl -u touchd -f
following=$!
tap 540 356
logged '"MESSAGE":"Hello"'
printed followed "touch 1 ended on start"
kill $following
journalctl --sync
section readme-journal journalctl -t touchd -t greet -o cat

# docs/screen.md
play "device mouse /lab/$recordings/mouse-pixart-hwheel/PIXART-USB-OPTICAL-MOUSE.desc"
heard
play "device pad /lab/$recordings/touchpad-elantech-alps-cypress/AlpsPS2 ALPS GlidePoint.single-tap.events"
heard
section devices touchd devices
play "destroy mouse" && heard
play "destroy pad" && heard
cp installed.yaml /etc/touchd/touchd.yaml
systemctl reload touchd
touchd ignore 120
section ignoring touchd status
began calibrated touchd calibrate
calibrating=$!
for mark in "top left:130 75" "top right:1150 78" "bottom right:1153 692" "bottom left:127 690"; do
    printed calibrated "${mark%:*}"
    tap ${mark#*:}
done
wait $calibrating
section calibrate cat calibrated
touchd ignore 0

# docs/not-reacting.md
section status systemctl status --full touchd
began watched touchd monitor
watching=$!
began watched.json touchd monitor --json
watching="$watching $!"
began recorded touchd record
began recorded.said touchd record --output touches.evemu
recording=$!
began tested evtest /dev/input/event1
printed recorded "A: 39"
printed tested "Testing"
printed recorded.said "recording"
timeout 600 bash -c 'until touchd status | grep --quiet "2 subscribers"; do :; done'
tap 340 248
printed watched "ended"
printed watched.json "ended"
printed tested "BTN_TOUCH), value 0"
printed recorded "0001 014a 0"
printed touches.evemu "0001 014a 0"
section monitor cat watched
section monitor-json cat watched.json
kill $watching
kill -INT $recording && wait $recording
section decode touchd decode touches.evemu
cat >/etc/touchd/touchd.yaml <<'LAYOUT'
screen: {size: [1920, 1080]}
views:
  - {id: help, frame: [300, 200, 420, 300], on: {ended: buy}}
handlers:
  buy: {exec: [/bin/false]}
LAYOUT
systemctl reload touchd
tap 340 248
logged "handler 'buy'"
journalctl --sync
section failures journalctl -u touchd -p err -n 20 -o cat
section status-failures touchd status
touchd devices --json >devices.json
touchd status --json >status.json
journalctl -u touchd -b -o export | gzip >journal.gz
section exported sh -c 'gzip --decompress --stdout journal.gz | grep -c ^TOUCHD_TOUCH='
echo "viewz: []" >>/etc/touchd/touchd.yaml
section refused sh -c 'systemctl reload touchd 2>&1 || touchd status'
section last-good sh -c 'systemctl restart touchd && touchd status'
systemctl stop touchd
rm /var/lib/touchd/last-good-layout.json
section failed sh -c 'systemctl restart touchd 2>/dev/null || { journalctl --sync; systemctl status --full touchd; } || true'
sed -i '$d' /etc/touchd/touchd.yaml
systemctl restart touchd

# docs/install.md: another seat, which ignores everything but the panel.
cp /etc/touchd/touchd.yaml /etc/touchd/seat1.yaml
cat >>/etc/touchd/seat1.yaml <<'RULES'
devices:
  - {match: {name: "*"}, ignore: true}
  - {match: {name: EP0430M09}, use: true}
RULES
systemctl enable --now touchd@seat1
section seat touchd status --socket /run/touchd-seat1/control
section seat-journal journalctl -u touchd@seat1
systemctl disable --now touchd@seat1

# docs/logging.md
section log-today journalctl -u touchd --since today
section log-view journalctl -u touchd TOUCHD_VIEW=help TOUCHD_PHASE=began -o cat
section log-page journalctl -u touchd TOUCHD_PAGE=service -o short-full
section log-handler journalctl -u touchd TOUCHD_HANDLER=buy -p err
section log-warnings journalctl -u touchd -p warning -b
section log-explained journalctl -u touchd -x -n 20
journalctl -u touchd -o json --output-fields=TOUCHD_VIEW,TOUCHD_PHASE,TOUCHD_X,TOUCHD_Y >journal.json
section log-json grep -c '"TOUCHD_VIEW":"help"' journal.json
journalctl -u touchd -o export --since yesterday | touchd report --layout /etc/touchd/touchd.yaml >report
section report cat report
journalctl -u touchd -o export --since yesterday >day.export && touchd render --heatmap day.export --output heat.svg
section heat grep -c '<svg' heat.svg
mkdir /etc/systemd/system/touchd.service.d
printf '[Service]\nLogNamespace=touchd\n' >/etc/systemd/system/touchd.service.d/override.conf
sed -n '/^\[Journal\]$/,/^```$/{/^```/d;p}' /lab/docs/logging.md >/etc/systemd/journald@touchd.conf
systemctl daemon-reload
systemctl restart touchd
began apart journalctl --namespace=touchd -f
tap 340 248
printed apart "failed with exit status 1"
section namespace journalctl --namespace=touchd -t touchd -o cat
section vacuuming journalctl --namespace=touchd --rotate --vacuum-time=30d
section vacuumed journalctl --namespace=touchd -t touchd -o cat

# docs/install.md, back.
systemctl disable --now touchd
make --silent --directory /lab uninstall PREFIX=/usr
section left find /etc/touchd /usr/bin /usr/lib/systemd /usr/lib/sysusers.d /usr/lib/tmpfiles.d /usr/share/man \
    /usr/share/doc /usr/share/bash-completion -name '*touchd*' -type f
