# To be sourced with the folder of the built programs: starts uinput-play beside the script.
recordings=Tests/EvdevTests/Recordings
coproc PLAY { "$1/uinput-play"; }

# play COMMAND…: has commands carried out, in their order.
play() { printf '%s\n' "$@" >&"${PLAY[1]}"; }

# The next thing that uinput-play says, in $answer; it says something once udev has dealt with a device.
heard() { read -r answer <&"${PLAY[0]}"; }
