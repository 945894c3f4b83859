import ControlProtocol
import EventLoop
import Evdev
import Foundation
import Service
import Synchronization
import TouchKit

/// A day of kiosk use at full speed, through the parts of the service: `Endurance FOLDER [EVENTS [SEED]]`.
///
/// FOLDER is the repository. Prints a line with the process's resources and the delays for every fiftieth of the
/// events, and the errors at the end; exits with 1 if there are any. `make endurance` runs it.
@main
final class Endurance {
    private let kiosk: EnduranceKiosk
    private let journal: JournalReader
    private let wall: EndurancePanel
    private let recorded: [EndurancePanel]
    private var day: KioskDay
    private var random: Randomness
    private let events: Int
    private var recordedEvents = 0, waits = 0
    /// The number of events that a subscriber of the control socket received.
    private let published = Mutex(0)
    /// The resident memory in kilobytes, and the number of descriptors except those to programs.
    private var samples: [(resident: Int, descriptors: Int)] = []
    private let begin = Deadline.now
    private lazy var source = SignalledSource(name: "day", order: 100) { [unowned self] in step() }

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let events = Int(arguments.dropFirst(2).first ?? "50000000"),
            let seed = UInt64(arguments.dropFirst(3).first ?? "1")
        else {
            print("usage: Endurance FOLDER [EVENTS [SEED]]")
            exit(64)
        }
        MallocArenas.limitToOne()
        let endurance = try Endurance(folder: arguments[1], events: events, seed: seed)
        exit(endurance.perform() ? 0 : 1)
    }

    private init(folder: String, events: Int, seed: UInt64) throws {
        (self.events, day, random) = (events, KioskDay(events: events, seed: seed), Randomness(seed: seed &+ 1))
        // In the abstract namespace, which leaves no file behind.
        let (path, control) = ("@touchd-endurance-journal-\(getpid())", "@touchd-endurance-control-\(getpid())")
        journal = JournalReader(path: path)
        let kiosk = try EnduranceKiosk(
            layout: "\(folder)/Tests/Endurance/kiosk.yaml", journal: path, control: control)
        self.kiosk = kiosk
        func panel(_ device: UInt32, _ name: String) throws -> EndurancePanel {
            let path = "\(folder)/config/examples/recordings/\(name).evemu"
            return try EndurancePanel(path, device: device, application: kiosk.application)
        }
        wall = try panel(1, "museum-wall-left")
        recorded = [
            try panel(2, "museum-wall-left"), try panel(3, "museum-wall-right"), try panel(4, "seat-map"),
            try panel(5, "ticket-machine"),
        ]
        Thread { [self] in
            guard let connection = try? ControlConnection(path: control, timeout: .seconds(60)),
                (try? connection.send(.subscribe(to: .published, moves: false))) != nil
            else { return }
            while (try? connection.nextEvent()) != nil { published.withLock { $0 += 1 } }
        }.start()
    }

    private var now: InputTimestamp { InputTimestamp(microseconds: day.time) }
    private var hours: Double { Double(day.time) / 3.6e9 }
    private var eventCount: Int { day.eventCount + recordedEvents }

    /// Runs until the day is over; returns whether there are no errors.
    private func perform() -> Bool {
        print("    events   hour  touches  RSS kB  fds  children   p50 µs   p99 µs  p99.9 µs")
        kiosk.loop.add(source)
        source.signal()
        kiosk.application.run(on: kiosk.loop)
        sample()
        for panel in recorded + [wall] { panel.cancel(at: now) }
        kiosk.close()
        _ = kiosk.journal.finish()
        return report(journal: journal.finish())
    }

    private func step() {
        defer { source.signal() }
        // The journal's reader gets time, as on a kiosk, because drops are not measured here. It starts to read when
        // the queue is full, so that the queue's memory does not grow later.
        guard kiosk.journal.waitingCount < 500 else {
            journal.begin()
            return waits += 1
        }
        if eventCount >= events * (samples.count + 1) / 50 { sample() }
        guard let report = day.next() else { return kiosk.loop.stop() }
        guard let last = report.last else { return wall.replug(at: now) }
        if random.below(2000) == 0 { recorded[random.below(recorded.count)].begin() }
        for panel in recorded { recordedEvents += panel.play(at: now) }
        for event in report.dropLast() { wall.feed(event) }
        kiosk.fed = .now
        wall.feed(last)
    }

    private func sample() {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        let resident = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        // The descriptor for reading the folder is open too.
        let open = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 1) - 1
        let programs = try? String(contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)
        let children = programs?.split(separator: " ").count ?? 0
        samples.append((resident, open - children))
        let delays = [0.5, 0.99, 0.999].map { kiosk.latency.quantile($0) / .microseconds(1) }
        kiosk.latency = LatencyHistogram()
        print(
            String(
                format: "%10d  %5.2f %8d %7d %4d %9d %8.1f %8.1f %9.1f", eventCount, hours,
                kiosk.counts[.began] ?? 0, resident, open, children, delays[0], delays[1], delays[2]))
        fflush(nil)
    }

    /// Prints the counts and the errors; returns whether there are no errors.
    private func report(journal entries: [Int]) -> Bool {
        let touches = [Touch.Phase.began, .ended, .cancelled].map { kiosk.counts[$0] ?? 0 }
        // Lazily created objects exist after a fifth of the day.
        let settled = samples[(samples.count / 5)...]
        let (least, most) = (settled.map(\.resident).min() ?? 0, settled.map(\.resident).max() ?? 0)
        let growth = Double(most - least) / Double(max(least, 1)) * 100
        let descriptors = Set(settled.map(\.descriptors))
        print(
            """
            \(eventCount) events of \(String(format: "%.1f", hours)) hours in \
            \((Deadline.now - begin).components.seconds) s, \(recordedEvents) of them recorded; \(day.fingerCount) \
            fingers, the plug pulled \(day.pullCount) times
            touches: \(touches[0]) began, \(kiosk.counts[.moved] ?? 0) moves, \(touches[1]) ended, \
            \(touches[2]) cancelled; handlers ran \(kiosk.handlerCount) times
            journal: \(entries.reduce(0, +)) entries, \(kiosk.journal.droppedCount) dropped; waited for it \(waits) times
            control socket: \(published.withLock { $0 }) events told, \(kiosk.control.droppedCount) dropped
            memory after a fifth of the day: \(least) to \(most) kB, \(String(format: "%.2f", growth)) %
            """)
        for (failure, count) in kiosk.failures.sorted(by: { $0.key < $1.key }) { print("  \(count) × \(failure)") }
        let problems = [
            ("lost ends", touches[0] != touches[1] + touches[2] || !kiosk.down.isEmpty),
            ("\(kiosk.mistakes) phases out of order", kiosk.mistakes > 0),
            ("the journal has \(entries)", kiosk.journal.droppedCount == 0 && Array(entries[..<3]) != touches),
            ("memory is not flat within 1 %", growth > 1),
            ("descriptors: \(descriptors.sorted())", descriptors.count > 1),
        ].filter(\.1)
        for (problem, _) in problems { print("WRONG: \(problem)") }
        if problems.isEmpty { print("lost ends: 0; memory, descriptors and order as they should be") }
        return problems.isEmpty
    }
}
