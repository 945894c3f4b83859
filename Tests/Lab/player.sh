# To be sourced with the folder of the built programs: sets `player`, the command that plays fingers and mice: uinput-play, or mock-play where
# the kernel has no uinput. `mocked` goes before a command that reads devices and is not touchd.
recordings=Tests/EvdevTests/Recordings
player=("$1/uinput-play") mocked=()
if [[ ! -e /dev/uinput ]]; then
    player=(umockdev-wrapper "$1/mock-play" /run/mock) mocked=(mocked)
    # Only these see the mocked devices: umockdev replaces all of /sys, in which systemd's programs look for their own.
    for unit in touchd touchd@ museum; do
        install -D -m 644 Tests/Lab/mock.conf "/etc/systemd/system/$unit.service.d/mock.conf"
    done
    # A mocked node is a terminal. The service may find it before the player has set its group, so terminals begin with the group of input devices.
    mount -o "remount,gid=$(getent group input | cut -d : -f 3),mode=660" /dev/pts
    # By this, programs know that udev runs; without it touchd would find each device twice, by its node as well.
    mkdir -p /run/udev /run/mock
    touch /run/udev/control
    rm -f /run/mock/bed
    cat >/usr/local/bin/mocked <<'END'
#!/bin/sh
exec env LD_PRELOAD=libumockdev-preload.so.0 UMOCKDEV_DIR="$(realpath /run/mock/bed)" "$@"
END
    printf '#!/bin/sh\nexec mocked /usr/bin/touchd "$@"\n' >/usr/local/bin/touchd
    chmod +x /usr/local/bin/mocked /usr/local/bin/touchd
fi
