import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Service
import Synchronization
import TouchKit

/// A day of kiosk use at full speed, through the parts of the service: `Endurance FOLDER [EVENTS [SEED]]`.
///
/// FOLDER is the repository. Prints a line with the process's resources for every fiftieth of the events, and the
/// errors at the end; exits with 1 if there are any. `make endurance` runs it.
@main final class Endurance {
    private let kiosk: EnduranceKiosk
    private let journal: JournalReader
    private let published = Mutex(0)
    private var visits: [Visit] = []
    /// The state of the random numbers (xorshift64*).
    private var random: UInt64
    private let events: Int
    private var eventCount = 0, pullCount = 0
    /// The resident memory in kilobytes, and the number of descriptors except those to programs.
    private var samples: [(resident: Int, descriptors: Int)] = []
    private let begin = Deadline.now
    private var now = InputTimestamp(microseconds: 0)
    private var nextVisit: Int64 = 0, nextPull: Int64 = 60_000_000
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
        endurance.perform()
        exit(endurance.report() ? 0 : 1)
    }

    private init(folder: String, events: Int, seed: UInt64) throws {
        (self.events, random) = (events, seed | 1)
        // In the abstract namespace, which leaves no file behind.
        let path = "@touchd-endurance-journal-\(getpid())"
        let control = "@touchd-endurance-control-\(getpid())"
        journal = JournalReader(path: path)
        let kiosk = try EnduranceKiosk(
            layout: "\(folder)/Tests/Endurance/kiosk.yaml", journal: path, control: control)
        self.kiosk = kiosk
        let examples = ["museum-wall-left", "museum-wall-right", "seat-map", "ticket-machine"]
        for (number, name)
            in (examples.map { "examples/recordings/\($0)" } + ["recordings/quanta-optical"]).enumerated()
        {
            let device = DeviceID(rawValue: UInt32(number) + 1)
            visits.append(
                try Visit(path: "\(folder)/config/\(name).evemu", device: device) { kiosk.application.enqueue($0) })
        }
        Thread { [self] in
            guard let connection = try? ControlConnection(path: control, timeout: .seconds(60)),
                (try? connection.send(.subscribe(to: .published, moves: false))) != nil
            else { return }
            while (try? connection.nextEvent()) != nil { published.withLock { $0 += 1 } }
        }.start()
    }

    /// Runs until the day is over.
    private func perform() {
        print("    events   hour  touches  RSS kB  fds  programs")
        kiosk.loop.add(source)
        source.signal()
        kiosk.application.run(on: kiosk.loop)
        sample()
        for visit in visits { visit.replug(at: now) }
        kiosk.close()
        while kiosk.journal.waitingCount > 0 {
            journal.drain()
            kiosk.loop.run(until: .now, returnAfterSourceHandled: true)
        }
        journal.drain()
    }

    private func step() {
        // Entries are read when the queue is full, so that its memory does not grow later; drops are not measured here.
        guard kiosk.journal.waitingCount < 500 else {
            journal.drain()
            return source.signal()
        }
        if eventCount >= events * (samples.count + 1) / 50 { sample() }
        guard eventCount < events else { return kiosk.loop.stop() }
        now.microseconds += 10_000
        if !visits.contains(where: \.isPlaying) { now.microseconds = max(now.microseconds, nextVisit) }
        if now.microseconds >= nextVisit { startVisit() }
        if now.microseconds >= nextPull {
            let visit = visits[below(visits.count)]
            visit.replug(at: now)
            kiosk.application.enqueueRemoval(of: visit.device, at: now)
            pullCount += 1
            nextPull = now.microseconds + Int64(below(600_000_000))
        }
        for visit in visits { eventCount += visit.play(until: now) }
        source.signal()
    }

    /// A visitor begins at a free panel. Of a hundred pauses one is long enough for the layout's idle time.
    private func startVisit() {
        let visit = visits[below(visits.count)]
        if !visit.isPlaying {
            visit.begin(
                at: now, corner: SurfacePoint(x: Double(below(500)) / 1000, y: Double(below(500)) / 1000))
        }
        nextVisit = now.microseconds + (below(100) == 0 ? 120_000_000 : Int64(below(8_000_000)))
    }

    /// A number from 0 up to, but not including, a limit.
    private func below(_ limit: Int) -> Int {
        random ^= random >> 12
        random ^= random << 25
        random ^= random >> 27
        return Int((random &* 0x2545_F491_4F6C_DD1D) >> 33) % limit
    }

    private func sample() {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        let resident =
            line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        // The descriptor for reading the folder is open too.
        let open =
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 1) - 1
        let children = try? String(
            contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)
        let programs = children?.split(separator: " ").count ?? 0
        samples.append((resident, open - programs))
        print(
            String(
                format: "%10d  %5.2f %8d %7d %4d %9d", eventCount, now.seconds / 3600, kiosk.count(.began), resident,
                open,
                programs))
        fflush(nil)
    }

    /// Prints the counts and the errors; returns whether there are no errors.
    private func report() -> Bool {
        let touches = [Touch.Phase.began, .ended, .cancelled].map(kiosk.count)
        // Lazily created objects exist after a fifth of the day.
        let settled = samples[(samples.count / 5)...]
        let least = settled.map(\.resident).min() ?? 0
        let most = settled.map(\.resident).max() ?? 0
        let growth = Double(most - least) / Double(max(least, 1)) * 100
        print(
            """
            \(eventCount) events of \(String(format: "%.1f", now.seconds / 3600)) hours in \
            \((Deadline.now - begin).components.seconds) s; \(visits.reduce(0) { $0 + $1.plays }) visits, a panel \
            unplugged \(pullCount) times
            touches: \(touches[0]) began, \(kiosk.count(.moved)) moves, \(touches[1]) ended, \(touches[2]) cancelled
            handlers ran \(kiosk.handlerCount) times
            journal: \(journal.entries) entries, \(kiosk.journal.droppedCount) dropped
            control socket: \(published.withLock { $0 }) events received, \(kiosk.control.droppedCount) dropped
            memory after a fifth of the day: \(least) to \(most) kB, \(String(format: "%.2f", growth)) %
            """)
        for (failure, count) in kiosk.failures.sorted(by: { $0.key < $1.key }) {
            print("  \(count) × \(failure)")
        }
        let descriptors = Set(settled.map(\.descriptors))
        let problems = [
            ("lost ends", touches[0] != touches[1] + touches[2] || !kiosk.down.isEmpty),
            ("\(kiosk.mistakes) phases out of order", kiosk.mistakes > 0),
            ("the journal has \(journal.touches)", kiosk.journal.droppedCount > 0 || journal.touches != touches),
            ("no handler ran", kiosk.handlerCount < eventCount / 1000),
            ("memory is not flat within 1 %", growth > 1),
            ("descriptors: \(descriptors.sorted())", descriptors.count > 1),
        ].filter(\.1)
        for (problem, _) in problems { print("WRONG: \(problem)") }
        if problems.isEmpty { print("lost ends: 0; memory, descriptors and order as they should be") }
        return problems.isEmpty
    }
}
