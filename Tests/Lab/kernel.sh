# The lab's scripts without the installed service, in one machine, because booting takes longest. Argument: the folder with the built
# programs.
set -e
bash Tests/Lab/circle.sh "$1"
bash Tests/Lab/recordings.sh "$1"
bash Tests/Lab/emit.sh "$1" "$1/touchd"
bash Tests/Lab/forward.sh "$1" "$1/touchd"
