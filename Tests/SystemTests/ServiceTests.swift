import LabSupport
import Testing

/// The whole path: a kernel device, udev, touchd.service from `make install`, the journal.
///
/// `Tests/Lab/service.sh` has the events. The panels of 1280 × 768 units and of 800 × 480 units are each mapped to the
/// layout's whole screen of 1920 × 1080 points.
@Suite("touchd.service, in a container", .needsContainer)
struct ServiceTests {
    private let run: LabRun

    init() async throws { run = try await LabRun.service.value }

    @Test("systemd finds nothing wrong with the unit, and little that it exposes")
    func unit() throws {
        #expect(try run.lines("verify") == [])
        // "→ Overall exposure level for touchd.service: 0.7 SAFE :-}", on a scale that ends at 10.
        for (section, limit) in [
            ("security", 0.7), ("exec-security", 0.9), ("network-security", 1.1), ("web-security", 0.9),
            ("metrics-security", 0.9),
        ] {
            let words = try run.lines(section).last?.split(separator: " ") ?? []
            let exposure = try #require(words.compactMap { Double($0) }.first)
            #expect(exposure <= limit, "\(section)")
        }
    }

    @Test("it is ready when the touchscreen that was there before it is open")
    func readiness() throws {
        #expect(try run.lines("start") == [])
        #expect(
            try Set(run.lines("show"))
                == ["ActiveState=active", "SubState=running", "StatusText=Reading 1 device", "NRestarts=0"])
    }

    @Test("it runs as user touchd in group input, without capabilities, with a filter")
    func confinement() throws {
        #expect(try run.lines("owner") == ["touchd touchd"])
        #expect(try Set(run.lines("groups").map { $0.prefix { $0 != ":" } }) == ["touchd", "input"])
        #expect(
            try run.lines("limits").map { $0.split(separator: "\t") }
                == [["CapEff:", "0000000000000000"], ["NoNewPrivs:", "1"], ["Seccomp:", "2"]])
    }

    // Fingers and clicks on their views; unplugged devices, a reload and a stop cancel touches.
    @Test("every touch that began ends or is cancelled exactly once")
    func touches() throws {
        #expect(
            try run.journal().filter(\.isTouch).map(\.touch) == [
                "1 began painting 510.0 348.75 EP0430M09",
                "2 began sculpture 1170.0 309.38 EP0430M09",
                "1 ended painting 510.0 348.75 EP0430M09",
                "2 ended sculpture 1185.0 309.38 EP0430M09",
                "3 began language 100.0 960.0 PIXART USB OPTICAL MOUSE",
                "3 ended language 100.0 960.0 PIXART USB OPTICAL MOUSE",
                "4 began language 100.0 960.0 PIXART USB OPTICAL MOUSE",
                "4 cancelled language 100.0 960.0 PIXART USB OPTICAL MOUSE",
                "5 began map 628.8 688.5 Atmel maXTouch Touchscreen",
                "5 cancelled map 628.8 688.5 Atmel maXTouch Touchscreen",
                "6 began painting 510.0 348.75 EP0430M09",
                "6 cancelled painting 510.0 348.75 EP0430M09",
                "7 began whole 960.0 540.0 EP0430M09",
                "7 ended whole 960.0 540.0 EP0430M09",
                "8 began whole 960.0 540.0 EP0430M09",
                "8 cancelled whole 960.0 540.0 EP0430M09",
            ])
        let found = try run.journal(.deviceAdded).map { $0["TOUCHD_DEVICE"] }
        #expect(found == ["EP0430M09", "PIXART USB OPTICAL MOUSE", "Atmel maXTouch Touchscreen"])
    }

    @Test("an unplugged device is not an error; one released on stop is not reported")
    func unpluggedDevices() throws {
        let gone = try run.journal(.deviceRemoved).map { $0["TOUCHD_DEVICE"] }
        #expect(gone == ["PIXART USB OPTICAL MOUSE", "Atmel maXTouch Touchscreen"])
        let failures = try run.journal(.deviceFailed).map { $0["MESSAGE"] }
        #expect(failures == [])
    }

    @Test("a reload shows the new layout; an invalid one is refused")
    func reload() throws {
        #expect(try run.journal(.layoutLoaded).count == 2)
        let refusal = try run.journal(.layoutRefused)
        #expect(refusal.first?["MESSAGE"]?.contains("/etc/touchd/touchd.yaml:12:1: error: unknown key 'viewz'") == true)
        #expect(refusal.map { $0["PRIORITY"] } == ["3", "3"])
        // systemctl reports it too.
        #expect(try run.lines("mistaken-reload").last == "exit status 1")
    }

    @Test("a handler's program runs under the service's limits, with the touch's facts")
    func exec() throws {
        let messages = try run.journal().compactMap { $0["MESSAGE"] }
        let told = messages.filter { $0.hasPrefix("told ") }

        #expect(told == Array(repeating: "told began whole 960.0 CapEff:\t0000000000000000", count: 2))
    }

    @Test("stopped with a finger down, it cancels the touch and exits successfully")
    func stop() throws {
        #expect(try run.lines("stop") == [])
        #expect(try run.lines("stopped") == ["ActiveState=inactive", "SubState=dead"])
        #expect(try run.journal(.unitSuccess).count == 1)
    }

    @Test("a touch's entry is readable, and has the kernel's CLOCK_MONOTONIC time")
    func fields() throws {
        let touches = try run.journal().filter(\.isTouch)

        #expect(touches.first?["MESSAGE"] == "touch 1 began on painting at (510.0, 348.75)")
        #expect(Set(touches.map { $0["PRIORITY"] }) == ["6"])
        #expect(Set(touches.map { $0["SYSLOG_IDENTIFIER"] }) == ["touchd"])
        // journald timestamps an entry on the same clock, after the kernel's timestamp of the event, so the order is
        // kept.
        let times = touches.compactMap { Double($0["TOUCHD_TIME"] ?? "") }
        let received = touches.compactMap { Double($0["__MONOTONIC_TIMESTAMP"] ?? "") }.map { $0 / 1_000_000 }
        try #require(times.count == touches.count && received.count == touches.count)
        #expect(zip(times, received).allSatisfy { $0 > 0 && $0 <= $1 })
        #expect(times == times.sorted())
        #expect(times[0] == times[1])
    }

    @Test("only root and the group touchd may connect; others get a message that says how")
    func whoMayTalk() throws {
        #expect(try run.lines("status-root").contains("layout    /etc/touchd/touchd.yaml"))
        #expect(try run.lines("status-member").contains("layout    /etc/touchd/touchd.yaml"))
        let stranger = try run.lines("status-stranger")
        #expect(
            stranger.first?.hasPrefix("error: permission denied for touchd's control socket /run/touchd/control")
                == true)
        #expect(stranger.last == "exit status 77")
        #expect(try run.lines("socket") == ["drwxr-x--- touchd touchd", "srw-rw---- touchd touchd"])
    }

    @Test("journalctl -x explains an entry")
    func catalog() throws {
        #expect(try run.lines("install") == [])
        #expect(try run.lines("catalog").contains("░░ Subject: touchd answers touches"))
    }

    @Test("touchd-metrics.timer replaces the metrics file while touchd answers, and logs only failures")
    func metrics() throws {
        #expect(try run.lines("metrics").contains { $0.hasPrefix("touchd_build_info{") })
        #expect(try run.lines("metrics").last == "# EOF")
        #expect(try run.lines("metrics-file") == ["touchd.prom", "-rw-r--r-- touchd touchd"])
        #expect(
            try run.lines("metrics-of-hung") == ["touchd.prom", "Result=exit-code", "ExecMainStatus=75", "unchanged"])
        #expect(try run.lines("metrics-timer") == ["active", "inactive"])
        let journal = try run.lines("metrics-journal")
        #expect(journal.contains { $0.hasPrefix("error: touchd did not answer within 5.0 seconds") })
        #expect(!journal.contains { $0.hasPrefix("Starting") || $0.hasPrefix("Finished") }, "\(journal)")
    }

    @Test("socket activation: systemd listens and starts touchd for a client")
    func activation() throws {
        let lines = try run.lines("activated")

        #expect(lines.first == "inactive")
        #expect(lines.contains("layout    /etc/touchd/touchd.yaml"))
        #expect(lines.last == "active")
    }

    @Test("a second seat has its own layout, socket and status")
    func seat() throws {
        let lines = try run.lines("seat")

        #expect(lines.first == "layout    /etc/touchd/seat1.yaml")
        #expect(lines.last == "StatusText=Reading 1 device")
    }
}
