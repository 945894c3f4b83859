@testable import TestSupport

extension GuideCommand {
    /// Where a command is tested that these tests do not run.
    enum Trial {
        /// A script runs it in a virtual machine.
        case inLab(String)
        /// It builds or tests; only the existence of the make target is checked.
        case target
        /// It is not tested, for a reason.
        case untried(String)
    }

    /// The commands that these tests do not run; they run all others.
    static let elsewhere: [String: Trial] = {
        var trials: [String: Trial] = [:]
        for words in inGuides { trials[words] = .inLab("Tests/Lab/guides.sh") }
        for words in [
            "run", "test", "test-deb", "test-load", "test-releases", "test-arm64",
            "test-weston",
            "test-wayland", "test-image", "test-reference STEPS=200000 SEED=7",
            "test-exhaustive SCENES=100000", "test-sanitize", "deb", "deb ARCH=arm64", "build", "lint", "fuzz",
            "bench-check",
            "examples",
            "docs", "endurance",
        ] {
            trials["make \(words)"] = .target
        }
        return trials.merging(untried) { $1 }
    }()

    private static let inGuides = [
        "systemd-sysusers", "systemd-tmpfiles --create --prefix=/dev",
        "journalctl --update-catalog", "systemctl daemon-reload", "systemctl enable --now touchd",
        "systemctl reload touchd", "systemctl restart touchd", "systemctl status --full touchd",
        "cp /etc/touchd/touchd.yaml /etc/touchd/seat1.yaml", "systemctl enable --now touchd@seat1",
        "touchd status --socket /run/touchd-seat1/control", "journalctl -u touchd@seat1",
        "touchd devices", "touchd devices --json >devices.json", "touchd status", "touchd status --json >status.json",
        "touchd monitor", "touchd monitor --json", "touchd ignore 120", "touchd calibrate", "touchd record",
        "touchd record --output touches.evemu", "evtest /dev/input/event1",
        "journalctl -t touchd -t greet -o cat", "journalctl -u touchd -f", "journalctl -u touchd --since today",
        "journalctl -u touchd TOUCHD_VIEW=help TOUCHD_PHASE=began -o cat",
        "journalctl -u touchd TOUCHD_PAGE=service -o short-full", "journalctl -u touchd TOUCHD_HANDLER=buy -p err",
        "journalctl -u touchd -p warning -b",
        "journalctl -u touchd -p err -n 20", "journalctl -u touchd -x -n 20",
        "journalctl -u touchd -o json --output-fields=TOUCHD_VIEW,TOUCHD_PHASE,TOUCHD_X,TOUCHD_Y",
        "journalctl -u touchd -b -o export | gzip >journal.gz",
        "journalctl -u touchd -o export --since yesterday | touchd report --layout /etc/touchd/touchd.yaml",
        "journalctl -u touchd -o export --since yesterday >day.export && touchd render --heatmap day.export --output heat.svg",
        "journalctl --namespace=touchd -f", "journalctl --namespace=touchd --rotate --vacuum-time=30d",
    ]

    private static let untried: [String: Trial] = {
        let package = Trial.untried(
            "takes a package, and changes the machine; Tests/Lab/package.sh installs one by dpkg")
        let build = Trial.untried("builds all tests, these among them")
        let example = Trial.untried("make test builds the same files, as the test Tutorial sees")
        let museum = Trial.inLab("Tests/Lab/tutorial.sh")
        let fleet = Trial.untried("changes the machine; the test Fleet does the same without systemd")
        let broker = Trial.untried("takes a broker; BrokerTests send the same messages")
        let image = Trial.untried("takes Debian 13 and a network; make test-image boots an image without Chromium")
        let board = Trial.untried("takes a board and its desktop")
        return [
            "scp dist/touchd_*_arm64.deb PI:": board, "apt install ./touchd_*_arm64.deb": board,
            "apt install mkosi reprepro": image, "cd packaging/mkosi && sudo mkosi": image,
            "journalctl -t kiosk -t touchd -f": image,
            "wlr-randr --output DSI-1 --transform 90": board,
            "chromium --kiosk --noerrdialogs --disable-pinch --overscroll-history-navigation=0 http://localhost/ &":
                board,
            "apt install ./dist/touchd-web_*.deb": package,
            "mosquitto_pub -h broker.example -t museum/kiosk-7/command/go -m pay": broker,
            "mosquitto_pub -h broker.example -t museum/kiosk-7/command/ignore -m '10 min'": broker,
            "curl --silent --output /dev/null --write-out '%{http_code}\\n' http://127.0.0.1:8348/touchd.js": .untried(
                "needs the installed server; the test WebKiosk loads the script from one beside the tests"),
            "apt install ./dist/touchd_*.deb": package, "apt install ./touchd_new.deb": package,
            "apt install --allow-downgrades ./touchd_old.deb": package, "apt remove touchd": package,
            "apt purge touchd": package, "dpkg-deb --extract touchd_new.deb new": package,
            "new/usr/bin/touchd check /etc/touchd/touchd.yaml": package,
            "new/usr/bin/touchd run --layout /etc/touchd/touchd.yaml "
                + "--replay /usr/share/doc/touchd/examples/recordings/quanta-optical.evemu --speed max": package,
            "swift test --filter '^TouchKitTests\\.'": build, "swift test --filter '^LayoutTests\\.'": build,
            "swift test --filter '^EvdevTests\\.LivePathTests'": build, "swift test --filter '^touchdTests\\.'": build,
            "Tests/Run/run HandlersTests touchdTests": build,
            "apt install systemd-journal-remote nginx-light": fleet,
            "ansible-playbook --inventory kiosks.ini layout.yml": fleet,
            "apt install systemd-journal-remote ssl-cert": fleet,
            "install -m 644 fleet-ca.pem collector.example.pem /etc/ssl/certs": fleet,
            "install -m 600 collector.example.key /etc/ssl/private": fleet,
            "install -m 644 fleet-ca.pem kiosk-1.pem /etc/ssl/certs": fleet,
            "install -m 640 -g ssl-cert kiosk-1.key /etc/ssl/private": fleet,
            "systemctl reload nginx": fleet,
            "curl --silent --output /dev/null --write-out '%{http_code}\\n' --cacert fleet-ca.pem --data '' "
                + "https://collector.example:19532/upload": fleet,
            "install -d -o systemd-journal-remote -g systemd-journal-remote /var/log/journal/remote": fleet,
            "systemctl enable --now systemd-journal-remote.socket": fleet,
            "systemctl enable --now systemd-journal-upload": fleet,
            "journalctl -D /var/log/journal/remote -o export --since yesterday | touchd report --layout touchd.yaml":
                fleet,
            "touchd report --json week.export | jq -r '.kiosks[] | select(.concerns != []) | "
                + "\"\\(.host): \\(.concerns | join(\", \"))\"'": .untried("takes jq, which the tests do not install"),
            "sudoedit /etc/touchd/touchd.yaml": .untried("an editor waits for somebody"),
            "systemctl edit touchd": .untried("an editor waits for somebody; guides.sh writes the drop-in"),
            "usermod -aG input,touchd,systemd-journal ALICE": .untried("there is no ALICE"),
            "git pull": .untried("takes a network"),
            "swift build": example, "swift test": example,
            "swift build -c release --static-swift-stdlib": example,
            "systemctl enable --now touchd-web.socket": .untried(
                "the virtual machine has no browser; Tests/Lab/service.sh checks the unit, and the test WebKiosk a page"
            ),
            "make install PREFIX=/usr": .untried("the lab's machines copy what it installed with a DESTDIR"),
            "cp kiosk.yaml /etc/touchd/touchd.yaml": .untried("guides.sh copies another layout there"),
            "touchd selftest": .untried("the lab's selftest.sh has it"),
            "install .build/release/museum /usr/local/bin/museum": museum,
            "install -m 644 museum.service /etc/systemd/system/museum.service": museum,
            "systemctl enable --now museum": museum, "journalctl -u museum -o cat": museum,
        ]
    }()
}
