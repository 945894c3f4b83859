# Suspends the machine with a finger down, twice: under touchd's device monitor, and under touchd itself. Prints what the
# first tells of it, and of the second a line for the fault table. Arguments: the folder with the built programs, and touchd.
#
# Runs with --plain: on resume the machine loses the folders it shares with the host, systemd's programs with them, so all that
# is to run then is copied into its memory before, and ends the machine by itself.
set -euo pipefail
world=/tmp/world
mkdir -p $world/{dev,proc,sys,tmp}
cp "$1/EvdevProbe" "$1/uinput-play" "$2" "$(command -v busybox)" Tests/Lab/suspend $world/
for program in "$1/EvdevProbe" "$1/uinput-play" "$2"; do ldd "$program"; done |
    sed -nE 's/.*=> (\/[^ ]*) .*/\1/p; s/^\t(\/[^ ]*) .*/\1/p' | sort -u | xargs -I{} cp {} $world/
cp Tests/EvdevTests/Recordings/edt-ep0430m09/EP0430M09.desc $world/panel.desc
printf '%s\n' 'screen: {size: [1280, 768]}' 'devices: [{match: {name: "*"}, forward: true}]' >$world/kiosk.yaml
for folder in dev proc sys; do mount --bind /$folder $world/$folder; done
cat >$world/run <<'END'
status=0
/tmp/world/ld-linux-x86-64.so.2 --library-path /tmp/world /tmp/world/EvdevProbe --resumed || status=$?
/tmp/world/busybox chroot /tmp/world /busybox sh /suspend || status=$?
echo "$status" >/dev/hvc1
echo o >/proc/sysrq-trigger
END
exec $world/busybox sh $world/run
