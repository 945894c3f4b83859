# Installs touchd's packages in a Debian system that `system` made, plugs in a touchscreen, touches it, changes the layout, unplugs it
# with a finger down, runs the self-test, and prints the journal. Fails at the first step that does not happen; no step waits for a time.
# Arguments: the folder with uinput-play, the folder with the packages. Runs with --systemd and --root.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh
source Tests/Lab/fingers.sh
trap 'journalctl --boot --no-pager | tail -n 40' ERR

section system uname -srm
. /etc/os-release && echo "$PRETTY_NAME, $(systemctl --version | head -n 1), pages of $(getconf PAGESIZE) bytes"
play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
follow touchd.service

mapfile -t packages < <(ls "$2"/touchd*_"$(dpkg --print-architecture)".deb | grep -v dbgsym)
section install dpkg --install "${packages[@]}"
logged 'using EP0430M09'
section status touchd status
section verify systemd-analyze verify --man=no touchd.service touchd.socket touchd@seat1.service touchd-exec.service touchd-network.service touchd-web.service

touch_pictures
reload_under_finger

play "destroy panel"
heard
logged '"TOUCHD_PHASE":"cancelled"' '"TOUCHD_VIEW":"whole"'
section selftest touchd selftest
journalctl --sync
section journal journalctl --boot --no-pager --unit=touchd.service
section remove dpkg --purge touchd-web touchd-inspect touchd
