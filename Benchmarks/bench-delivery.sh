#!/bin/sh
# Prints delivery's table: from a frame of a device to the handler of a view.
set -eu
cd "$(dirname "$0")"
swift build -c release --product bench-delivery 1>&2
./machine
echo
"$(swift build -c release --show-bin-path)/bench-delivery"
