#!/bin/sh
# Prints the table of the loops: times by the clock, then instructions by callgrind.
set -eu
bench=Benchmarks/.build/release/bench-loop
echo "libuv $(pkg-config --modversion libuv), libev $(dpkg-query -W -f '${Version}' libev-dev), GLib $(pkg-config --modversion glib-2.0)"
echo
"$bench"
echo
echo "Instructions in user space for a callback of the level-triggered ping-pong:"
echo
# valgrind does not read the newest debug information.
strip -g -o "$bench.stripped" "$bench"
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench.stripped" "$1" "$2" 2>&1 | sed -n 's/.*Collected : //p'
}
for name in "bare epoll (C)" EpollRunLoop libuv libev GLib; do
    echo "- $name: $((($(count "$name" 12000) - $(count "$name" 2000)) / 10000))"
done
