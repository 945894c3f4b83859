# Installs touchd and runs faults/table.py, which causes a kiosk's faults. Arguments: the folder with the built programs, the folder under
# which `make install DESTDIR=` has put touchd, and the faults.
set -euo pipefail
bash Tests/Lab/install.sh "$2"
systemctl service-watchdogs yes
source Tests/Lab/player.sh "$1"
# A service starts only programs that root owns, with all folders of their paths.
install -D --target-directory=/usr/lib/faults Tests/Lab/faults/{bomb,dripping,stubborn}
PLAYER="${player[*]}" exec python3 Tests/Lab/faults/table.py "${@:3}"
