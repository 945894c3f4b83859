# section NAME COMMAND…: runs a command and marks what it prints, so that a test finds it again by name.
section() {
    echo "=== $1"
    "${@:2}"
}
