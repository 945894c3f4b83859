# Makes a service of the program of docs/tutorial.md, as its reader does, touches a picture, and prints what the journal has.
# Argument: the folder with the built programs. Runs with --systemd.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
mkdir -p /tmp/museum/.build/release
cp "$1/example-museum" /tmp/museum/.build/release/museum
sed -n '/^```ini$/,/^```$/{/^```/d;p}' docs/tutorial.md >/tmp/museum/museum.service
cd /tmp/museum
install .build/release/museum /usr/local/bin/museum
install -m 644 museum.service /etc/systemd/system/museum.service
systemctl daemon-reload
follow museum.service
systemctl enable --now museum
play "down panel 0 267 213" "frame panel" "up panel 0" "frame panel"
logged '"MESSAGE":"show harbour"'
section tutorial-status "$OLDPWD/${1#/lab/}/touchd" status --socket /run/museum/control
systemctl stop museum
journalctl --sync
section tutorial-journal journalctl -u museum -o cat
