import Recordings
import ControlProtocol
import EventLoop
import Evdev
import Foundation
import Service
import Synchronization

/// Sends a day's events through a kiosk and samples the process.
final class EnduranceRun {
    private struct Sample {
        var events: Int
        var process: ProcessSample
        var mostWaiting: Int
        var median, p99, p999: Double
    }

    private let kiosk: EnduranceKiosk
    private let journal: JournalReader
    private let subscriber: Subscriber
    private var visits: [RecordedVisit] = []
    private var day: KioskDay
    private var random: Randomness
    private let events: Int
    private var recordedEvents = 0
    private var samples: [Sample] = []
    private var waits = 0
    /// The maximum number of waiting journal entries.
    private var mostWaiting = 0
    private let begin = Deadline.now
    private var source: SignalledSource?

    init(folder: String, events: Int, seed: UInt64) throws {
        self.events = events
        let recordings = ["museum-wall-left", "museum-wall-right", "seat-map", "ticket-machine"].map {
            "\(folder)/config/examples/recordings/\($0).evemu"
        }
        let panel = try RecordingReader.description(path: recordings[0])
        // In the abstract namespace, which leaves no file behind.
        journal = JournalReader(path: "@touchd-endurance-journal-\(getpid())")
        let kiosk = try EnduranceKiosk(
            layout: "\(folder)/Tests/Endurance/kiosk.yaml", panel: panel, journal: journal.path,
            control: "@touchd-endurance-control-\(getpid())")
        self.kiosk = kiosk
        subscriber = Subscriber(path: "@touchd-endurance-control-\(getpid())")
        for (number, path) in recordings.enumerated() {
            visits.append(
                try RecordedVisit(path: path, device: DeviceID(rawValue: UInt32(number) + 2)) { kiosk.enqueue($0) })
        }
        day = KioskDay(on: panel, events: events, hours: 24, seed: seed)
        random = Randomness(seed: seed &+ 1)
    }

    /// Runs until the day is over.
    func perform() {
        print("    events   hour  touches  RSS kB  anon kB  fds  children  waited   p50 µs   p99 µs  p99.9 µs")
        var frame: [InputEvent] = []
        let source = SignalledSource(name: "day", order: 100) { [unowned self] in
            step(&frame)
        }
        self.source = source
        kiosk.loop.add(source)
        source.signal()
        kiosk.application.run(on: kiosk.loop)
        sample()
        for visit in visits { visit.stop(at: now) }
        kiosk.close(at: now)
        _ = kiosk.journal.finish()
        journal.finish()
    }

    private var now: InputTimestamp { InputTimestamp(microseconds: day.time) }
    private var eventCount: Int { day.eventCount + recordedEvents }

    private func step(_ frame: inout [InputEvent]) {
        mostWaiting = max(mostWaiting, kiosk.journal.waitingCount)
        // The journal's reader gets time, as on a kiosk, because drops are not measured here. It starts to read when
        // the queue is full, so that the queue's memory does not grow later.
        guard kiosk.journal.waitingCount < 500 else {
            journal.begin()
            waits += 1
            source?.signal()
            return
        }
        if eventCount >= events * (samples.count + 1) / 50 { sample() }
        switch day.next(into: &frame) {
        case .frame:
            if random.below(2000) == 0 { visits[random.below(visits.count)].begin() }
            for visit in visits { recordedEvents += visit.play(at: now) }
            kiosk.feed(frame)
            source?.signal()
        case .unplugged:
            kiosk.replug(at: now)
            source?.signal()
        case .over: kiosk.loop.stop()
        }
    }

    private func sample() {
        let sample = Sample(
            events: eventCount, process: .now(), mostWaiting: mostWaiting, median: kiosk.latency.microseconds(0.5),
            p99: kiosk.latency.microseconds(0.99), p999: kiosk.latency.microseconds(0.999))
        kiosk.latency = LatencyHistogram()
        samples.append(sample)
        let process = sample.process
        print(
            String(
                format: "%10d  %5.2f %8d %7d  %7d %4d %9d %7d %8.1f %8.1f %9.1f", sample.events,
                Double(day.time) / 3.6e9, kiosk.touches.began, process.resident, process.anonymous,
                process.descriptors, process.children, sample.mostWaiting, sample.median, sample.p99, sample.p999))
        fflush(nil)
    }

    // MARK: Results

    /// Prints the counts and the errors; returns whether there are no errors.
    func report() -> Bool {
        let touches = kiosk.touches, told = journal.counted
        let seconds = Double((Deadline.now - begin).components.seconds)
        // Lazily created objects exist after a fifth of the day.
        let settled = samples[(samples.count / 5)...]
        let resident = settled.map(\.process.resident)
        let least = resident.min() ?? 0, most = resident.max() ?? 0
        let growth = Double(most - least) / Double(max(least, 1)) * 100
        let descriptors = Set(settled.map { $0.process.descriptors - $0.process.children })
        print(
            """
            \(eventCount) events of \(String(format: "%.1f", Double(day.time) / 3.6e9)) hours in \(Int(seconds)) s, \
            \(recordedEvents) of them recorded; \(day.fingerCount) fingers, the plug pulled \(day.pullCount) times
            touches: \(touches.began) began, \(touches.moved) moves, \(touches.ended) ended, \
            \(touches.cancelled) cancelled; handlers ran \(kiosk.handlerCount) times
            journal: \(told.entries) entries, \(kiosk.journal.droppedCount) dropped; waited for it \(waits) times
            control socket: \(subscriber.count) events told, \(kiosk.control.droppedCount) dropped
            memory after a fifth of the day: \(least) to \(most) kB, \(String(format: "%.2f", growth)) %
            """)
        for (failure, count) in kiosk.failures.sorted(by: { $0.key < $1.key }) { print("  \(count) × \(failure)") }
        var problems: [String] = []
        if touches.began != touches.ended + touches.cancelled || touches.downCount > 0 { problems.append("lost ends") }
        if touches.mistakes > 0 { problems.append("\(touches.mistakes) phases out of order") }
        if kiosk.journal.droppedCount == 0,
            (told.began, told.ended, told.cancelled) != (touches.began, touches.ended, touches.cancelled)
        {
            problems.append("the journal tells of \(told.began), \(told.ended) and \(told.cancelled)")
        }
        if growth > 1 { problems.append("memory is not flat within 1 %") }
        if descriptors.count > 1 { problems.append("descriptors: \(descriptors.sorted())") }
        for problem in problems { print("WRONG: \(problem)") }
        if problems.isEmpty { print("lost ends: 0; memory, descriptors and order as they should be") }
        return problems.isEmpty
    }

    /// Writes the charts.
    func draw(in folder: String) throws {
        let positions = samples.map { Double($0.events) / 1e6 }
        let memory = EnduranceChart(
            title: "Resident memory of a day of kiosk use", unit: "MB",
            lines: [
                ("resident", samples.map { Double($0.process.resident) / 1000 }),
                ("of no file", samples.map { Double($0.process.anonymous) / 1000 }),
            ], positions: positions)
        let latency = EnduranceChart(
            title: "From a frame's last event to its touches delivered and logged", unit: "µs",
            lines: [
                ("median", samples.map(\.median)), ("p99", samples.map(\.p99)), ("p99.9", samples.map(\.p999)),
            ], positions: positions)
        try memory.svg().write(toFile: "\(folder)/endurance-memory.svg", atomically: true, encoding: .utf8)
        try latency.svg().write(toFile: "\(folder)/endurance-latency.svg", atomically: true, encoding: .utf8)
    }
}

/// A subscriber to handlers' messages, on its own thread.
nonisolated final class Subscriber: Sendable {
    private let events = Mutex(0)

    /// The number of received events.
    var count: Int { events.withLock { $0 } }

    init(path: String) {
        let thread = Thread { [self] in
            guard let connection = try? ControlConnection(path: path, timeout: .seconds(60)),
                (try? connection.send(.subscribe(to: .published, moves: false))) != nil
            else { return }
            while (try? connection.nextEvent()) != nil { events.withLock { $0 += 1 } }
        }
        thread.start()
    }
}

extension LatencyHistogram {
    fileprivate func microseconds(_ share: Double) -> Double { quantile(share) / .microseconds(1) }
}
