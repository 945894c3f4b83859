import EventLoop
import Foundation

/// The state of a running touchd, as the request `status` answers it and `touchd status` shows it.
///
/// Times are in seconds, and counts since touchd started.
public nonisolated struct StatusReport: Codable, Sendable {
    /// A device, and what touchd does with it.
    public struct Device: Codable, Sendable {
        /// Its name and its event node.
        public var name, path: String
        /// `used`, `ignored` or `failed`.
        public var use: String
        /// Why it is not used; absent where it is.
        public var reason: String?
        /// True where another process held the device (`EVIOCGRAB`) when the report was made; absent otherwise.
        public var held: Bool?
    }

    /// How many touches entered each phase.
    public struct Touches: Codable, Sendable {
        /// Counts by phase.
        public var began, moved, ended, cancelled: Int
        /// How many are down now.
        public var down: Int
        /// How many began within the last minute.
        public var perMinute: Int
    }

    /// The queue between devices and views.
    public struct Queue: Codable, Sendable {
        /// How many frames wait.
        public var frames: Int
        /// How long the oldest has waited.
        public var oldest: Double
        /// How many moves were folded into later ones for want of room.
        public var foldedMoves: Int
    }

    /// What is known of durations.
    public struct Timing: Codable, Sendable {
        /// How many were measured.
        public var count: UInt64
        /// Their sum.
        public var sum: Double
        /// What 50, 99 and 99.9 in a hundred did not exceed, and the longest.
        public var p50, p99, p999, longest: Double
    }

    /// A handler.
    public struct Handler: Codable, Sendable {
        /// Its name.
        public var name: String
        /// How long its runs took.
        public var time: Timing
        /// How often it failed, or a program or request of its.
        public var failures: Int
    }

    /// What could not be written in time.
    public struct Log: Codable, Sendable {
        /// Journal entries that wait for journald.
        public var waiting: Int
        /// Journal entries or lines of output that were dropped.
        public var dropped: Int
    }

    /// The control socket.
    public struct Control: Codable, Sendable {
        /// Who is connected, and how many of those are subscribed to something.
        public var clients, subscribers: Int
        /// Events that clients did not read in time.
        public var droppedEvents: Int
        /// Clients that were turned away or closed for a mistake.
        public var refused: Int
    }

    /// touchd's version.
    public var version: String
    /// Its process number.
    public var process: Int32
    /// How long it has been running.
    public var uptime: Double
    /// The layout's path; absent where a program builds its windows itself.
    public var layout: String?
    /// Why the layout was not replaced when that was last tried; absent where nothing went wrong.
    public var refusal: String?
    /// The pages that are shown, in the order of the screens that have any.
    public var pages: [String]
    /// Whether touches are ignored at the moment.
    public var ignoring: Bool
    /// The devices that were found.
    public var devices: [Device]
    /// How many times a device failed.
    public var deviceErrors: Int
    /// Touches.
    public var touches: Touches
    /// The queue.
    public var queue: Queue
    /// From the kernel's stamp to the first line of a handler.
    public var latency: Timing
    /// The handlers that ran.
    public var handlers: [Handler]
    /// How long the run loop was busy from each wake-up until it waited again.
    public var loop: Timing
    /// The log.
    public var log: Log
    /// The control socket.
    public var control: Control
    /// After how many seconds of silence systemd ends and restarts touchd; absent where nobody watches.
    public var watchdog: Double?
}

nonisolated extension StatusReport.Timing {
    init(_ durations: Durations) {
        self.init(
            count: durations.count, sum: durations.sum, p50: durations.percentile(50), p99: durations.percentile(99),
            p999: durations.percentile(99.9), longest: durations.longest)
    }
}

nonisolated extension StatusReport.Timing {
    init(_ histogram: LatencyHistogram) {
        self.init(
            count: histogram.count, sum: Double(histogram.sum) / 1e9, p50: seconds(histogram.quantile(0.5)),
            p99: seconds(histogram.quantile(0.99)), p999: seconds(histogram.quantile(0.999)),
            longest: Double(histogram.longest) / 1e9)
    }
}
