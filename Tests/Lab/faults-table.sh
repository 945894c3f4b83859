# Installs touchd and runs faults/table.py, which causes a kiosk's faults. Arguments: the folder with the built
# programs, the folder under which `make install DESTDIR=` has put touchd, and the faults to do, all if none is named.
set -euo pipefail
bash Tests/Lab/install.sh "$2"
systemctl service-watchdogs yes
# A service starts only programs that root owns, with all folders of their paths.
install -D --target-directory=/usr/lib/faults Tests/Lab/faults/bomb Tests/Lab/faults/stubborn
exec python3 Tests/Lab/faults/table.py "$1" "${@:3}"
