# Runs a compositor on an emulated graphics card, with wev as the program that draws, and compares the touches (wl_touch) that the
# program gets from a forwarded panel with those it should get. Arguments: the folder with the built programs, the touchd to run,
# the compositor (weston, the default, cage or sway). Runs with --systemd --graphics.
set -euo pipefail
source Tests/Lab/section.sh
source Tests/Lab/play.sh "$1"
source Tests/Lab/touches.sh
touchd=$2 compositor=${3:-weston}
log=/tmp/weston.touchd touches=/tmp/weston.touches program=/tmp/weston.wev
export XDG_RUNTIME_DIR=/tmp/runtime
mkdir -m 700 $XDG_RUNTIME_DIR

# clock: seconds since the machine started, for messages.
clock() { cut -d ' ' -f 1 /proc/uptime; }
# awaits COMMAND…: returns when the command succeeds.
awaits() {
    local deadline=$((SECONDS + 120))
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline)) || { echo "not within 120 s: $*" && cat /tmp/weston.log "$log" "$program" && exit 1; }
        sleep 0.05
    done
}
# reads PROCESS NODE: whether the process has the node open.
reads() { ls -l "/proc/$1/fd" | grep -q -e "$2\$"; }
# got: prints what the program got, a line for each touch's beginning, end and cancellation.
got() { sed -nE 's/^.*wl_touch\] (down|up|cancel)(.*x, y: ([0-9]+)[.0-9]*, ([0-9]+))?.*$/\1 \3 \4/p' $program | sed 's/ *$//'; }
known=0
# expect TITLE LINE…: waits until the program has got that many lines more, which must be these.
expect() {
    local title=$1 lines
    shift
    awaits eval "[[ \$(got | wc -l) -ge $((known + $#)) ]]"
    lines=$(got | tail -n +$((known + 1)))
    known=$(got | wc -l)
    [[ $lines == "$(printf '%s\n' "$@")" ]] || { printf 'wrong: %s:\n%s\n' "$title" "$lines" && exit 1; }
    printf '%s: %s\n' "$title" "${lines//$'\n'/, }"
}

play "device panel $recordings/edt-ep0430m09/EP0430M09.desc"
heard
cat >/tmp/weston.yaml <<'END'
screen: {size: [1280, 768]}
devices:
  - {match: {name: EP0430M09}, forward: true}
views:
  - {id: corner, frame: [0, 0, 200, 200], forward: false}
  - id: rest
    frame: [200, 200, 880, 568]
    gestures: [{swipe: left, cancels-forwarded: true, run: log}]
handlers:
  dim: {log: "the screen sleeps"}
END
: >$log
"$touchd" run --layout /tmp/weston.yaml --format json --control /tmp/weston.control >$touches 2>$log &
touchd_pid=$!
seen $log "is forwarded as"
udevadm settle

started=$(clock)
version=$($compositor --version 2>/dev/null | grep -oE '[0-9.]+' | head -n 1) || version=$($compositor -v 2>&1 | grep -oE '[0-9.]+' | head -n 1)
# cage, and weston since version 11, open devices only through seatd or logind.
if [[ $compositor != weston || ${version%%.*} -gt 10 ]]; then
    seatd -u nobody >/tmp/seatd.log 2>&1 &
    awaits test -S /run/seatd.sock
fi
: >$program
case $compositor in
    weston)
        printf '[core]\nshell=kiosk-shell.so\nidle-time=0\n' >/tmp/weston.ini
        options=(--config=/tmp/weston.ini --socket=wayland-7 --log=/tmp/weston.log)
        if [[ ${version%%.*} -le 10 ]]; then
            options+=(--backend=drm-backend.so --use-pixman --tty=1)
        else
            options+=(--backend=drm --renderer=pixman)
        fi
        weston "${options[@]}" >/tmp/weston.out 2>&1 &
        compositor_pid=$!
        awaits test -S $XDG_RUNTIME_DIR/wayland-7
        WAYLAND_DISPLAY=wayland-7 stdbuf -oL wev >$program 2>&1 &
        ;;
    cage)
        # cage refuses to run as root.
        chown nobody $XDG_RUNTIME_DIR
        LIBSEAT_BACKEND=seatd WLR_RENDERER=pixman setpriv --reuid=nobody --regid=nogroup --clear-groups \
            cage -- stdbuf -oL wev >$program 2>/tmp/weston.log &
        compositor_pid=$!
        ;;
    sway)
        printf 'default_border none\nexec stdbuf -oL wev >%s 2>&1\n' $program >/tmp/sway.config
        LIBSEAT_BACKEND=seatd WLR_RENDERER=pixman sway --config /tmp/sway.config >/tmp/weston.log 2>&1 &
        compositor_pid=$!
        ;;
esac
awaits reads $compositor_pid "$(node 'EP0430M09 (touchd)')"
echo "$compositor $version started in $(awk "BEGIN {print $(clock) - $started}") s"
awaits grep -q "xdg_toplevel" $program
# A touch reaches the program once it has drawn.
tap() { play "down panel 0 $1 $2" "frame panel" "up panel 0" "frame panel"; }
for _ in 1 2 3 4 5 6 7 8 9 10; do
    tap 600 500
    sleep 1
    [[ -z $(got) ]] || break
done
# The card's mode is 1280 x 800.
expect "a tap" "down 600 520" up

play "down panel 0 100 100" "down panel 1 900 300" "frame panel" "up panel 0" "up panel 1" "frame panel"
expect "two fingers in one frame, of which one is on a view with forward: false" "down 900 312" up

swipe() {
    play "down panel 0 900 500" "frame panel" "move panel 0 700 500" "frame panel" "move panel 0 500 500" "frame panel"
    play "move panel 0 300 500" "frame panel" "up panel 0" "frame panel"
}
sed -i '$a forward: {lift-cancelled: true}' /tmp/weston.yaml
"$touchd" reload --socket /tmp/weston.control
swipe
expect "a swipe that takes its touch back, lifted" "down 900 520" up

sed -i 's/^forward:.*/idle: {after: 1, forward: false, run: dim}/' /tmp/weston.yaml
"$touchd" reload --socket /tmp/weston.control
seen $log "the screen sleeps"
tap 640 384
tap 320 384
expect "the tap that ends an idle time, and the next one" "down 320 400" up

# The panel is turned; the compositor sees another touchscreen.
sed -i -e '/^idle/d' -e 's/forward: true}/forward: true, rotate: 90}/' /tmp/weston.yaml
"$touchd" reload --socket /tmp/weston.control
awaits reads $compositor_pid "$(node 'EP0430M09 (touchd)')"
tap 320 576
expect "rotated by 90°" "down 320 200" up

# weston (10 and 14) and cage (0.1.4 and 0.2.0) ignore libinput's touch cancel, so that this comes last. Down the turned panel is to the left on the
# screen.
cancelled=$(grep -c '"forwarded": "cancelled"' $touches)
play "down panel 0 832 230" "frame panel" "move panel 0 832 350" "frame panel" "move panel 0 832 470" "frame panel"
play "move panel 0 832 590" "frame panel" "up panel 0" "frame panel"
seen $touches '"forwarded": "cancelled"' $((cancelled + 1))
tap 320 576
title="a swipe that takes its touch back, cancelled, and a tap"
if [[ $compositor == sway ]]; then
    expect "$title" "down 896 520" cancel "down 320 200" up
else
    expect "$title, of which $compositor ignores the cancellation" "down 896 520" "down 320 200" up
fi
kill $touchd_pid $compositor_pid
