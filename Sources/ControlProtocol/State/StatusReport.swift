import Foundation

/// The state of a running touchd: the answer to the request `status`, shown by `touchd status`.
///
/// Times are in seconds. Counts start when touchd starts.
package struct StatusReport: Codable, Sendable {
    /// A device, and its use by touchd.
    package struct Device: Codable, Sendable {
        /// Its name and its event node.
        package var name, path: String
        /// `used`, `ignored` or `failed`.
        package var use: String
        /// Why it is not used; absent if it is used.
        package var reason: String?
        /// True if another process grabbed the device (`EVIOCGRAB`) at the time of the report; absent otherwise.
        package var held: Bool?
        /// The event node of the virtual touchscreen that forwards its touches; absent if nothing is forwarded.
        package var forward: String?
        /// Why its touches are not forwarded although its rule has `forward`; absent otherwise.
        package var forwardRemark: String?

        package init(name: String, path: String, use: String, reason: String? = nil, held: Bool? = nil) {
            self.name = name
            self.path = path
            self.use = use
            self.reason = reason
            self.held = held
        }
    }

    /// How many touches entered each phase.
    package struct Touches: Codable, Sendable {
        /// Counts by phase.
        package var began, moved, ended, cancelled: Int
        /// How many are down now.
        package var down: Int
        /// How many began within the last minute.
        package var perMinute: Int
        /// How many were dropped, because they had waited for a handler for too long; not counted as begun.
        package var stale: Int

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
    package struct Forwarding: Codable, Sendable {
        /// How many began, ended and were cancelled there.
        package var began, ended, cancelled: Int
        /// How many did not begin there, by reason: `view`, `gesture`, `idle`, `cooldown`, `not-grabbed`, `cancelled`,
        /// `slots`.
        package var kept: [String: Int]

        package init(began: Int, ended: Int, cancelled: Int, kept: [String: Int]) {
            self.began = began
            self.ended = ended
            self.cancelled = cancelled
            self.kept = kept
        }
    }

    /// The queue between devices and views.
    package struct Queue: Codable, Sendable {
        /// How many frames are queued.
        package var frames: Int
        /// How long the oldest frame has been queued.
        package var oldest: Double
        /// How many moves were coalesced into later ones because the queue was full.
        package var coalescedMoves: Int

        package init(frames: Int, oldest: Double, coalescedMoves: Int) {
            self.frames = frames
            self.oldest = oldest
            self.coalescedMoves = coalescedMoves
        }
    }

    /// Statistics of measured durations.
    package struct Timing: Codable, Sendable {
        /// How many were measured.
        package var count: UInt64
        /// Their sum.
        package var sum: Double
        /// The percentiles 50, 99 and 99.9, and the longest.
        package var p50, p99, p999, longest: Double

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
    package struct Handler: Codable, Sendable {
        /// Its name.
        package var name: String
        /// The durations of its runs.
        package var time: Timing
        /// How often it failed, including its programs and requests.
        package var failures: Int

        package init(name: String, time: Timing, failures: Int) {
            self.name = name
            self.time = time
            self.failures = failures
        }
    }

    /// Output that was delayed or dropped.
    package struct Log: Codable, Sendable {
        /// Journal entries that are waiting for journald.
        package var waiting: Int
        /// Dropped journal entries or lines of output.
        package var dropped: Int

        package init(waiting: Int, dropped: Int) {
            self.waiting = waiting
            self.dropped = dropped
        }
    }

    /// The control socket.
    package struct Control: Codable, Sendable {
        /// The number of connected clients, and of those with a subscription.
        package var clients, subscribers: Int
        /// Events that were dropped because a client read too slowly.
        package var droppedEvents: Int
        /// Clients that were refused or disconnected because of an error.
        package var refused: Int

        package init(clients: Int, subscribers: Int, droppedEvents: Int, refused: Int) {
            self.clients = clients
            self.subscribers = subscribers
            self.droppedEvents = droppedEvents
            self.refused = refused
        }
    }

    /// The version of this source, which the daemon and the tools report.
    package static let currentVersion = "0.1.0"

    /// touchd's version.
    package var version: String
    /// Its process ID.
    package var process: Int32
    /// The time since startup.
    package var uptime: Double
    /// The layout's path; absent if the program creates its windows itself.
    package var layout: String?
    /// The `version:` of the layout that is used; absent without one.
    package var layoutVersion: String?
    /// The hash of the files of the layout that is used, as `touchd check` prints it; absent without a layout.
    package var layoutHash: String?
    /// Why the layout was refused at the start or at the last reload; absent if it was accepted.
    package var refusal: String?
    /// When the layout was stored that touchd started with after `refusal`, in UTC (RFC 3339); absent otherwise.
    package var lastGood: String?
    /// The shown pages, in the order of the screens that have pages.
    package var pages: [String]
    /// Whether touches are ignored.
    package var ignoring: Bool
    /// The devices that were found.
    package var devices: [Device]
    /// How often a device failed.
    package var deviceErrors: Int
    /// Touches.
    package var touches: Touches
    /// Forwarded touches; absent while no panel is forwarded.
    package var forwarding: Forwarding?
    /// How many presses and handlers' runs were dropped because of a `cooldown`.
    package var droppedPresses: Int
    /// The queue.
    package var queue: Queue
    /// The time from the kernel's timestamp to the start of a handler.
    package var latency: Timing
    /// The handlers that ran.
    package var handlers: [Handler]
    /// How long the run loop was busy per wake-up.
    package var loop: Timing
    /// The log.
    package var log: Log
    /// The control socket.
    package var control: Control
    /// The time in seconds after which systemd restarts an unresponsive touchd; absent without a watchdog.
    package var watchdog: Double?

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
