# To be sourced with the folder of the built programs: starts the player beside the script: uinput-play, or mock-play where the kernel has
# no uinput.
recordings=Tests/EvdevTests/Recordings
if [[ -e /dev/uinput ]]; then
    coproc PLAY { "$1/uinput-play"; }
    # Goes before a command that reads devices and is not touchd.
    mocked=()
else
    # Only these see the mocked devices: umockdev replaces all of /sys, in which systemd's programs look for their own.
    for unit in touchd touchd@ museum; do
        install -D -m 644 Tests/Lab/mock.conf "/etc/systemd/system/$unit.service.d/mock.conf"
    done
    mkdir -p /run/mock
    rm -f /run/mock/bed
    coproc PLAY { umockdev-wrapper "$1/mock-play" /run/mock; }
    until [[ -L /run/mock/bed ]]; do kill -0 "$PLAY_PID" && sleep 0.01; done
    mocked=(env LD_PRELOAD=libumockdev-preload.so.0 UMOCKDEV_DIR="$(realpath /run/mock/bed)")
    printf '#!/bin/sh\nexec %s /usr/bin/touchd "$@"\n' "${mocked[*]}" >/usr/local/bin/touchd
    chmod +x /usr/local/bin/touchd
fi

# play COMMAND…: executes commands in order.
play() { printf '%s\n' "$@" >&"${PLAY[1]}"; }

# Reads the next line of the player, printed once udev has processed a device, into $answer.
heard() { read -r answer <&"${PLAY[0]}"; }
