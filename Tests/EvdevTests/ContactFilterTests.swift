import Evdev
import Testing

@Suite("Filters against noise")
struct ContactFilterTests {
    /// One report: its time in milliseconds and its events as evemu writes them, without their type, which is EV_ABS.
    private static func report(_ milliseconds: Int, _ events: String...) -> String {
        let seconds = "0.\(String(milliseconds + 1_000_000).dropFirst(4))000"
        return events.map { "E: \(seconds) 0003 \($0)\n" }.joined() + "E: \(seconds) 0000 0000 0\n"
    }

    private func play(_ filter: ContactFilter, _ reports: [String]) throws -> [String] {
        var rule = DeviceRule(label: "noisy", match: .init(name: "panel"))
        rule.filter = filter
        var seen: [String] = []
        try played(temporaryFile(panelHeader + reports.joined()), rules: [rule]) { frame in
            seen += frame.contacts.map {
                "\($0.phase) \($0.id) at \($0.raw.x),\($0.raw.y) \(frame.timestamp.microseconds / 1000)"
            }
        }
        return seen
    }

    @Test("A contact shorter than the debounce time is dropped; a longer one begins where and when it landed")
    func debounce() throws {
        let seen = try play(
            ContactFilter(debounce: 20_000),
            [
                Self.report(0, "0039 1", "0035 10", "0036 10"), Self.report(15, "0039 -1"),
                Self.report(100, "0039 2", "0035 20"), Self.report(110, "0035 21"), Self.report(150, "0035 22"),
                Self.report(160, "0039 -1"),
            ])
        #expect(
            seen == [
                "began 2 at 20,10 100", "moved 2 at 21,10 110", "moved 2 at 22,10 150", "ended 2 at 22,10 160",
            ])
    }

    @Test("A delayed contact begins at no time before that of another finger's last frame; jitter holds for its moves")
    func debounceOfSeveral() throws {
        let seen = try play(
            ContactFilter(debounce: 20_000, jitter: 0.025),
            [
                Self.report(0, "0039 1", "0035 10", "0036 10"),
                Self.report(12, "002f 1", "0039 2", "0035 50", "0036 50"),
                Self.report(15, "002f 0", "0035 20"), Self.report(24, "0035 30"), Self.report(25, "002f 1", "0035 51"),
                Self.report(28, "0035 60"), Self.report(40, "0039 -1"), Self.report(50, "002f 0", "0039 -1"),
            ])
        #expect(
            seen == [
                "began 1 at 10,10 0", "moved 1 at 20,10 15", "moved 1 at 30,10 24", "began 2 at 50,50 24",
                "moved 2 at 60,50 28", "ended 2 at 60,50 40", "ended 1 at 30,10 50",
            ])
    }

    @Test("A contact that returns to its place within the time to join is the same; another or a later one is not")
    func join() throws {
        let taps = (0..<4).flatMap { tap in
            let (id, x) = (tap + 1, tap + 10)
            return [
                Self.report(tap * 14, "0039 \(id)", "0035 \(x)", "0036 10"), Self.report(tap * 14 + 7, "0039 -1"),
            ]
        }
        let later = [Self.report(200, "0039 5"), Self.report(210, "0039 -1"), Self.report(220, "0039 6", "0035 80")]
        let seen = try play(ContactFilter(join: 50_000, point: SurfacePoint(x: 0.001, y: 0.001)), taps + later)
        #expect(
            seen == [
                "began 1 at 10,10 0", "moved 1 at 11,10 14", "moved 1 at 12,10 28", "moved 1 at 13,10 42",
                "ended 1 at 13,10 49", "began 5 at 13,10 200", "began 6 at 80,10 220", "ended 5 at 13,10 220",
                "cancelled 6 at 80,10 260",
            ])
    }

    @Test("A position far from those before and after is dropped; a fast finger, its end and other moves are not")
    func jump() throws {
        let seen = try play(
            ContactFilter(jump: 0.2),
            [
                Self.report(0, "0039 1", "0035 10", "0036 10"), Self.report(10, "0035 11"),
                Self.report(20, "0035 60", "0036 40"), Self.report(30, "0035 12", "0036 11"),
                // Fast: each of its moves is reported with the next report, at its own time.
                Self.report(40, "0035 40"), Self.report(50, "0035 70"), Self.report(60, "0035 99"),
                Self.report(70, "0039 -1"),
            ])
        #expect(
            seen == [
                "began 1 at 10,10 0", "moved 1 at 11,10 10", "moved 1 at 12,11 30", "moved 1 at 40,11 40",
                "moved 1 at 70,11 50", "moved 1 at 99,11 60", "ended 1 at 99,11 70",
            ])
    }

    @Test("A finger that rests where it jumped to is there with another finger's report, or after 50 ms")
    func restingJump() throws {
        let seen = try play(
            ContactFilter(jump: 0.2),
            [
                Self.report(0, "0039 1", "0035 10", "0036 10"), Self.report(10, "0035 60"),
                Self.report(20, "002f 1", "0039 2", "0035 20", "0036 90"), Self.report(30, "0035 80"),
                Self.report(200, "002f 0", "0035 61"), Self.report(210, "0039 -1", "002f 1", "0039 -1"),
            ])
        #expect(
            seen == [
                "began 1 at 10,10 0", "moved 1 at 60,10 10", "began 2 at 20,90 20", "moved 2 at 80,90 30",
                "moved 1 at 61,10 200", "ended 1 at 61,10 210", "ended 2 at 80,90 210",
            ])
    }

    @Test("Held moves and delayed contacts come in the order of their times")
    func jumpOfDelayed() throws {
        let seen = try play(
            ContactFilter(debounce: 20_000, jump: 0.2),
            [
                Self.report(0, "0039 1", "0035 10", "0036 10"), Self.report(15, "0035 60"),
                Self.report(25, "0035 61"),
                Self.report(30, "0035 99"), Self.report(35, "0035 62"), Self.report(40, "0039 -1"),
            ])
        #expect(
            seen == [
                "began 1 at 10,10 0", "moved 1 at 60,10 15", "moved 1 at 61,10 25", "moved 1 at 62,10 35",
                "ended 1 at 62,10 40",
            ])
    }

    @Test("If a handler of a delayed change closes the device, each contact still ends", arguments: [true, false])
    func closedByHandler(jumps: Bool) {
        var description = DeviceDescription(name: "panel")
        for (code, maximum) in [(UInt16(0x2f), Int32(9)), (0x35, 99), (0x36, 99), (0x39, 65535)] {
            description.insertAxis(code, AxisInfo(minimum: 0, maximum: maximum))
        }
        var settings = DeviceSettings()
        settings.filter = jumps ? ContactFilter(jump: 0.2) : ContactFilter(debounce: 20_000)
        let info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "panel", description: description,
            role: DeviceRole(kind: .touchscreen, touchProtocol: .slots), use: .used, settings: settings)
        var (seen, pipeline): ([String], FramePipeline?) = ([], nil)
        let now = InputTimestamp(microseconds: 40_000)
        pipeline = FramePipeline(info) { frame in
            seen += frame.contacts.map { "\($0.phase) \($0.id)" }
            // The change that was delayed: a beginning, or a move.
            if seen.last == (jumps ? "moved 1" : "began 1") { pipeline?.cancelAll(at: now) }
        }
        func report(_ milliseconds: Int64, _ events: (code: UInt16, value: Int32)...) {
            let time = InputTimestamp(microseconds: milliseconds * 1000)
            for (code, value) in events {
                pipeline?.feed(InputEvent(type: 3, code: code, value: value, time: time))
            }
            pipeline?.feed(InputEvent(type: 0, code: 0, value: 0, time: time))
        }
        report(0, (0x39, 1), (0x35, 10))
        report(10, (0x35, 60))
        report(40, (0x2f, 1), (0x39, 2), (0x35, 20))
        #expect(
            seen
                == (jumps
                    ? ["began 1", "moved 1", "began 2", "cancelled 1", "cancelled 2"]
                    : ["began 1", "moved 1", "cancelled 1"]))
    }

    @Test("Contacts shorter than the debounce time are joined first; one that does not return is dropped")
    func joinOfShort() throws {
        let reports = (0..<4).flatMap { tap in
            [
                Self.report(tap * 14, "0039 \(tap + 1)", "0035 \(tap + 10)", "0036 10"),
                Self.report(tap * 14 + 7, "0039 -1"),
            ]
        }
        let short = [Self.report(200, "0039 5", "0035 80"), Self.report(207, "0039 -1")]
        // It returns only after the debounce time.
        let rare = [300, 340].map { [Self.report($0, "0039 \($0)", "0035 60"), Self.report($0 + 7, "0039 -1")] }
        let seen = try play(
            ContactFilter(debounce: 20_000, join: 50_000, point: SurfacePoint(x: 0.001, y: 0.001)),
            reports + short + rare.joined())
        #expect(
            seen == [
                "began 1 at 10,10 0", "moved 1 at 11,10 14", "moved 1 at 12,10 28", "moved 1 at 13,10 42",
                "ended 1 at 13,10 49", "began 6 at 60,10 300", "moved 6 at 60,10 340", "ended 6 at 60,10 347",
            ])
    }

    @Test("Moves below the jitter are dropped, measured from the last reported position")
    func jitter() throws {
        let seen = try play(
            ContactFilter(jitter: 0.025),
            [
                Self.report(0, "0039 1", "0035 10", "0036 10"), Self.report(10, "0035 11"), Self.report(20, "0035 12"),
                Self.report(30, "0035 13"), Self.report(40, "0035 12"), Self.report(50, "0039 -1"),
            ])
        #expect(seen == ["began 1 at 10,10 0", "moved 1 at 13,10 30", "ended 1 at 12,10 50"])
    }

    @Test("Vertical moves count like horizontal ones")
    func verticalJitter() throws {
        let seen = try play(
            ContactFilter(jitter: 0.025),
            [
                Self.report(0, "0039 1", "0035 10", "0036 10"), Self.report(10, "0036 12"), Self.report(20, "0036 13"),
                Self.report(30, "0039 -1"),
            ])
        #expect(seen == ["began 1 at 10,10 0", "moved 1 at 10,13 20", "ended 1 at 10,13 30"])
    }

    @Test("Contacts that begin at an edge or above the maximum are dropped until lifted")
    func edgeAndCount() throws {
        let seen = try play(
            ContactFilter(edge: 0.05, greatestCount: 1),
            [
                Self.report(0, "0039 1", "0035 2", "0036 50"), Self.report(10, "0035 50"),
                Self.report(20, "002f 1", "0039 2", "0035 50", "0036 50"),
                Self.report(30, "002f 2", "0039 3", "0035 60", "0036 60"), Self.report(40, "002f 1", "0039 -1"),
                Self.report(50, "002f 2", "0035 61"), Self.report(60, "0039 -1"),
            ])
        #expect(seen == ["began 2 at 50,50 20", "ended 2 at 50,50 40"])
    }

    @Test("An edge has the same number of points on all four sides of an oblong screen")
    func edgeInPoints() throws {
        // The screen has 1000 × 500 points, the panel 100 × 100 units.
        let filter = ContactFilter(edge: 20, point: SurfacePoint(x: 1.0 / 1000, y: 1.0 / 500))
        for (x, y, passes) in [
            (1, 50, false), (3, 50, true), (99, 50, false), (96, 50, true), (50, 3, false), (50, 5, true),
            (50, 97, false),
            (50, 95, true),
        ] {
            let seen = try play(filter, [Self.report(0, "0039 1", "0035 \(x)", "0036 \(y)")])
            #expect(seen.contains { $0.hasPrefix("began") } == passes, "\(x), \(y)")
        }
    }

    @Test("With one permitted contact, a finger may land in the report of another's lift")
    func exchangedInOneReport() throws {
        let seen = try play(
            ContactFilter(greatestCount: 1),
            [
                Self.report(0, "002f 1", "0039 1", "0035 50", "0036 50"),
                Self.report(10, "002f 0", "0039 2", "0035 60", "0036 60", "002f 1", "0039 -1"),
            ])
        #expect(seen.prefix(3) == ["began 1 at 50,50 0", "ended 1 at 50,50 10", "began 2 at 60,60 10"])
    }
}
