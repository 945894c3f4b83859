# To be sourced: the service's journal as it grows from here on, for scripts that wait for what it says.

# follow UNIT…: begins to read, one JSON object a line.
follow() {
    local fifo=/tmp/journal.$$
    mkfifo $fifo
    journalctl --boot --follow --lines=0 --output=json "${@/#/--unit=}" >$fifo &
    exec 7<$fifo
}

# logged TEXT…: reads the journal on until an entry holds all the texts. Only a failure takes as long as the limit.
logged() {
    local entry text
    while read -r -t 600 entry <&7; do
        for text in "$@"; do [[ $entry == *"$text"* ]] || continue 2; done
        return 0
    done
    echo "no entry of the journal after the last awaited one holds: $*"
    journalctl --boot --no-pager | tail -n 60
    exit 1
}
