# The lab's scripts with the installed service, in one machine, because booting takes longest. Arguments: the folder with
# the built programs, the touchd to install, and the folder with touchd-inspect and touchd-web.
set -e
bash Tests/Lab/service.sh "$1" "$2" "$3"
bash Tests/Lab/selftest.sh "$1"
bash Tests/Lab/faults.sh "$1"
bash Tests/Lab/security.sh "$1"
bash Tests/Lab/forward-service.sh "$1"
