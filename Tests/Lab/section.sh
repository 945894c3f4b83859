# On a terminal of 80 columns touchd would fold the lines that tests and guides have whole.
export COLUMNS=200

# section NAME COMMAND…: runs a command and marks its output, so that a test finds it by name.
section() {
    echo "=== $1"
    "${@:2}"
}
