# Has evemu-record and libinput record write recordings of random devices, and compares their replays with what touchd's device
# monitor delivers. umockdev is in the kernel's place, because the devices begin with any state. Arguments: the folder with
# the built programs; optionally a seed.
set -euo pipefail
source Tests/Lab/section.sh
seed=${2:-$(od --address-radix=n --format=u4 --read-bytes=4 /dev/urandom | tr -d ' ')}
record() {
    if ! command -v evemu-record >/dev/null; then echo "skipped: needs the package evemu-tools"; return; fi
    if ! command -v libinput >/dev/null; then echo "skipped: needs the package libinput-tools"; return; fi
    echo "seed $seed"
    # Forty recordings: ten of each program, and of touchd.
    umockdev-wrapper "$1/EvdevProbe" --circle-tools "$seed" 40
}
section circle record "$1"
