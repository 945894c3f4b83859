#!/bin/sh
# Reads and runs layouts of 10,000 views, and fails where that takes more than 0.3 s or 45 MB.
# BINARY names the touchd.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk 'BEGIN {
    print "screen: {size: [5000, 1000]}\nhandlers: {chosen: {log: A seat}}\nviews:"
    for (i = 0; i < 10000; i++)
        printf "  - id: seat-%d\n    frame: [%d, %d, 18, 18]\n    on: {ended: chosen}\n", i + 1, i % 250 * 20, int(i / 250) * 20
}' > "$folder/each.yaml"
cat > "$folder/grid.yaml" <<'END'
screen: {size: [5000, 1000]}
handlers: {chosen: {log: "Seat {seat}"}}
views:
  - repeat:
      columns: 250
      rows: 40
      frame: [0, 0, 5000, 1000]
      gap: 2
      view: {id: "seat-{index}", on: {ended: {run: chosen, with: {seat: "{row}/{column}"}}}}
END

# The processor time of a command in seconds (not wall time: other programs may run), and its peak memory in KiB.
measure() {
    /usr/bin/time -f '%U %S %M' -o "$folder/cost" "$@" > /dev/null 2> "$folder/errors" || { cat "$folder/errors"; exit 1; }
    tail -n 1 "$folder/cost"
}

echo
status=0
echo "| 10,000 views | command | seconds | MB |"
echo "|---|---|---|---|"
for kind in each grid; do
    for command in "check $folder/$kind.yaml" \
        "run --layout $folder/$kind.yaml --replay config/recordings/quanta-optical.evemu --speed max"; do
        # shellcheck disable=SC2086 # one word each
        measure "$BINARY" $command | awk -v kind="$kind" -v command="${command%% *}" '{
            seconds = $1 + $2; megabytes = $3 * 1024 / 1e6
            printf "| %s | %s | %.2f | %.1f |\n", kind == "each" ? "each in the file" : "one grid, with arguments", command, seconds, megabytes
            if (seconds > 0.3 || megabytes > 45) { print "too much: 0.3 s and 45 MB are the bounds" > "/dev/stderr"; exit 1 }
        }' || status=1
    done
done
exit $status
