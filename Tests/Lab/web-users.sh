# Prints which users of the machine get pages and events of the installed touchd-web.service with users:, and what its journal says.
# Arguments: the folder with the built programs, the folder under which `make install DESTDIR=` has put touchd.
set -euo pipefail
source Tests/Lab/section.sh

bash Tests/Lab/install.sh "$2"
useradd --system kiosk
useradd --system visitor
install -d /srv/kiosk
echo "<p>Hello" >/srv/kiosk/index.html
printf 'pages: /srv/kiosk\nusers: [kiosk]\n' >/etc/touchd/web.yaml
systemctl start touchd.service touchd-web.socket

# status USER PATH: the status line of a response.
status() {
    setpriv --reuid="$1" --regid="$1" --clear-groups bash -c '
        exec 3<>/dev/tcp/127.0.0.1/8348
        printf "GET %s HTTP/1.1\r\nHost: 127.0.0.1:8348\r\nOrigin: http://127.0.0.1:8348\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" "$0" >&3
        printf "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" >&3
        head -n 1 <&3' "$2"
}
for path in / /events; do
    section "kiosk-$path" status kiosk $path
    section "visitor-$path" status visitor $path
done
section sandbox systemctl show --property=PrivateNetwork,PrivateUsers,RestrictAddressFamilies touchd-web.service
journalctl --sync
section journal bash -c 'journalctl --boot --no-pager --output=cat --unit=touchd-web.service | grep refused | sed "s/user $(id -u visitor) /user VISITOR /"'

# A drop-in for another port that forgets the socket.
install -d /run/systemd/system/touchd-web.socket.d
printf '[Socket]\nListenStream=\nListenStream=127.0.0.1:8348\n' >/run/systemd/system/touchd-web.socket.d/port.conf
systemctl daemon-reload
systemctl stop touchd-web.service touchd-web.socket
systemctl start touchd-web.socket
systemctl start touchd-web.service || true
# It starts and fails later.
section forgotten bash -c 'grep --max-count=1 ListenNetlink < <(journalctl --boot --follow --no-tail --output=cat --unit=touchd-web.service)'
