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
# The packages' scripts are under test: what they do to a network helper that runs.
for unit in touchd-network touchd-network@; do
    install -d /etc/systemd/system/$unit.service.d
    printf '[Service]\nExecPaths=/usr/bin /bin\nExecStart=\nExecStart=/bin/sleep infinity\n' >/etc/systemd/system/$unit.service.d/helper.conf
done

PLAYER="${player[*]}" python3 Tests/Lab/faults/upgrade.py "$2"
