# All scripts of the lab's tests in one machine, because booting takes longest. Arguments: the folder with
# the built programs and the touchd to install.
set -e
bash Tests/Lab/uinput.sh "$1"
bash Tests/Lab/recordings.sh "$1"
bash Tests/Lab/emit.sh "$1" "$2"
bash Tests/Lab/forward.sh "$1" "$2"
bash Tests/Lab/service.sh "$1" "$2"
bash Tests/Lab/selftest.sh "$1"
bash Tests/Lab/faults.sh "$1"
bash Tests/Lab/security.sh "$1"
bash Tests/Lab/forward-service.sh "$1"
