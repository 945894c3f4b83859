import Evdev
import Foundation

/// The state of a running touchd: the answer to the request `status`, shown by `touchd status`.
///
/// Times are in seconds. Counts start when touchd starts.
public nonisolated struct StatusReport: Codable, Sendable {
    /// A device, and its use by touchd.
    public struct Device: Codable, Sendable {
        /// Its name and its event node.
        public var name, path: String
        /// `used`, `ignored` or `failed`.
        public var use: String
        /// Why it is not used; absent if it is used.
        public var reason: String?
        /// True if another process grabbed the device (`EVIOCGRAB`) at the time of the report; absent otherwise.
        public var held: Bool?
        /// The event node of the virtual touchscreen that forwards its touches; absent if nothing is forwarded.
        public var forward: String?
        /// Why its touches are not forwarded although its rule has `forward`; absent otherwise.
        public var forwardRemark: String?

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
        /// How many were dropped, because they had waited for a handler for too long; not counted as begun.
        public var stale: Int

        package init(began: Int, moved: Int, ended: Int, cancelled: Int, down: Int, perMinute: Int, stale: Int = 0) {
            self.began = began
            self.moved = moved
            self.ended = ended
            self.cancelled = cancelled
            self.down = down
            self.perMinute = perMinute
            self.stale = stale
        }
    }

    /// The touches that also reached the program that draws the screen.
    public struct Forwarding: Codable, Sendable {
        /// How many began, ended and were cancelled there.
        public var began, ended, cancelled: Int
        /// How many did not begin there, by reason: `view`, `gesture`, `idle`, `cooldown`, `not-grabbed`, `cancelled`,
        /// `slots`.
        public var kept: [String: Int]

        package init(began: Int, ended: Int, cancelled: Int, kept: [String: Int]) {
            self.began = began
            self.ended = ended
            self.cancelled = cancelled
            self.kept = kept
        }
    }

    /// The queue between devices and views.
    public struct Queue: Codable, Sendable {
        /// How many frames are queued.
        public var frames: Int
        /// How long the oldest frame has been queued.
        public var oldest: Double
        /// How many moves were coalesced into later ones because the queue was full.
        public var coalescedMoves: Int

        package init(frames: Int, oldest: Double, coalescedMoves: Int) {
            self.frames = frames
            self.oldest = oldest
            self.coalescedMoves = coalescedMoves
        }
    }

    /// Statistics of measured durations.
    public struct Timing: Codable, Sendable {
        /// How many were measured.
        public var count: UInt64
        /// Their sum.
        public var sum: Double
        /// The percentiles 50, 99 and 99.9, and the longest.
        public var p50, p99, p999, longest: Double

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
        /// The durations of its runs.
        public var time: Timing
        /// How often it failed, including its programs and requests.
        public var failures: Int

        package init(name: String, time: Timing, failures: Int) {
            self.name = name
            self.time = time
            self.failures = failures
        }
    }

    /// Output that was delayed or dropped.
    public struct Log: Codable, Sendable {
        /// Journal entries that are waiting for journald.
        public var waiting: Int
        /// Dropped journal entries or lines of output.
        public var dropped: Int

        package init(waiting: Int, dropped: Int) {
            self.waiting = waiting
            self.dropped = dropped
        }
    }

    /// The control socket.
    public struct Control: Codable, Sendable {
        /// The number of connected clients, and of those with a subscription.
        public var clients, subscribers: Int
        /// Events that were dropped because a client read too slowly.
        public var droppedEvents: Int
        /// Clients that were refused or disconnected because of an error.
        public var refused: Int

        package init(clients: Int, subscribers: Int, droppedEvents: Int, refused: Int) {
            self.clients = clients
            self.subscribers = subscribers
            self.droppedEvents = droppedEvents
            self.refused = refused
        }
    }

    /// The version of this source, which the daemon and the tools report.
    public static let currentVersion = "0.1.0"

    /// touchd's version.
    public var version: String
    /// Its process ID.
    public var process: Int32
    /// The time since startup.
    public var uptime: Double
    /// The layout's path; absent if the program creates its windows itself.
    public var layout: String?
    /// The `version:` of the layout that is used; absent without one.
    public var layoutVersion: String?
    /// The hash of the files of the layout that is used, as `touchd check` prints it; absent without a layout.
    public var layoutHash: String?
    /// Why the layout was refused at the start or at the last reload; absent if it was accepted.
    public var refusal: String?
    /// When the layout was stored that touchd started with after `refusal`, in UTC (RFC 3339); absent otherwise.
    public var lastGood: String?
    /// The shown pages, in the order of the screens that have pages.
    public var pages: [String]
    /// Whether touches are ignored.
    public var ignoring: Bool
    /// The devices that were found.
    public var devices: [Device]
    /// How often a device failed.
    public var deviceErrors: Int
    /// Touches.
    public var touches: Touches
    /// Forwarded touches; absent while no panel is forwarded.
    public var forwarding: Forwarding?
    /// How many presses and handlers' runs were dropped because of a `cooldown`.
    public var droppedPresses: Int
    /// The queue.
    public var queue: Queue
    /// The time from the kernel's timestamp to the start of a handler.
    public var latency: Timing
    /// The handlers that ran.
    public var handlers: [Handler]
    /// How long the run loop was busy per wake-up.
    public var loop: Timing
    /// The log.
    public var log: Log
    /// The control socket.
    public var control: Control
    /// The time in seconds after which systemd restarts an unresponsive touchd; absent without a watchdog.
    public var watchdog: Double?

    package init(
        version: String, process: Int32, uptime: Double, layout: String? = nil,
        layoutVersion: String? = nil, layoutHash: String? = nil, refusal: String? = nil, lastGood: String? = nil,
        pages: [String],
        ignoring: Bool, devices: [Device], deviceErrors: Int, touches: Touches,
        forwarding: Forwarding? = nil, droppedPresses: Int = 0, queue: Queue, latency: Timing,
        handlers: [Handler], loop: Timing, log: Log, control: Control, watchdog: Double? = nil
    ) {
        self.version = version
        self.process = process
        self.uptime = uptime
        self.layout = layout
        self.layoutVersion = layoutVersion
        self.layoutHash = layoutHash
        self.refusal = refusal
        self.lastGood = lastGood
        self.pages = pages
        self.ignoring = ignoring
        self.devices = devices
        self.deviceErrors = deviceErrors
        self.touches = touches
        self.forwarding = forwarding
        self.droppedPresses = droppedPresses
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
