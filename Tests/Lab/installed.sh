# The lab's scripts with the installed service, in one machine, because booting takes longest. Arguments: the folder with
# the built programs, the folder under which `make install DESTDIR=` has put touchd.
set -e
bash Tests/Lab/install.sh "$2"
bash Tests/Lab/selftest.sh "$1"
bash Tests/Lab/forward-service.sh "$1"
