# Steps of service.sh and release.sh with the screen `panel` and the installed service. Needs section.sh, play.sh and journal.sh.

# Two fingers in one frame, on two pictures; each moves or is lifted.
touch_pictures() {
    play "down panel 0 340 248" "down panel 1 780 220" "frame panel"
    play "move panel 1 790 220" "frame panel" "up panel 0" "frame panel" "up panel 1" "frame panel"
    logged '"TOUCHD_PHASE":"ended"' '"TOUCHD_VIEW":"sculpture"'
}

# A new layout cancels what is down under the old one; the next finger, which stays down, runs a program.
reload_under_finger() {
    play "down panel 0 340 248" "frame panel"
    logged '"TOUCHD_PHASE":"began"' '"TOUCHD_VIEW":"painting"'
    install -m 755 Tests/Lab/tell /usr/local/bin
    cp Tests/Lab/service.yaml /etc/touchd/touchd.yaml
    section reload systemctl reload touchd.service
    logged '"TOUCHD_PHASE":"cancelled"' '"TOUCHD_VIEW":"painting"'
    logged 'layout loaded'
    play "up panel 0" "frame panel" "down panel 0 640 384" "frame panel"
    logged 'told began whole'
}
