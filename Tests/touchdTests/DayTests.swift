import ControlProtocol
import Foundation
import Glibc
import Testing

@testable import TestSupport
@testable import touchd

@Suite("touchd day") struct DayTests {
    // MARK: Settings

    @Test("a server and a broker are given by the words of handlers")
    func destinations() throws {
        let server = try DaySettings(
            text: "url: https://collector.example/days\ncredential: fleet\ntime-zone: UTC\n", file: "day.yaml")
        #expect(server.message.peer == "https://collector.example:443")
        #expect(server.message.http?.url == "https://collector.example/days")
        #expect(server.message.http?.credential == "fleet" && server.setup.requests.first?.credential == "fleet")
        #expect(server.message.http?.headers.contains("Content-Encoding: gzip") == true)

        let broker = try DaySettings(text: "host: broker.example\ntopic: museum/days\n", file: "day.yaml")
        #expect(broker.message.peer == "mqtt://broker.example:8883" && broker.setup.brokers.first?.port == 8883)
        #expect(broker.message.mqtt?.topic == "museum/days" && broker.message.mqtt?.qos == 1)
        #expect(broker.timeZone == "UTC")
    }

    @Test(
        "an error has its location and what to write instead",
        arguments: [
            ("time-zone: UTC", "day.yaml:1:1: error: no collector; add 'url' of a server, or 'host' and 'topic'"),
            ("url: collector.example", "day.yaml:1:6: error: 'url' must be a URL such as https://"),
            ("url: ftp://collector.example/", "day.yaml:1:6: error: 'url' must be a URL such as https://"),
            ("url: https://a.example/\nhost: b", "day.yaml:2:7: error: 'url' and 'host' are two collectors; keep one"),
            ("url: https://a.example/\ntopic: b", "day.yaml:2:8: error: 'topic' needs 'host', not 'url'"),
            ("host: a\ntopic: b\ncredential: c", "day.yaml:3:13: error: 'credential' needs 'url', not 'host'"),
            ("host: a", "day.yaml:1:7: error: 'host' needs a 'topic' without + and #"),
            ("host: a\ntopic: 'b/#'", "day.yaml:2:8: error: 'host' needs a 'topic' without + and #"),
            ("host: a\ntopic: b\nport: 0", "day.yaml:3:7: error: 'port' must be a whole number from 1 to 65535"),
            (
                "url: https://a.example/\ntime-zone: Europe/Bern",
                "day.yaml:2:12: error: 'time-zone' must be the name of one (got 'Europe/Bern'); see: timedatectl"
            ),
            ("url: https://a.example/\ntime-zone: ../../etc/passwd", "day.yaml:2:12: error: 'time-zone' must be"),
            ("to: https://a.example/", "day.yaml:1:1: error: unknown key 'to' in the settings; "),
        ])
    func errors(_ text: String, _ problem: String) throws {
        let error = #expect(throws: (any Error).self) { try DaySettings(text: text, file: "day.yaml") }
        #expect("\(try #require(error))".hasPrefix(problem), "\(String(describing: error))")
    }

    // MARK: Days

    @Test("days of a time zone follow each other, with 23 or 25 hours when clocks change")
    func zones() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "Europe/Berlin", 1)
            tzset()
            // 2026-10-26 00:30 in Berlin: the day before had 25 hours.
            let now: time_t = 1_792_971_000
            let day = CalendarDay(at: now, offset: -1)
            #expect(day.name == "2026-10-25" && day.end - day.start == 25 * 3600)
            #expect(day.end == CalendarDay(at: now, offset: 0).start && day.end == 1_792_969_200)
            #expect(CalendarDay(at: now, offset: -211).name == "2026-03-29")
            #expect(CalendarDay(at: now, offset: -211).end - CalendarDay(at: now, offset: -211).start == 23 * 3600)
            // Midnight did not exist in São Paulo.
            setenv("TZ", "America/Sao_Paulo", 1)
            tzset()
            let days = (0..<5).map { CalendarDay(at: 1_541_300_000, offset: $0 - 2) }
            #expect(days.map(\.name) == ["2018-11-01", "2018-11-02", "2018-11-03", "2018-11-04", "2018-11-05"])
            #expect(zip(days, days.dropFirst()).allSatisfy { $0.end == $1.start })
            #expect(days[3].end - days[3].start == 23 * 3600)
        }
    }

    @Test("the days since the last one are judged, at most 31, and each ten minutes after its end")
    func missed() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "UTC", 1)
            tzset()
            let midnight: time_t = 1_795_824_000  // 2026-11-28
            func names(_ last: String?, _ now: time_t) -> [String] {
                CalendarDay.ended(since: last, now: now).map(\.name)
            }
            #expect(names("2026-11-26", midnight + 599) == [])
            #expect(names("2026-11-26", midnight + 600) == ["2026-11-27"])
            #expect(names("2026-11-24", midnight + 3600) == ["2026-11-25", "2026-11-26", "2026-11-27"])
            #expect(names("2026-11-27", midnight + 3600) == [])
            #expect(names("2020-01-01", midnight + 3600).count == 31)
            #expect(names(nil, midnight + 3600).first == "2026-10-28")
            // The clock was ahead.
            #expect(names("2036-01-01", midnight + 3600).count == 31)
        }
    }

    // MARK: Files

    private static func day(_ name: String) -> CalendarDay { CalendarDay(name: name, start: 0, end: 86400) }

    @Test("a day waits as a file; one without entries leaves none, and neither does one that is too large")
    func files() throws {
        let owner = try TemporaryFolder(), folder = DayFolder(path: owner.url.path)
        #expect(folder.last == nil && folder.days == [])
        try folder.add(Self.day("2026-11-26"), "{\"day\": \"2026-11-26\"}\n")
        try folder.add(Self.day("2026-11-27"), "")
        #expect(folder.days == ["2026-11-26"] && folder.last == "2026-11-27")
        #expect(folder.body(of: "2026-11-26")?.starts(with: [0x1f, 0x8b]) == true)

        var noise = SystemRandomNumberGenerator()
        let random = String((0..<200_000).map { _ in "0123456789abcdef".randomElement(using: &noise) ?? "0" })
        try folder.add(Self.day("2026-11-28"), random)
        try folder.add(Self.day("2026-11-29"), String(repeating: "a", count: DayFolder.sizeLimit + 1))
        #expect(folder.days == ["2026-11-26"] && folder.last == "2026-11-29")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)

        try folder.expire(before: Self.day("2026-11-26"))
        #expect(folder.days == ["2026-11-26"])
        try folder.expire(before: Self.day("2026-11-27"))
        #expect(folder.days == [])
    }

    @Test("only days are sent from the folder, and neither links nor what is too large")
    func strangeFiles() throws {
        let owner = try TemporaryFolder(), folder = DayFolder(path: owner.url.path)
        for name in ["x.json.gz", "2026-11-26.json", "2026-11-26.json.gz.part", "../2026-11-26.json.gz"] {
            _ = try owner.file((name as NSString).lastPathComponent == name ? name : "y", "")
        }
        #expect(folder.days == [])
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/2026-11-26.json.gz", withDestinationPath: "/etc/passwd")
        _ = try owner.file("2026-11-27.json.gz", String(repeating: "a", count: DayFolder.fileLimit + 1))
        #expect(folder.days.count == 2 && folder.days.allSatisfy { folder.body(of: $0) == nil })
    }

    @Test("without a collector the days stay, and one error says why")
    func away() throws {
        let owner = try TemporaryFolder(), folder = DayFolder(path: owner.url.appending(path: "days").path)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try folder.add(Self.day("2026-11-26"), "{}\n")
        try folder.add(Self.day("2026-11-27"), "{}\n")
        let port = freePort()
        let settings = try owner.file("day.yaml", "url: http://127.0.0.1:\(port)/days\n")

        let outcome = try TouchdProgram.run("day", "--settings", settings.path, "--send", folder.path)
        #expect(outcome.status == EX_TEMPFAIL && outcome.output == "")
        #expect(
            outcome.errors
                == "error: 2 days wait in \(folder.path) for http://127.0.0.1:\(port): Couldn't connect to server\n")
        #expect(folder.days.count == 2)

        let missing = try TouchdProgram.run("day", "--settings", "/nowhere/day.yaml", "--send", folder.path)
        #expect(missing.status == EX_NOINPUT)
        #expect(missing.errors.hasPrefix("/nowhere/day.yaml:1:1: error: cannot open the settings: "))
        let both = try TouchdProgram.run("day", "--write", folder.path, "--send", folder.path)
        #expect(both.status == EX_USAGE && both.errors.contains("--write and --send are two steps; give one"))
    }
}
