# To be sourced: libinput as a reader of event nodes.
readers=()

# seen FILE TEXT [NUMBER]: returns when the file has that number of lines with the text.
seen() {
    local deadline=$((SECONDS + 90))
    until [[ $(grep -c -e "$2" "$1" 2>/dev/null || true) -ge ${3:-1} ]]; do
        if ((SECONDS > deadline)); then
            echo "$1 has no line ${3:-1} with: $2"
            cat "$1" ${log:+"$log" "$touches"}
            exit 1
        fi
        sleep 0.02
    done
}
# node NAME: the event node of a device.
node() { sed -n "/Name=\"$1\"/,/^\$/s|^H: .*\(event[0-9]*\).*|/dev/input/\1|p" /proc/bus/input/devices; }
# reader NODE FILE: starts libinput on a device and returns when it has opened it.
reader() {
    : >"$2"
    stdbuf -oL libinput debug-events --device "$1" >"$2" 2>&1 &
    readers+=($!)
    seen "$2" DEVICE_ADDED
}
# Ends the readers, which have then written their last lines.
end_readers() {
    kill "${readers[@]}" 2>/dev/null || true
    wait "${readers[@]}" 2>/dev/null || true
    readers=()
}
# touched FILE: the kinds of libinput's touch events, without motions and frames.
touched() { sed -nE 's/^.*(TOUCH_(DOWN|UP|MOTION|CANCEL)).*\t([0-9]+ \([0-9]+\))?.*$/\1/p' "$1" | grep -v MOTION || true; }
# place FILE: where the first touch began, in percent of the screen's width and height.
place() { grep -m 1 TOUCH_DOWN "$1" | grep -oE '[0-9.]+/ *[0-9.]+' | head -n 1; }
