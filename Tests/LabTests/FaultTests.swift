import Foundation
import Testing

/// Faults of a kiosk, caused by `Tests/Lab/faults.sh` with the installed service.
@Suite("touchd.service under faults, in a booted machine", .needsLab)
struct FaultTests {
    @Test("only root and the group touchd may connect; others get a message that says how")
    func whoMayTalk() async throws {
        let run = try await LabRun.installed.value

        #expect(try run.lines("status-root").contains("layout    /etc/touchd/touchd.yaml"))
        #expect(try run.lines("status-member").contains("layout    /etc/touchd/touchd.yaml"))
        let stranger = try run.lines("status-stranger")
        #expect(stranger.first?.hasPrefix("permission denied for touchd's control socket /run/touchd/control") == true)
        #expect(stranger.last == "exit status 77")
        #expect(try run.lines("socket") == ["drwxr-x--- touchd touchd", "srw-rw---- touchd touchd"])
    }

    @Test("journalctl -x explains an entry")
    func catalog() async throws {
        let run = try await LabRun.installed.value

        #expect(try run.lines("catalog-update") == [])
        #expect(try run.lines("catalog").contains("░░ Subject: touchd answers touches"))
    }

    @Test("a subscriber that never reads loses events, and delays no touch")
    func silentClient() async throws {
        let status = try await LabRun.installed.value.lines("silent-client")

        let numbers = try #require(status.first { $0.hasPrefix("touches") }).numbers
        #expect(numbers[0] == numbers[1] && numbers[0] > 0)
        let control = try #require(status.first { $0.hasPrefix("control") }).numbers
        // Connected are two monitors and the status command; the silent client's unread events are dropped.
        #expect(control[0] == 3 && control[1] == 2 && control[2] > 0)
    }

    @Test(
        "without journald touches are delivered, and logged in order later",
        arguments: [("without-journald", 4), ("stopped-journald", 0)])
    func journald(section: String, later: Int) async throws {
        let run = try await LabRun.installed.value

        let during = try run.lines(section)
        let taps = try #require(during.first?.numbers.first)
        let waiting = try #require(during.last?.numbers.first)
        #expect(waiting > 0 && taps > 0)
        let journald = try run.lines("journald").joined(separator: "\n")
        let entries = try run.lines("\(section)-journal").map(JournalEntry.init(json:))
        #expect(!entries.contains { $0["MESSAGE_ID"] == MessageID.entriesDropped.rawValue })
        let touches = entries.filter(\.isTouch)
        // Four fingers come down together and are lifted together.
        let hands = (taps + later) / 4
        let hand = [String](repeating: "began", count: 4) + [String](repeating: "ended", count: 4)
        #expect(touches.map { $0["TOUCHD_PHASE"] ?? "" } == Array([[String]](repeating: hand, count: hands).joined()))
        let numbers = touches.compactMap { Int($0["TOUCHD_TOUCH"] ?? "") }
        let first = try #require(numbers.first)
        var expected: [Int] = []
        for number in stride(from: first, to: first + 4 * hands, by: 4) {
            expected += [number, number + 1, number + 2, number + 3] + [number, number + 1, number + 2, number + 3]
        }
        // Seen twice on a busy machine: dozens of entries in the middle that journald's socket had accepted were missing.
        // If the sequence numbers (i=) around the gap are consecutive, journald never wrote them.
        let right = zip(numbers, expected).prefix { $0 == $1 }.count
        let around = touches.dropFirst(max(right - 1, 0)).prefix(2).compactMap { $0["__CURSOR"] }.joined(separator: "\n")
        #expect(numbers == expected, "the cursors around the gap:\n\(around)\njournald said:\n\(journald)")
    }

    @Test("socket activation: systemd listens and starts touchd for a client")
    func activation() async throws {
        let lines = try await LabRun.installed.value.lines("activated")

        #expect(lines.first == "inactive")
        #expect(lines.contains("layout    /etc/touchd/touchd.yaml"))
        #expect(lines.last == "active")
    }

    @Test("a second seat has its own layout, socket and status")
    func seat() async throws {
        let lines = try await LabRun.installed.value.lines("seat")

        #expect(lines.first == "layout    /etc/touchd/seat1.yaml")
        #expect(lines.last == "StatusText=Reading 1 device")
    }

    @Test("a touch that waited too long for a handler is dropped, and those that began before end once")
    func slowHandler() async throws {
        let run = try await LabRun.installed.value
        let touches = try run.lines("slow-touches").compactMap { line -> String? in
            let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let touch = record?["touch"] as? Int, let phase = record?["phase"] as? String else { return nil }
            return phase == "moved" ? nil : "\(touch) \(phase)"
        }
        #expect(touches == ["1 began", "2 began", "1 ended", "2 ended", "3 began", "3 ended"])
        #expect(try run.lines("slow-log").count == 1)
    }

    @Test("a handler that does not return is named, and the service is restarted")
    func stuckHandler() async throws {
        let run = try await LabRun.installed.value
        let entries = try run.lines("stuck-journal").map(JournalEntry.init(json:))

        let stuck = try #require(entries.firstIndex { $0["MESSAGE_ID"] == MessageID.handlerStuck.rawValue })
        #expect(entries[stuck]["TOUCHD_HANDLER"] == "stuck")
        #expect(entries[stuck]["PRIORITY"] == "2")
        #expect(entries[stuck]["MESSAGE"]?.contains("the handler 'stuck' has not returned for 5 s") == true)
        #expect(entries.contains { $0["MESSAGE"]?.contains("Watchdog timeout") == true })
        let started = try #require(entries.lastIndex { $0["MESSAGE_ID"] == MessageID.started.rawValue })
        #expect(started > stuck)
        #expect(try run.lines("restarted").contains("NRestarts=1"))
        // Touches that were down during the start are not delivered; later ones are numbered from 1 again.
        let touches = entries[started...].filter(\.isTouch).map {
            "\($0["TOUCHD_TOUCH"] ?? "") \($0["TOUCHD_PHASE"] ?? "")"
        }
        #expect(touches == ["1 began", "1 ended"])
    }
}

extension String {
    /// The whole numbers in a line, in order.
    fileprivate var numbers: [Int] { split { !$0.isNumber }.compactMap { Int($0) } }
}
