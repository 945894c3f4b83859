# Installs touchd's Debian packages, upgrades all of them while a visitor touches the screen ten times a second and a browser loads the
# page, and prints in sections what came of that. Arguments: the folder with the built programs, the one that `packages` made.
set -euo pipefail
source Tests/Lab/dpkg.sh "$2"
source Tests/Lab/player.sh "$1"
# A busy host may suspend the machine for longer than the watchdog allows.
systemctl service-watchdogs no
install -d /etc/touchd /srv/kiosk
echo "<!doctype html><title>kiosk</title>" >/srv/kiosk/index.html
echo "pages: /srv/kiosk" >/etc/touchd/web.yaml
printf '#!/bin/sh\necho "ran $TOUCHD_TOUCH"\n' >/usr/local/bin/ran
chmod 755 /usr/local/bin/ran
# The packages of make test-system have programs that need Swift's libraries.
source Tests/Lab/runtime.sh "$1/touchd"
# The helper of a second seat, which runs as long as its touchd.
cat >/etc/touchd/seat1.yaml <<'YAML'
screen: {size: [100, 100]}
devices: [{match: {name: seat1}}]
mqtt: {host: 127.0.0.1, topic: seat1}
views: [{id: all, frame: [0, 0, 100, 100]}]
YAML

PLAYER="${player[*]}" python3 Tests/Lab/faults/upgrade.py "$2"
