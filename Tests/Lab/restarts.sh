# Runs a whole kiosk, kills each of its processes 50 times at random moments, and prints in sections what is left after that. Arguments: the
# folder with the built programs, the folder under which `make install DESTDIR=` has put touchd, the seed of the moments.
set -euo pipefail
source Tests/Lab/section.sh
bash Tests/Lab/install.sh "$2"
source Tests/Lab/player.sh "$1"

# The units of a screen's program are under test, not the program itself: it has a child here, as a compositor has. RestartSteps=0, because
# with the delays of systemd 254 and later 100 kills would take a quarter of an hour.
cp packaging/mkosi/mkosi.extra/etc/systemd/system/kiosk.service /etc/systemd/system/kiosk-image.service
cp Examples/web-kiosk/kiosk.service /etc/systemd/system/kiosk-example.service
for unit in kiosk-image kiosk-example; do
    install -d /etc/systemd/system/$unit.service.d
    cat >/etc/systemd/system/$unit.service.d/screen.conf <<'UNIT'
[Service]
User=
PAMName=
TTYPath=
TTYReset=no
TTYVHangup=no
TTYVTDisallocate=no
StandardInput=null
UtmpIdentifier=
EnvironmentFile=
RestartSteps=0
ExecStart=
ExecStart=/bin/sh -c '/bin/sleep infinity & wait'
UNIT
done

cp Tests/Lab/faults/restarts.yaml /etc/touchd/touchd.yaml
install -d /srv/kiosk
echo "<!doctype html><title>kiosk</title>" >/srv/kiosk/index.html
echo "pages: /srv/kiosk" >/etc/touchd/web.yaml
install -m 755 Tests/Lab/tell /usr/local/bin
# For the metrics; touchd.sysusers has created the owner.
install -d --owner=touchd /var/lib/prometheus/node-exporter
systemctl daemon-reload
PLAYER="${player[*]}" python3 Tests/Lab/faults/restarts.py "$3"
