import EventLoop
import Evdev
import Foundation
import Glibc
import Synchronization
import TouchKit

/// A finger that comes down somewhere every 2 ms, written by another thread, and the delays until its handler runs.
final class Finger {
    /// A touch's times in seconds: from the write to its handler, and how much of that the thread of the touches worked.
    struct Delay: Sendable {
        var total, work: Double
    }

    private let application: Application
    private var pipe: [Int32] = [0, 0]
    private var source: DescriptorSource?
    private var isDown = false
    private var seed: UInt64 = 1
    /// The times when the current touch was written: on the wall's clock, and on that of this thread's work.
    private var written: [Int64] = [0, 0]
    private nonisolated let delays = Mutex<[Delay]>([])

    init(_ application: Application) { self.application = application }

    /// Starts to tap.
    func start() {
        guard Glibc.pipe(&pipe) == 0 else { preconditionFailure("no pipe") }
        let source = DescriptorSource(name: "finger", descriptor: pipe[0]) { [unowned self] _ in read() }
        guard (try? EpollRunLoop.main.add(source)) != nil else { preconditionFailure("no memory") }
        self.source = source
        var clock = clockid_t()
        precondition(pthread_getcpuclockid(pthread_self(), &clock) == 0)
        Thread.detachNewThread { [end = pipe[1], clock] in
            while true {
                var times = [Self.now(CLOCK_MONOTONIC), Self.now(clock)]
                write(end, &times, 16)
                usleep(1000)
            }
        }
    }

    private nonisolated static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func read() {
        Glibc.read(pipe[0], &written, 16)
        isDown.toggle()
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let place = SurfacePoint(x: Double(seed >> 40 & 1023) / 1024, y: Double(seed >> 50 & 1023) / 1024)
        application.enqueue(
            InputFrame(
                device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: written[0] / 1000),
                contacts: [Contact(id: 1, phase: isDown ? .began : .ended, position: place)]))
    }

    /// Called by the handler.
    func touched() {
        let delay = Delay(
            total: Double(Self.now(CLOCK_MONOTONIC) - written[0]) / 1e9,
            work: Double(Self.now(CLOCK_THREAD_CPUTIME_ID) - written[1]) / 1e9)
        delays.withLock { $0.append(delay) }
    }

    /// The number of touches so far.
    nonisolated func begin() -> Int { delays.withLock { $0.count } }

    /// A row of the table.
    nonisolated func row(_ name: String, since before: Int, _ durations: [Double]) -> String {
        let delays = delays.withLock { Array($0[before...]) }
        let total = delays.map(\.total).sorted(), work = delays.map(\.work).sorted(), durations = durations.sorted()
        func time(_ values: [Double], _ part: Double) -> String {
            values.isEmpty ? "–" : String(format: "%.2f ms", values[Int(Double(values.count - 1) * part)] * 1000)
        }
        return "| \(name) | \(delays.count) | "
            + [
                time(total, 0.5), time(total, 0.99), time(total, 1), time(work, 0.99), time(work, 1),
                time(durations, 0.5), time(durations, 1),
            ].joined(separator: " | ") + " |"
    }
}
