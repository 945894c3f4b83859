#!/bin/sh
# Prints the run loop's table: times by the clock, instructions by callgrind (where valgrind is installed), allocations.
# Arguments go to bench-runloop: --repetitions N, --row TEXT, --only NAME,NAME. A first build takes a minute or two.
set -eu
cd "$(dirname "$0")"
for program in bench-runloop count-allocations; do swift build -c release --product "$program" 1>&2; done
binaries=$(swift build -c release --show-bin-path)

./machine
echo "libuv $(pkg-config --modversion libuv), libev $(dpkg-query -W -f '${Version}' libev-dev)," \
    "libevent $(pkg-config --modversion libevent), systemd $(pkg-config --modversion libsystemd)," \
    "GLib $(pkg-config --modversion glib-2.0)"
echo
"$binaries/bench-runloop" "$@"

if command -v valgrind >/dev/null; then
    echo
    echo "Instructions in user space for a callback of the level-triggered ping-pong:"
    echo
    # valgrind does not read the newest debug information.
    strip -g -o "$binaries/bench-runloop.stripped" "$binaries/bench-runloop"
    count() {
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binaries/bench-runloop.stripped" \
            --only "$1" --row level-triggered --rounds "$2" --repetitions 1 2>&1 | sed -n 's/.*Collected : //p'
    }
    for name in "bare epoll (C)" EpollRunLoop libuv libev libevent sd-event GLib; do
        echo "- $name: $((($(count "$name" 12000) - $(count "$name" 2000)) / 10000))"
    done
fi

echo
echo "Allocations once warm:"
echo
"$binaries/count-allocations" | sed 's/^/- /'
