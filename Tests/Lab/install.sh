# Installs touchd. Argument: the folder under which `make install DESTDIR=` has put it.
set -euo pipefail
cp -a --no-preserve=ownership "$1/." /
# Lists what it creates.
systemd-sysusers 2>/dev/null
systemd-tmpfiles --create touchd.conf
journalctl --update-catalog
source Tests/Lab/runtime.sh /usr/bin/touchd
systemctl daemon-reload
# A busy host may suspend the machine for longer than the watchdog allows; stuck.sh tests the watchdog.
systemctl service-watchdogs no
