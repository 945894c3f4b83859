# section NAME COMMAND…: runs a command and marks its output, so that a test finds it by name.
section() {
    echo "=== $1"
    "${@:2}"
}
