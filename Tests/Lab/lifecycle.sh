# A kiosk's life from installation to removal: packages and `make install`, drop-ins, a read-only root. Prints in sections what came of
# that. Arguments: the folder with the built programs, the one that `packages` made. No step waits for a time.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/dpkg.sh "$2"
source Tests/Lab/play.sh "$1"
source Tests/Lab/journal.sh
source Tests/Lab/runtime.sh "$1/touchd"
packages=$(realpath "$2")
examples=/usr/share/doc/touchd/examples
guides=/usr/share/doc/touchd/docs

# quietly COMMAND…: prints the output of a command only if it fails.
quietly() { "$@" >/tmp/quiet 2>&1 || { status=$? && cat /tmp/quiet && return $status; }; }
# active UNIT…: whether each is active, one a line.
active() { for unit; do echo "$unit $(systemctl is-active "$unit")"; done; }
# tap: touches the screen once touchd reads it.
tap() {
    play "wait-open panel" && heard
    play "down panel 0 200 300" "frame panel" "up panel 0" "frame panel"
}
units=(touchd.service touchd.socket touchd@left.service touchd@right.service touchd@right.socket touchd-exec.socket touchd-network.socket
    touchd-web.socket touchd-web@left.socket)

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
mkdir -p /srv/kiosk /etc/touchd
echo "<!doctype html><title>kiosk</title>" >/srv/kiosk/index.html
echo "pages: /srv/kiosk" | tee /etc/touchd/web.yaml >/etc/touchd/web-left.yaml
printf '#!/bin/sh\necho "ran $TOUCHD_TOUCH"\n' >/usr/local/bin/ran
chmod 755 /usr/local/bin/ran
# The packaged layout is a configuration file; another one is the administrator's.
cat >/tmp/layout.yaml <<'YAML'
screen: {size: [1280, 768]}
devices: [{match: {name: "*"}, forward: true}]
views: [{id: all, frame: [0, 0, 1280, 768], on: {began: [{exec: [/usr/local/bin/ran]}, {emit: KEY_A}]}}]
YAML

# The guide's command upgrades what is installed, and nothing else; a kiosk has no inspector.
section installed quietly apt-get --yes install "$packages"/touchd_*.deb "$packages"/touchd-web_*.deb
active touchd.service
stat --format='%n %A %U' /var/lib/touchd
upgrade=$(sed -n "/^sudo apt install --only-upgrade/{s/^sudo //p;q}" $guides/upgrade.md)
cd "$packages/next"
section upgraded quietly eval "$upgrade --yes"
cd /lab
dpkg-query --show --showformat='${binary:Package} ${Version}\n' 'touchd*' | sed 's/ .*+/ +/'
quietly dpkg --install "$packages"/next/touchd-inspect_*.deb

# All drop-ins, and no node that they allow. udevd does not run here.
cp /tmp/layout.yaml /etc/touchd/touchd.yaml
install -D -m 644 -t /etc/systemd/system/touchd.service.d $examples/touchd-forward.conf $examples/touchd-emit.conf
install -d /etc/systemd/system/touchd-exec.service.d
{
    echo '[Service]'
    sed -n 's/^| plays sound | \(.*\) |$/\1/p' $guides/handlers.md | grep -o '`[^`]*`' | tr -d '`'
} >/etc/systemd/system/touchd-exec.service.d/sound.conf
systemctl daemon-reload
follow touchd.service touchd-exec.service
section without-nodes ls -d /dev/uinput /dev/snd 2>/dev/null || true
quietly systemctl restart touchd.service
active touchd.service
tap
logged 'ran '
systemctl show --property=ActiveState --value touchd-exec.service
systemctl cat touchd-exec.service | grep -c /dev/snd
section without-nodes-units systemd-analyze verify --man=no touchd.service
systemctl show --property=Wants --value touchd.service | tr ' ' '\n' | grep modprobe
rm /etc/systemd/system/touchd.service.d/touchd-*.conf /etc/systemd/system/touchd-exec.service.d/sound.conf

# A root that was made read-only after the installation, as docs/install.md shows.
cat >/etc/touchd/left.yaml <<'YAML'
screen: {size: [100, 100]}
devices: [{match: {name: left}}]
views: [{id: all, frame: [0, 0, 100, 100]}]
YAML
cp /etc/touchd/left.yaml /etc/touchd/right.yaml
systemctl daemon-reload
systemctl stop touchd.service
rm -r /var/lib/touchd
sed -n 's/^d \/var\/lib\/touchd-/&/p' $guides/install.md | sed s/seat1/left/ >/etc/tmpfiles.d/touchd-seats.conf
systemd-tmpfiles --create touchd.conf touchd-seats.conf
# apt has started it, and it has a file open for writing.
systemctl stop packagekit.service 2>/dev/null || true
mount -o remount,ro,bind /
section read-only quietly systemctl start touchd.service touchd@left.service touchd-web.socket
tap
logged 'ran '
curl --silent --show-error --fail http://127.0.0.1:8348/ | grep -o '<title>.*<'
quietly systemctl reload touchd.service
active touchd.service touchd@left.service touchd-exec.service touchd-web.service
mount -t tmpfs -o size=1M tmpfs /var/lib/touchd
quietly systemctl restart touchd.service
ls /var/lib/touchd
umount /var/lib/touchd
mount -o remount,rw,bind /
systemctl stop touchd.service touchd@left.service touchd-web.socket
rm /etc/tmpfiles.d/touchd-seats.conf

# Removed and installed again: what is enabled runs, with sockets in systemd's hands.
install -d /etc/systemd/system/touchd-web@left.socket.d
printf '[Socket]\nListenStream=\nListenStream=127.0.0.1:8349\n' >/etc/systemd/system/touchd-web@left.socket.d/port.conf
systemctl daemon-reload
systemctl --quiet enable --now touchd.socket touchd@right.socket touchd-web.socket touchd-web@left.socket
systemctl --quiet enable --now touchd.service touchd@left.service touchd@right.service
section enabled active "${units[@]}"
section removed quietly dpkg --remove touchd-inspect touchd-web touchd
active "${units[@]}"
section installed-again quietly dpkg --install "$packages"/touchd*.deb
active "${units[@]}"
ls /run/touchd*again 2>/dev/null || true
# An upgrade leaves alone what was stopped.
systemctl stop touchd@left.service touchd-web.socket
section upgraded-again quietly dpkg --install "$packages"/next/touchd*.deb
active touchd@left.service touchd@right.service touchd-web.socket
section purged quietly dpkg --purge touchd-inspect touchd-web touchd
active "${units[@]}" | grep -v inactive || true
# left: what is left of touchd, besides drop-ins and layouts, which the administrator made.
left() {
    find /etc /var/lib /run /usr/lib/systemd /usr/share/doc -name '*touchd*' ! -path '/run/mock*' ! -path '*.d' ! -path /etc/touchd || true
    getent passwd touchd || true
}
section left left

# The same without packages.
section make-install quietly make install PREFIX=/usr BINARY="$1/touchd"
systemd-sysusers 2>/dev/null
systemd-tmpfiles --create touchd.conf
journalctl --update-catalog
systemctl daemon-reload
cp /tmp/layout.yaml /etc/touchd/touchd.yaml
systemctl --quiet enable --now touchd.service touchd-web.socket touchd@left.service
tap
active "${units[@]}" | grep ' active'
section make-uninstall make --silent uninstall PREFIX=/usr
active "${units[@]}" | grep -v inactive || true
find /etc/systemd/system -name '*touchd*' ! -path '*.d'
journalctl --list-catalog | grep -ci touchd || true
find /usr/bin /usr/lib /usr/libexec /usr/share -name '*touchd*'
ls /etc/touchd

# A user without /usr/sbin in the path makes the same packages, in a folder with a blank in its name.
mkdir "/tmp/a b"
tar --create --exclude=./.build --exclude=./.git --exclude=./Tests --exclude=./Sources . | tar --extract --directory="/tmp/a b"
mkdir "/tmp/a b/pro grams"
cp "$1"/touchd{,-web,-inspect} "/tmp/a b/pro grams/"
# The machine's own database has the files of the libraries.
umount /var/lib/dpkg
chown -R nobody: "/tmp/a b"
cd "/tmp/a b"
section user-packages quietly setpriv --reuid=nobody --regid=nogroup --clear-groups env PATH=/usr/local/bin:/usr/bin:/bin HOME=/tmp \
    COMPRESSION=none DEB_BUILD_OPTIONS="nostrip noautodbgsym" packaging/build-deb "pro grams/touchd" "the packages"
cd /lab
# components FILE: the SBOM of a package.
components() { dpkg-deb --fsys-tarfile "$1" | tar --extract --to-stdout ./usr/share/doc/touchd/touchd.spdx.json | grep -o '"name": "[^"]*"'; }
components "/tmp/a b/the packages"/touchd_*.deb >/tmp/of-user
components "$packages"/touchd_*.deb >/tmp/of-root
diff /tmp/of-root /tmp/of-user && echo the same components
