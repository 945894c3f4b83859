# To be sourced with the folder of the built programs: starts uinput-play beside the script.
recordings=Tests/EvdevTests/Recordings
coproc PLAY { "$1/uinput-play"; }

# play COMMAND…: executes commands in order.
play() { printf '%s\n' "$@" >&"${PLAY[1]}"; }

# Reads the next line of uinput-play, printed once udev has processed a device, into $answer.
heard() { read -r answer <&"${PLAY[0]}"; }
