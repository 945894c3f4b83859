# To be sourced with the folder of the built programs: starts the player beside the script.
source Tests/Lab/player.sh "$1"
coproc PLAY { "${player[@]}"; }

# play COMMAND…: executes commands in order.
play() { printf '%s\n' "$@" >&"${PLAY[1]}"; }

# Reads the next line of the player, printed once udev has processed a device, into $answer.
heard() { read -r answer <&"${PLAY[0]}"; }
