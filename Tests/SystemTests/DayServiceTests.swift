import Foundation
import LabSupport
import Testing

@testable import TestSupport
@testable import touchd

/// The services of touchd-day.timer with a collector, tried by `Tests/Lab/day.sh`.
@Suite("Days of a kiosk, in a container", .needsContainer, .needs("systemd-journal-remote"))
struct DayServiceTests {
    private let run: LabRun

    init() async throws { run = try await LabRun.day.value }

    @Test("systemd finds nothing wrong with the units, and little that they expose")
    func units() throws {
        #expect(try run.lines("verify") == [])
        for (unit, limit) in [("touchd-day", 0.3), ("touchd-day-send", 1.2)] {
            let line = try #require(try run.lines("\(unit)-security").first)
            let level = try #require(line.firstMatch(of: /service: ([0-9.]+)/).flatMap { Double($0.output.1) })
            #expect(level <= limit, "\(line)")
        }
        #expect(try run.lines("unset").count { $0 == "ConditionResult=no" } == 2)
        #expect(try run.lines("spy").first == "3 Failed to open /var/log/journal: Permission denied")
    }

    @Test("a day stays while the collector is away or busy, with one error for each try")
    func away() throws {
        let day = try #require(try run.lines("day").first)
        let error = "3 error: 1 day waits in /var/lib/touchd.day for https://localhost:8443: "
        #expect(try run.lines("away") == [error + "Couldn't connect to server"])
        #expect(try run.lines("busy") == [error + "the server answered 503"])
        for section in ["away-files", "busy-files"] {
            #expect(try run.lines(section) == ["\(day).json.gz", "last-day"])
        }
    }

    @Test("a journal that cannot be read is one error, and no part of it is written")
    func broken() throws {
        let error = try #require(try run.lines("broken").first)
        #expect(error.hasPrefix("3 error: journalctl failed for ") && error.hasSuffix("; see its message above"))
        #expect(try run.lines("broken-files") == [])
    }

    @Test("the timer's services send the day with gzip and token, and delete it; sent again, it is the same")
    func taken() throws {
        let day = try #require(try run.lines("day").first)
        for section in ["taken", "again"] {
            #expect(try run.lines(section) == ["5 https://localhost:8443 took \(day)"])
            #expect(try run.lines("\(section)-files") == ["last-day"])
        }
        let last = try #require(try run.lines("last").first)
        #expect(last > day)

        let requests = try run.lines("requests")
        #expect(requests.count == 3 && Set(requests).count == 1)
        let text = try #require(requests.first)
        let request = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let lines = try #require(request["lines"] as? [[String: Any]])
        #expect(lines.map { $0["day"] as? String } == [day, day])
        #expect(lines.map { $0["seat"] as? String } == ["", "left"])
        #expect(lines.allSatisfy { ($0["from"] as? String)?.firstMatch(of: /T2[23]:00:00Z$/) != nil })
        let kiosks = lines.compactMap { $0["kiosk"] as? [String: Any] }
        #expect(kiosks.map { $0["host"] as? String } == ["hall", "hall"])
        #expect(kiosks.compactMap { ($0["total"] as? [String: Int])?["taps"] } == [2, 1])
        #expect(
            request["headers"] as? [String: String] == [
                "Authorization": "Bearer secret", "Content-Encoding": "gzip", "Content-Type": "application/x-ndjson",
            ])
    }
}

/// `touchd day --send` with a real broker.
@Suite(.needs("mosquitto"), .needs("mosquitto-clients")) struct DayBrokerTests {
    @Test("a broker gets a day, which is deleted when it has confirmed it; without a broker it stays")
    func broker() throws {
        let broker = try Broker(), owner = try TemporaryFolder()
        let folder = DayFolder(path: owner.url.appending(path: "days").path)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try folder.add(CalendarDay(name: "2026-11-26", start: 0, end: 86400), "{\"day\": \"2026-11-26\"}\n")
        let body = try #require(folder.body(of: "2026-11-26")), peer = "mqtt://localhost:\(broker.port)"
        let settings = try owner.file("day.yaml", "host: localhost\nport: \(broker.port)\ntopic: museum/days\n")
        let away = try TouchdProgram.run("day", "--settings", settings.path, "--send", folder.path)
        #expect(away.status == EX_TEMPFAIL)
        #expect(away.errors.hasSuffix(" for \(peer): the broker refused the connection\n"))
        #expect(folder.days == ["2026-11-26"])

        try broker.start()
        let subscriber = try broker.subscriber(["-F", "GOT %t %q %x"])

        let outcome = try TouchdProgram.run("day", "--settings", settings.path, "--send", folder.path)
        #expect(outcome.status == 0 && outcome.errors == "\(peer) took 2026-11-26\n")
        #expect(folder.days == [])
        #expect(subscriber.got() == "museum/days 1 \(body.map { String(format: "%02x", $0) }.joined())")
    }
}
