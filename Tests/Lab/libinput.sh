# Plays every touch recording there is to the kernel and prints a table of what touchd and libinput, which read the same
# event node, make of it. Argument: the folder with compare-libinput. Runs with --systemd, for udevd, whose properties
# libinput goes by.
set -euo pipefail
recordings=Tests/EvdevTests/Recordings
sed -nE 's/^\{"recording": "([^"]*)"(, "description": "([^"]*)")?, "kind": "[^"]*", "protocol".*/\1\t\3/p' \
    $recordings/expectations.json >/tmp/recordings
echo "Linux $(uname -r), libinput $(pkg-config --modversion libinput), libmtdev $(pkg-config --modversion mtdev), $(date -u +%F)"
echo
"$1/compare-libinput" $recordings </tmp/recordings
