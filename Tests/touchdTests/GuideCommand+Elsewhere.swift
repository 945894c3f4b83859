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

    /// Where a command is tested that these tests do not run; nil for all others.
    var elsewhere: Trial? {
        if Self.inGuides.contains(words) { return .inLab("Tests/Lab/guides.sh") }
        if Self.museum.contains(words) { return .inLab("Tests/Lab/tutorial.sh") }
        if let reason = Self.untried.first(where: { words.hasPrefix($0.start) })?.reason { return .untried(reason) }
        return words.hasPrefix("make ") ? .target : nil
    }

    /// The exemptions for which no guide has a command.
    static var vain: [String] {
        let words = all.map(\.words)
        return (inGuides + museum).filter { !words.contains($0) }
            + untried.map(\.start).filter { start in !words.contains { $0.hasPrefix(start) } }
    }

    private static let inGuides = [
        "systemd-sysusers", "systemd-tmpfiles --create touchd.conf",
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

    private static let museum = [
        "install .build/release/museum /usr/local/bin/museum",
        "install -m 644 museum.service /etc/systemd/system/museum.service", "systemctl enable --now museum",
        "journalctl -u museum -o cat",
    ]

    /// The starts of commands that are not tested, with the reason.
    private static let untried: [(start: String, reason: String)] = {
        let package = "takes a package, and changes the machine; Tests/Lab/lifecycle.sh does it"
        let build = "builds all tests, these among them; the test Tutorial compares the sources"
        let fleet = "changes the machine; the test Fleet does the same without systemd"
        let image = "takes Debian 13 and a network; make test-image boots an image without Chromium"
        let board = "takes a board and its desktop"
        return [
            ("scp dist/touchd_*_arm64.deb PI:", board), ("apt install ./touchd_*_arm64.deb", board),
            ("wlr-randr ", board), ("chromium --kiosk ", board), ("apt install mkosi ", image),
            ("cd packaging/mkosi", image), ("journalctl -t kiosk ", image),
            ("apt install systemd-journal-remote ", fleet), ("apt install ", package), ("apt remove ", package),
            ("apt purge ", package), ("dpkg-deb ", package), ("new/usr/bin/touchd ", package),
            ("mosquitto_pub ", "takes a broker; BrokerTests send the same messages"),
            ("ansible-playbook ", fleet), ("install -m 644 fleet-ca.pem ", fleet),
            ("install -m 600 collector.example.key ", fleet), ("install -m 640 -g ssl-cert kiosk-1.key ", fleet),
            ("install -d -o systemd-journal-remote ", fleet), ("systemctl reload nginx", fleet),
            ("curl --silent --output /dev/null --write-out '%{http_code}\\n' --cacert fleet-ca.pem ", fleet),
            ("systemctl enable --now systemd-journal-", fleet), ("journalctl -D /var/log/journal/remote ", fleet),
            ("touchd day", "takes the machine's journal; DayServiceTests do it in a container"),
            ("systemctl enable --now touchd-day.timer", "takes a collector; DayServiceTests start the timer"),
            ("touchd report --json week.export | jq ", "takes jq, which the tests do not install"),
            (
                "curl --silent --output /dev/null --write-out '%{http_code}\\n' http://127.0.0.1:8348/touchd.js",
                "needs the installed server; the test WebKiosk loads the script from one beside the tests"
            ),
            ("sudoedit /etc/touchd/touchd.yaml", "an editor waits for somebody"),
            (
                "install -m 600 token.txt /etc/touchd/credentials/",
                "changes the machine; Tests/Lab/security.sh has such a file"
            ),
            ("systemctl try-restart touchd-network", "changes the machine; Tests/Lab/upgrade.sh restarts it"),
            ("journalctl -u touchd-network", "takes the service; Tests/Lab/security.sh reads its entries"),
            ("systemctl edit touchd", "an editor waits for somebody; guides.sh writes the drop-in"),
            ("usermod -aG input,touchd,systemd-journal ALICE", "there is no ALICE"),
            ("git pull", "takes a network"), ("swift ", build), ("Tests/Run/run ", build),
            (
                "systemctl enable --now touchd-web.socket",
                "the virtual machine has no browser; Tests/Lab/service.sh checks the unit, and the test WebKiosk a page"
            ),
            ("make install PREFIX=/usr", "the lab's machines copy what it installed with a DESTDIR"),
            ("cp kiosk.yaml /etc/touchd/touchd.yaml", "guides.sh copies another layout there"),
            ("touchd selftest", "the lab's selftest.sh has it"),
        ]
    }()
}
