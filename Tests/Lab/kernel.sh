# The lab's scripts without the installed service, in one machine, because booting takes longest. Arguments: the folder with
# the built programs, and touchd.
set -e
bash Tests/Lab/uinput.sh "$1"
bash Tests/Lab/recordings.sh "$1"
bash Tests/Lab/emit.sh "$1" "$2"
bash Tests/Lab/forward.sh "$1" "$2"
bash Tests/Lab/tutorial.sh "$1"
