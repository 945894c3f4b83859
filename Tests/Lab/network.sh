# Installs touchd and runs faults/network.py: brokers and servers that do not answer, and deaths of touchd and of the process that has the
# network. Arguments: the folder with the built programs, the folder under which `make install DESTDIR=` has put touchd, the seed of the
# moments, and rows of network.py, by default all.
set -euo pipefail
bash Tests/Lab/install.sh "$2"
source Tests/Lab/player.sh "$1"
install -m 755 Tests/Lab/hijacked-network /usr/local/bin
# With the delays of the unit, 50 kills take a minute.
install -d /etc/systemd/system/touchd-network.service.d
printf '[Service]\nRestartSec=50ms\n' >/etc/systemd/system/touchd-network.service.d/restart.conf
systemctl daemon-reload
PLAYER="${player[*]}" exec python3 Tests/Lab/faults/network.py "${@:3}"
