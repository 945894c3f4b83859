# To be sourced: the service's journal from here on, for scripts that wait for entries.

# follow UNIT…: starts reading, one JSON object per line.
follow() {
    local fifo=/tmp/journal.$$
    mkfifo $fifo
    journalctl --boot --follow --lines=0 --output=json "${@/#/--unit=}" >$fifo &
    exec 7<$fifo
}

# logged TEXT…: reads until an entry contains all the texts. Only a failure reaches the timeout.
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
