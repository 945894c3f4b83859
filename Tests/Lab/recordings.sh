# Plays every recording there is to the kernel, then what no recording has, and prints in sections what touchd's device
# monitor delivers and tells. Argument: the folder with the built programs. With --systemd devices come by udev, else by inotify.
set -euo pipefail
source Tests/Lab/section.sh
recordings=Tests/EvdevTests/Recordings

# A line for each recording, with the description after a tab if it is in a separate file.
list() {
    sed -nE 's/^\{"recording": "([^"]*)"(, "description": "([^"]*)")?.*/\1\t\3/p' $recordings/expectations.json
}

section recordings "$1/EvdevProbe" --uinput $recordings < <(list)
section storm "$1/EvdevProbe" --storm
section replaced "$1/EvdevProbe" --replaced
section grabbed "$1/EvdevProbe" --grabbed
section refused "$1/EvdevProbe" --refused
