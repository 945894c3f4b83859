# Cuts the power while touchd writes its metrics, at each system call by which it does, and prints what the file is then: a
# line of the call, what else was saved to the disk before the cut, and what was found. Argument: touchd. Runs with --plain
# and the modules ext4 and loop.
#
# ext4 helps programs that do not wait for the disk before they rename (auto_da_alloc, ext4(5)); other file systems do not,
# and so it may not here.
set -euo pipefail
touchd=$1
disk=/tmp/disk mounted=/tmp/mounted
file=$mounted/touchd.prom
truncate -s 32M $disk
mkfs.ext4 -q $disk
mkdir $mounted
power_on() { mount -o loop,noauto_da_alloc $disk $mounted; }

# cut AT-ONCE|LATER: data that is not on the disk yet is lost (EXT4_IOC_SHUTDOWN without its journal). LATER cuts after
# another program has saved a file: then the journal with the file names is on the disk, but not the other files' texts.
cut() {
    python3 - $mounted "$1" <<'END'
import fcntl, os, struct, sys
folder, moment = sys.argv[1:]
if moment == "LATER":
    other = os.open(f"{folder}/other", os.O_WRONLY | os.O_CREAT)
    os.write(other, b"of another program\n")
    os.fsync(other)
    os.close(other)
EXT4_IOC_SHUTDOWN, NO_LOG_FLUSH = 0x8004587D, 2
fcntl.ioctl(os.open(folder, os.O_RDONLY), EXT4_IOC_SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
END
    umount $mounted
    power_on
}

# A recording, whose metrics are written when it begins and when it is over.
metrics() {
    "$@" "$touchd" run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu --speed max \
        --output json --metrics-file $file >/dev/null 2>&1
}

# killed CALL: writes the metrics until touchd makes such a call for their file, and is killed at it; `nothing` kills it not.
killed() {
    if [[ $1 == nothing ]]; then
        metrics env
    elif metrics strace -f -qq -o /tmp/trace -P $file -P $file.part -e trace="$1" -e inject="$1":signal=KILL; then
        echo "touchd never called $1"
        exit 1
    fi
}

# The state of the file; a complete OpenMetrics text has a final marker line.
found() {
    if [[ ! -e $file ]]; then
        echo missing
    elif cmp -s $file /tmp/before; then
        echo old
    elif [[ $(tail -n 1 $file) == '# EOF' ]]; then
        echo new
    else
        echo "torn: $(stat -c %s $file) bytes"
    fi
}

power_on
metrics env
sync
for call in unlink openat fchmod write fsync close rename nothing; do
    for moment in AT-ONCE LATER; do
        cp $file /tmp/before
        # bash says of what was killed that it was.
        killed $call 2>/dev/null
        cut $moment
        printf '%s\t%s\t%s\n' "$call" "$moment" "$(found)"
        # The next run starts with a complete file on the disk.
        metrics env
        sync
    done
done
printf 'left\t-\t%s\n' "$(cd $mounted && echo *)"
