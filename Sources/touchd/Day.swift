import ArgumentParser
import Basics
import CommandSupport
import EventLoop
import Foundation
import Handlers
import Layout
import Reports

struct Day: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "day",
        abstract: "Report yesterday's touches of this kiosk from its journal, and send the days to a collector.",
        discussion: """
            Prints one line of JSON for each seat. touchd-day.timer starts it with --write, and then with --send. A touch \
            counts on the day on which it began.
            """)

    @Option(help: .file("The settings: the collector and the time zone."), completion: .file(extensions: ["yaml"]))
    var settings = DaySettings.installed

    @Option(
        help: ArgumentHelp(
            "Write the days since the last one, at most \(CalendarDay.limit), into this folder instead.",
            valueName: "folder"), completion: .directory)
    var write: String?

    @Option(
        help: ArgumentHelp("Send the days in this folder, and delete those that were taken.", valueName: "folder"),
        completion: .directory)
    var send: String?

    func validate() throws {
        guard write == nil || send == nil else { throw ValidationError("--write and --send are two steps; give one") }
    }

    func run() throws {
        try CommandFailure.reporting {
            // Only to send, there has to be a collector.
            let isOptional = send == nil && access(settings, F_OK) != 0 && errno == ENOENT
            let settings = isOptional ? DaySettings() : try DaySettings(path: settings)
            setenv("TZ", settings.timeZone, 1)
            tzset()
            try MainActor.assumeIsolated { try run(settings) }
        }
    }

    @MainActor
    private func run(_ settings: DaySettings) throws {
        if let send {
            try DaySender.send(DayFolder(path: send), settings)
        } else if let write {
            let folder = DayFolder(path: write), now = time(nil)
            try folder.expire(before: CalendarDay(at: now, offset: -Int32(CalendarDay.limit) - 1))
            for day in CalendarDay.ended(since: folder.last, now: now) { try folder.add(day, Self.judged(day)) }
        } else {
            let day = CalendarDay(at: time(nil), offset: -1), text = try Self.judged(day)
            guard !text.isEmpty else {
                throw UnavailableError(
                    "the journal has no entry of touchd on \(day.name) that you may read; try: sudo touchd day",
                    status: EX_NOINPUT)
            }
            print(text, terminator: "")
        }
    }

    /// The report of a day, a line for each seat, from this machine's journal.
    @MainActor
    private static func judged(_ day: CalendarDay) throws -> String {
        let pipe = Pipe()
        let process = try ChildProcess.start(
            [
                "/usr/bin/journalctl", "--unit=touchd", "--unit=touchd@*", "--output=export", "--quiet",
                "--since=@\(day.start)", "--until=@\(day.end + CalendarDay.margin)",
            ], output: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        var reader = JournalRecordReader(
            descriptor: pipe.fileHandleForReading.fileDescriptor, path: "the journal of \(day.name)")
        var tally = DayTally(day, layout: Self.layout)
        while let record = try reader.next() { tally.add(record) }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process, status == 0 else {
            throw UnavailableError("journalctl failed for \(day.name); see its message above", status: EX_NOINPUT)
        }
        return tally.reports(now: .now).map { $0.jsonText() + "\n" }.joined()
    }

    /// The installed layout of a seat, if it has no error.
    @MainActor
    private static func layout(ofSeat seat: String) -> LayoutZones? {
        let path = seat.isEmpty ? LayoutOption.installed : "/etc/touchd/\(seat).yaml"
        return (try? LayoutDocument(path: path, handlers: HandlerRegistry.builtinNames)).map { LayoutZones($0) }
    }
}
