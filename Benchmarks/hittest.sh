#!/bin/sh
# Prints hit-testing's table: TouchKit, Qt and GTK on the same rectangles and points, in one run.
set -eu
folder=Benchmarks/.build/hittest
mkdir -p $folder
chmod 700 $folder
# shellcheck disable=SC2046 # one word an option
g++ -O2 -fPIC -o $folder/qt Benchmarks/HitTest/qt.cpp $(pkg-config --cflags --libs Qt5Widgets)
# shellcheck disable=SC2046
gcc -O2 -o $folder/gtk Benchmarks/HitTest/gtk.c $(pkg-config --cflags --libs gtk4)
echo "Qt $(pkg-config --modversion Qt5Widgets), GTK $(pkg-config --modversion gtk4)"
echo
# GTK finds widgets only in a window that is shown.
xvfb-run -a -s "-screen 0 1920x1080x24" Benchmarks/.build/release/bench-hittest $folder
