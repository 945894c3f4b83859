#!/bin/sh
# Prints hit-testing's table: TouchKit, Qt and GTK on the same rectangles and points, in one run.
# Arguments go to bench-hittest: --repetitions N, --kind NAME, --most COUNT.
set -eu
cd "$(dirname "$0")"
swift build -c release --product bench-hittest 1>&2
binaries=$(swift build -c release --show-bin-path)
mkdir -p .build/hittest
chmod 700 .build/hittest
# shellcheck disable=SC2046 # one word an option
g++ -O2 -fPIC -o .build/hittest/qt HitTest/qt.cpp $(pkg-config --cflags --libs Qt5Widgets)
# shellcheck disable=SC2046
gcc -O2 -o .build/hittest/gtk HitTest/gtk.c $(pkg-config --cflags --libs gtk4)

./machine
echo "Qt $(pkg-config --modversion Qt5Widgets), GTK $(pkg-config --modversion gtk4)"
echo
# GTK finds widgets only in a window that is shown.
xvfb-run -a -s "-screen 0 1920x1080x24" "$binaries/bench-hittest" .build/hittest "$@"
