import Evdev
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

        /// Makes one of its values.
        package init(name: String, path: String, use: String, reason: String? = nil, held: Bool? = nil) {
            self.name = name
            self.path = path
            self.use = use
            self.reason = reason
            self.held = held
        }
    }

    /// How many touches entered each phase.
    public struct Touches: Codable, Sendable {
        /// Counts by phase.
        public var began, moved, ended, cancelled: Int
        /// How many are down now.
        public var down: Int
        /// How many began within the last minute.
        public var perMinute: Int

        /// Makes one of its values.
        package init(began: Int, moved: Int, ended: Int, cancelled: Int, down: Int, perMinute: Int) {
            self.began = began
            self.moved = moved
            self.ended = ended
            self.cancelled = cancelled
            self.down = down
            self.perMinute = perMinute
        }
    }

    /// The queue between devices and views.
    public struct Queue: Codable, Sendable {
        /// How many frames wait.
        public var frames: Int
        /// How long the oldest has waited.
        public var oldest: Double
        /// How many moves were folded into later ones for want of room.
        public var foldedMoves: Int

        /// Makes one of its values.
        package init(frames: Int, oldest: Double, foldedMoves: Int) {
            self.frames = frames
            self.oldest = oldest
            self.foldedMoves = foldedMoves
        }
    }

    /// What is known of durations.
    public struct Timing: Codable, Sendable {
        /// How many were measured.
        public var count: UInt64
        /// Their sum.
        public var sum: Double
        /// What 50, 99 and 99.9 in a hundred did not exceed, and the longest.
        public var p50, p99, p999, longest: Double

        /// Makes one of its values.
        package init(count: UInt64, sum: Double, p50: Double, p99: Double, p999: Double, longest: Double) {
            self.count = count
            self.sum = sum
            self.p50 = p50
            self.p99 = p99
            self.p999 = p999
            self.longest = longest
        }
    }

    /// A handler.
    public struct Handler: Codable, Sendable {
        /// Its name.
        public var name: String
        /// How long its runs took.
        public var time: Timing
        /// How often it failed, or a program or request of its.
        public var failures: Int

        /// Makes one of its values.
        package init(name: String, time: Timing, failures: Int) {
            self.name = name
            self.time = time
            self.failures = failures
        }
    }

    /// What could not be written in time.
    public struct Log: Codable, Sendable {
        /// Journal entries that wait for journald.
        public var waiting: Int
        /// Journal entries or lines of output that were dropped.
        public var dropped: Int

        /// Makes one of its values.
        package init(waiting: Int, dropped: Int) {
            self.waiting = waiting
            self.dropped = dropped
        }
    }

    /// The control socket.
    public struct Control: Codable, Sendable {
        /// Who is connected, and how many of those are subscribed to something.
        public var clients, subscribers: Int
        /// Events that clients did not read in time.
        public var droppedEvents: Int
        /// Clients that were turned away or closed for a mistake.
        public var refused: Int

        /// Makes one of its values.
        package init(clients: Int, subscribers: Int, droppedEvents: Int, refused: Int) {
            self.clients = clients
            self.subscribers = subscribers
            self.droppedEvents = droppedEvents
            self.refused = refused
        }
    }

    /// The version of this source, which daemon and tools report.
    public static let currentVersion = "0.1.0"

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

    /// Makes one of its values.
    package init(
        version: String, process: Int32, uptime: Double, layout: String? = nil, refusal: String? = nil, pages: [String],
        ignoring: Bool, devices: [Device], deviceErrors: Int, touches: Touches, queue: Queue, latency: Timing,
        handlers: [Handler], loop: Timing, log: Log, control: Control, watchdog: Double? = nil
    ) {
        self.version = version
        self.process = process
        self.uptime = uptime
        self.layout = layout
        self.refusal = refusal
        self.pages = pages
        self.ignoring = ignoring
        self.devices = devices
        self.deviceErrors = deviceErrors
        self.touches = touches
        self.queue = queue
        self.latency = latency
        self.handlers = handlers
        self.loop = loop
        self.log = log
        self.control = control
        self.watchdog = watchdog
    }
}

nonisolated extension StatusReport.Device {
    package init(_ device: DeviceInfo) {
        self.init(
            name: device.description.name, path: device.path, use: "used", reason: nil, held: device.isHeld ? true : nil
        )
        switch device.use {
        case .used: break
        case .ignored(let why): (use, reason) = ("ignored", why)
        case .failed(let error): (use, reason) = ("failed", error.reason)
        }
    }
}
