# Runs Xorg on an emulated graphics card, and prints how X sees a forwarded panel: its touch class, and the touches that `xinput
# test-xi2` receives. Arguments: the folder with the built programs, the touchd to run. Runs with --systemd --graphics.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/touches.sh
touchd=$2
log=/tmp/xorg.touchd touches=/tmp/xorg.touches events=/tmp/xorg.events
export DISPLAY=:7

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
cat >/tmp/xorg.yaml <<'END'
screen: {size: [1280, 768]}
devices:
  - {match: {name: EP0430M09}, forward: true}
views:
  - {id: corner, frame: [0, 0, 200, 200], forward: false}
END
: >$log
"$touchd" run --layout /tmp/xorg.yaml --output json >$touches 2>$log &
touchd_pid=$!
seen $log "is forwarded as"
udevadm settle
Xorg :7 -logfile /tmp/xorg.log -noreset -nolisten tcp >/tmp/xorg.out 2>&1 &
server=$!
deadline=$((SECONDS + 120))
until xinput list --name-only 2>/dev/null | grep -q "(touchd)"; do
    ((SECONDS < deadline)) || { echo "X has no forwarded panel" && tail -n 40 /tmp/xorg.log && exit 1; }
    sleep 0.1
done
section devices xinput list --short
section class xinput list --long "EP0430M09 (touchd)"
stdbuf -oL xinput test-xi2 --root >$events 2>&1 &
reader=$!
# The first view keeps its touch; the second touch is X's.
for _ in 1 2 3 4 5 6 7 8 9 10; do
    play "down panel 0 100 100" "frame panel" "up panel 0" "frame panel"
    play "down panel 0 640 384" "frame panel" "move panel 0 700 384" "frame panel" "up panel 0" "frame panel"
    sleep 1
    ! grep -q TouchEnd $events || break
done
section touches grep -E -A 6 "EVENT type .*(RawTouch|Touch)" $events
kill $reader $server $touchd_pid
