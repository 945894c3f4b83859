# Installs touchd's Debian packages, touches a screen, upgrades it with a finger down, has systemd listen in its stead, removes
# and purges it, and prints in sections what came of that. Arguments: the folder with the built programs, the one that
# `packages` made. Runs with --systemd, in a separate machine. No step waits for a time.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh
packages=$2

source Tests/Lab/dpkg.sh "$packages"

# Everything that a package of touchd's kind can leave something in; the emulated machine would take minutes for all of it.
left() {
    {
        find /etc /lib/systemd /usr/bin /usr/lib/sysusers.d /usr/lib/tmpfiles.d /usr/lib/systemd/catalog \
            /usr/share/touchd /usr/share/doc/touchd* /usr/share/bash-completion /usr/share/zsh /usr/share/fish \
            /usr/share/man/man[157] /usr/share/lintian /var/lib/dpkg /var/lib/systemd /var/lib/touchd /run/touchd* \
            /dev/input 2>/dev/null || true
    } | sort
    cut -d : -f 1 /etc/passwd /etc/group /etc/shadow /etc/gshadow
}
# dpkg's database here does not know who else has files in these, and would remove them once they are empty.
for folder in /usr/share/zsh/vendor-completions /usr/share/fish/vendor_completions.d; do
    mkdir -p $folder && touch $folder/another
done
# Every change of users leaves backups and a lock.
touch /etc/.pwd.lock /etc/passwd- /etc/group- /etc/shadow- /etc/gshadow- /etc/subuid- /etc/subgid-
play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
mkdir -p /dev/input
left >/tmp/before

# state UNIT…: what systemd has of them, one a line: found, running, and how often started again by itself, if it is a service.
state() {
    systemctl show --property=Id,LoadState,ActiveState,NRestarts "$@" | awk -v RS= -F '[=\n]' '{
        for (i = 1; i < NF; i += 2) value[$i] = $(i + 1)
        printf "%s %s %s", value["Id"], value["LoadState"], value["ActiveState"]
        print "NRestarts" in value ? " " value["NRestarts"] : ""
        delete value
    }'
}
# layout ARGUMENT…: the one that touchd has; asks again while touchd, which is starting, has not answered (75).
layout() {
    local status=75 answer=
    while [ $status -eq 75 ]; do
        status=0
        answer=$(touchd status "$@" 2>/tmp/errors) || status=$?
    done
    if [ $status -eq 0 ]; then sed -n 's/^layout *//p' <<<"$answer"; else cat /tmp/errors; fi
}
# invocation UNIT: changes with each start.
invocation() { systemctl show --property=InvocationID --value "$1"; }
finger() { play "$1 panel 0 340 248" "frame panel"; }
lift() { play "up panel 0" "frame panel"; }

follow touchd.service
section install dpkg --install "$packages"/touchd*.deb
section installed state touchd.service touchd.socket
systemctl is-enabled touchd.service
section status systemctl status --no-pager --lines=4 touchd.service
section security bash -c 'systemd-analyze security --no-pager touchd.service | tail -n 1'
section verify systemd-analyze verify touchd.service touchd.socket touchd@seat1.service touchd@seat1.socket touchd-network.service \
    touchd-network.socket touchd-network@seat1.service touchd-network@seat1.socket
section credentials stat --format='%A %U %G' /etc/touchd/credentials
section files bash -c 'dpkg-query --listfiles touchd touchd-inspect touchd-web | grep . | while read -r file; do [ -d "$file" ] || echo "$file"; done'
# Each page with its references that are missing on this machine.
links() {
    local page link
    for page in /usr/share/doc/touchd/README.md /usr/share/doc/touchd/docs/*.md; do
        grep -o ']([^)#]*' "$page" | cut -c 3- | grep -v '^https\?:' | grep . | sort -u | while read -r link; do
            (cd "${page%/*}" && [ -e "$link" ]) || echo "$page: $link"
        done || true
    done
}
section links links
finger down && lift
logged '"TOUCHD_PHASE":"ended"'
journalctl --sync
section catalog journalctl --boot --catalog --no-pager --lines=1 --unit=touchd.service TOUCHD_PHASE=ended

# An administrator's layout, a second seat, and a finger down during the upgrade.
echo "# ours" >>/etc/touchd/touchd.yaml
cp /etc/touchd/touchd.yaml /etc/touchd/seat1.yaml
systemctl --quiet enable --now touchd@seat1.service
finger down
logged '"TOUCHD_PHASE":"began"'
seat=$(invocation touchd@seat1.service)
section upgrade dpkg --install "$packages"/next/touchd*.deb
logged '"TOUCHD_PHASE":"cancelled"'
section upgraded state touchd.service touchd@seat1.service
systemctl is-enabled touchd.service touchd@seat1.service
dpkg-query --show --showformat='version ${Version}\n' touchd
echo "layout $(tail -n 1 /etc/touchd/touchd.yaml)"
[ "$seat" = "$(invocation touchd@seat1.service)" ] || echo "the seat is another"
lift && finger down && lift
logged '"TOUCHD_PHASE":"ended"'
journalctl --sync
section journal journalctl --boot --no-pager --output=json --unit=touchd.service

# Socket activation, also for a seat, continues during an upgrade.
systemctl stop touchd.service touchd@seat1.service
systemctl --quiet enable --now touchd.socket touchd@seat1.socket
section listening state touchd.service touchd.socket touchd@seat1.service touchd@seat1.socket
section activated layout
layout --socket /run/touchd-seat1/control
state touchd.service touchd.socket touchd@seat1.service touchd@seat1.socket
section again dpkg --install "$packages"/next/touchd*.deb
section listening-still state touchd.service touchd.socket touchd@seat1.service touchd@seat1.socket
layout

# With an invalid layout a client starts touchd once, not repeatedly, and gets a response after the fix.
systemctl stop touchd.service 2>/dev/null
# Otherwise touchd would start with the last good layout.
rm /var/lib/touchd/last-good-layout.json
sed -i '1i viewz: []' /etc/touchd/touchd.yaml
journalctl --sync
start=$(journalctl --boot --unit=touchd.service --no-pager --lines=1 --output=cat --show-cursor | sed -n 's/^-- cursor: //p')
touchd status >/dev/null 2>&1 || true
logged "Failed with result 'exit-code'"
section mistake state touchd.service touchd.socket
sed -i 1d /etc/touchd/touchd.yaml
section fixed layout
state touchd.service touchd.socket
journalctl --sync
section mistake-journal journalctl --after-cursor="$start" --no-pager --output=json --unit=touchd.service

# A service that fails at once is restarted up to the unit's limit, here three times instead of 900.
mkdir /run/systemd/system/touchd.service.d
printf '[Unit]\nStartLimitBurst=3\n[Service]\nRestartSec=0\nExecStart=\nExecStart=/bin/false\n' \
    >/run/systemd/system/touchd.service.d/limit.conf
systemctl stop touchd.socket touchd.service
systemctl daemon-reload
systemctl reset-failed touchd.service
systemctl start touchd.service 2>/dev/null || true
logged 'Start request repeated too quickly'
section limit state touchd.service
rm -r /run/systemd/system/touchd.service.d
systemctl daemon-reload
systemctl reset-failed touchd.service
systemctl start touchd.service
section limit-lifted state touchd.service

section remove dpkg --remove touchd-inspect touchd-web touchd
section removed state touchd.service touchd.socket touchd@seat1.service touchd@seat1.socket
ls -1 /etc/touchd
rm /etc/touchd/seat1.yaml
cp /var/lib/dpkg/info/touchd.postrm /tmp/postrm
section purge dpkg --purge touchd-inspect touchd-web touchd
left >/tmp/after
section left sh -c 'diff /tmp/before /tmp/after || true'

# A program that still runs as touchd keeps its user, but does not prevent the purge.
useradd --system touchd
setpriv --reuid=touchd --clear-groups sleep infinity &
sleeper=$!
until [ "$(stat -c %U /proc/$sleeper)" = touchd ]; do :; done
section user-kept env DPKG_MAINTSCRIPT_PACKAGE=touchd sh /tmp/postrm purge
getent passwd touchd | cut -d : -f 1
kill $sleeper
