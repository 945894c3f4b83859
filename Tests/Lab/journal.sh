# To be sourced: the service's journal from here on, for scripts that wait for entries.

# follow UNIT…: starts reading, one JSON object per line.
follow() {
    local fifo=/tmp/journal.$$ cursor units=("${@/#/--unit=}")
    # A service can be ready before journalctl has found the end of the journal. The cursor must be one of the units' own: after that of
    # another entry, journalctl leaves out an entry of theirs. Without an entry, it fails.
    journalctl --sync
    cursor=$(journalctl --boot --lines=1 --output=cat --show-cursor "${units[@]}" | sed -n 's/^-- cursor: //p') || true
    mkfifo $fifo
    journalctl --boot --follow --lines=all ${cursor:+"--after-cursor=$cursor"} --output=json "${units[@]}" >$fifo &
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
