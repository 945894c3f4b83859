# Installs touchd's Debian package, touches a screen, upgrades it with a finger down, removes and purges it, and prints in
# sections what came of that. Arguments: the folder with the built programs, the one that `packages` made.
# Runs with --systemd, after service.sh, whose touchd it removes first. No step waits for a time.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
packages=$2

systemctl stop touchd.service
make --silent uninstall DESTDIR= PREFIX=/usr
rm -rf /etc/touchd /etc/systemd/system/touchd* /dev/input/.touchd
userdel touchd
systemctl daemon-reload
# What is not under test: the index of man pages, and what containers do to dpkg.
rm -f /var/lib/man-db/auto-update /usr/sbin/policy-rc.d /etc/dpkg/dpkg.cfg.d/*

mkdir /tmp/database
tar -xf "$packages/dpkg.tar" -C /tmp/database
mount --bind /tmp/database/dpkg /var/lib/dpkg

# Everything that a package of touchd's kind can leave something in; the emulated machine would take minutes for all of it.
left() {
    {
        find /etc /lib/systemd /usr/bin /usr/lib/sysusers.d /usr/lib/tmpfiles.d /usr/lib/systemd/catalog \
            /usr/share/touchd /usr/share/doc/touchd /usr/share/bash-completion /usr/share/zsh /usr/share/fish \
            /usr/share/man/man[157] /usr/share/lintian /var/lib/dpkg /var/lib/systemd /var/lib/touchd /run/touchd \
            /dev/input 2>/dev/null || true
    } | sort
    cut -d : -f 1 /etc/passwd /etc/group /etc/shadow /etc/gshadow
}
# Who changes users leaves backups and a lock, whatever package it is for.
touch /etc/.pwd.lock /etc/passwd- /etc/group- /etc/shadow- /etc/gshadow- /etc/subuid- /etc/subgid-
play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
left >/tmp/before

mkfifo /tmp/package-journal
journalctl --boot --follow --lines=0 --output=json --unit=touchd.service >/tmp/package-journal &
exec 7</tmp/package-journal
# logged TEXT…: reads the journal on until an entry holds all the texts. Only a failure takes as long as the limit.
logged() {
    local entry text
    while read -r -t 120 entry <&7; do
        for text in "$@"; do [[ $entry == *"$text"* ]] || continue 2; done
        return 0
    done
    echo "no entry of the journal after the last awaited one holds: $*"
    journalctl --boot --no-pager --unit=touchd.service
    exit 1
}

section package-install dpkg --install "$packages"/touchd_*.deb
section package-installed systemctl show --property=ActiveState,UnitFileState,StatusText touchd.service
section package-files dpkg --listfiles touchd
section package-catalogue bash -c 'journalctl --list-catalog 96fa9236d3bb4aaa9aff2caea63c8aff || true'
play "down panel 0 340 248" "frame panel" "up panel 0" "frame panel"
logged '"TOUCHD_PHASE":"ended"'

# A layout of the administrator's own, loaded, and a finger down while the package is upgraded.
echo "# ours" >>/etc/touchd/touchd.yaml
play "down panel 0 340 248" "frame panel"
logged '"TOUCHD_PHASE":"began"'
before=$(systemctl show --property=InvocationID --value touchd.service)
section package-upgrade dpkg --install "$packages"/next/touchd_*.deb
logged '"TOUCHD_PHASE":"cancelled"'
section package-upgraded systemctl show --property=ActiveState,UnitFileState touchd.service
echo "Version=$(dpkg-query --show --showformat='${Version}' touchd)"
echo "Layout=$(tail -n 1 /etc/touchd/touchd.yaml)"
[ "$before" = "$(systemctl show --property=InvocationID --value touchd.service)" ] || echo "Restarted=yes"
play "up panel 0" "frame panel" "down panel 0 340 248" "frame panel" "up panel 0" "frame panel"
logged '"TOUCHD_PHASE":"ended"'

section package-remove dpkg --remove touchd
section package-removed systemctl show --property=LoadState,ActiveState touchd.service
ls /etc/touchd
section package-purge dpkg --purge touchd
left >/tmp/after
section package-left sh -c 'diff /tmp/before /tmp/after || true'
