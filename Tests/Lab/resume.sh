# Suspends the machine with a finger down, and prints what touchd's device monitor tells of it. Argument: the folder with the
# built programs. Runs with --plain: on resume the machine loses the folders it shares with the host, so all that is to run
# then is copied into its memory before, and ends the machine by itself.
set -euo pipefail
world=/tmp/world
mkdir $world
cp "$1/EvdevProbe" "$(command -v busybox)" $world/
ldd "$1/EvdevProbe" | sed -nE 's/.*=> (\/[^ ]*) .*/\1/p; s/^\t(\/[^ ]*) .*/\1/p' | xargs -I{} cp {} $world/
cat >$world/run <<'END'
status=0
/tmp/world/ld-linux-x86-64.so.2 --library-path /tmp/world /tmp/world/EvdevProbe --resumed || status=$?
echo "$status" >/dev/hvc1
echo o >/proc/sysrq-trigger
END
exec $world/busybox sh $world/run
