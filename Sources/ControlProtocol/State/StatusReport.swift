/// The state of a running touchd: the answer to the request `status`, shown by `touchd status` and exported as metrics.
///
/// Times are in seconds. Counts start when touchd starts. A new metric is a property here and its row in the table. The
/// service counts in the report of its `Counts`.
package struct StatusReport: JSONMessage {
    /// A device, and its use by touchd.
    package struct Device: JSONMessage {
        package var name = "", path = "", use = DeviceUse.used
        package var reason: String?, held: Bool?, forward: String?, forwardRemark: String?
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member(.name, \.name)
            visitor.member(.path, \.path)
            visitor.member(.use, \.use)
            visitor.member(.reason, \.reason)
            visitor.member(
                "held",
                "true if another process holds the device (`EVIOCGRAB`), so that no touches come; otherwise absent",
                \.held)
            visitor.member(.forward, \.forward)
            visitor.member(.forwardRemark, \.forwardRemark)
        }
    }

    /// How many touches entered each phase.
    package struct Touches: JSONMessage {
        package var began = 0, ended = 0, cancelled = 0, down = 0, perMinute = 0, moved = 0, stale = 0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("began", .entered("began"), "touches that began", \.began)
            visitor.member("ended", .entered("ended"), "touches that ended", \.ended)
            visitor.member("cancelled", .entered("cancelled"), "touches that were cancelled", \.cancelled)
            visitor.member("down", .gauge("touchd_touches_down"), "touches that are down", \.down)
            visitor.member("perMinute", "touches that began within the last minute", \.perMinute)
            visitor.member("moved", .entered("moved"), "moves of touches", \.moved)
            visitor.member(
                "stale", .counter("touchd_stale_touches"),
                "touches dropped because a handler delayed them for too long; not counted as begun", \.stale)
        }
    }

    /// The touches that also reached the program that draws the screen.
    package struct Forwarding: JSONMessage {
        package var began = 0, ended = 0, cancelled = 0, kept: [String: Int] = [:]
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("began", .forwarded("began"), "touches that began in the program that draws", \.began)
            visitor.member("ended", .forwarded("ended"), "touches that ended there", \.ended)
            visitor.member("cancelled", .forwarded("cancelled"), "touches that were cancelled there", \.cancelled)
            visitor.member(
                "kept", .counter("touchd_kept_touches", "reason"),
                """
                touches that did not reach it, by reason: `view`, `gesture`, `idle`, `cooldown`, `not-grabbed`, \
                `cancelled`, `slots`
                """,
                \.kept)
        }
    }

    /// The queue between devices and views.
    package struct Queue: JSONMessage {
        package var frames = 0, oldest = 0.0, coalescedMoves = 0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("frames", .gauge("touchd_queue_frames"), "queued device frames", \.frames)
            visitor.member("oldest", .gauge("touchd_queue_age_seconds"), "age of the oldest queued frame", \.oldest)
            visitor.member(
                "coalescedMoves", .counter("touchd_queue_coalesced_moves"),
                "moves coalesced because the queue was full", \.coalescedMoves)
        }
    }

    /// The layout's `accommodations:`.
    package struct Accommodations: JSONMessage {
        package var on = false, ignored = 0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("on", "whether they help now", \.on)
            visitor.member(
                "ignored", .counter("touchd_accommodations_ignored"), "contacts that did not count as touches",
                \.ignored)
        }
    }

    /// The talking mode.
    package struct Talking: JSONMessage {
        package var on = false, contacts = 0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("on", .gauge("touchd_talking"), "1 while the mode is on", \.on)
            visitor.member(
                "contacts", .counter("touchd_talking_contacts"), "contacts that explored instead of touching",
                \.contacts)
        }
    }

    /// Statistics of measured durations.
    package struct Timing: JSONMessage {
        package var count: UInt64 = 0, sum = 0.0, p50 = 0.0, p99 = 0.0, p999 = 0.0, longest = 0.0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("count", "how many were measured", \.count)
            visitor.member("sum", .seconds, "their sum", \.sum)
            visitor.member("p50", .seconds, "the median", \.p50)
            visitor.member("p99", .seconds, "99 % were not longer", \.p99)
            visitor.member("p999", .seconds, "99.9 % were not longer", \.p999)
            visitor.member("longest", .seconds, "the longest", \.longest)
        }
    }

    /// A handler that ran or failed.
    package struct Handler: JSONMessage {
        package var name = "", time = Timing(), failures = 0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("name", .label("handler"), "the handler's name", \.name)
            visitor.member("time", .summary("touchd_handler_seconds"), "run time of handlers", \.time)
            visitor.member(
                "failures", .counter("touchd_handler_failures"),
                "failures of handlers, and of their programs and requests", \.failures)
        }
    }

    /// Output that was delayed or dropped.
    package struct Log: JSONMessage {
        package var waiting = 0, dropped = 0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("waiting", .gauge("touchd_log_waiting"), "journal entries waiting for journald", \.waiting)
            visitor.member(
                "dropped", .counter("touchd_log_dropped"), "dropped journal entries and output lines", \.dropped)
        }
    }

    /// The control socket.
    package struct Control: JSONMessage {
        package var clients = 0, subscribers = 0, droppedEvents = 0, refused = 0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member(
                "clients", .gauge("touchd_control_clients"), "programs connected to the control socket", \.clients)
            visitor.member(
                "subscribers", .gauge("touchd_control_subscribers"), "connected programs that subscribed to events",
                \.subscribers)
            visitor.member(
                "droppedEvents", .counter("touchd_control_dropped_events"),
                "events dropped because a client was too slow", \.droppedEvents)
            visitor.member(
                "refused", .counter("touchd_control_refused"), "clients refused, or closed because of an error",
                \.refused)
        }
    }

    /// The version of this source, which the daemon and the tools report.
    package static let currentVersion = "0.1.0"

    package var version = currentVersion, process: Int32 = 0, uptime = 0.0
    package var layout: String?, layoutVersion: String?, layoutHash: String?, refusal: String?, lastGood: String?
    package var pages: [String] = [], ignoring = false, accommodations: Accommodations?, talking: Talking?
    package var devices: [Device] = [], deviceErrors = 0
    package var deviceOverruns = 0, missingDevices = 0, silentDevices = 0
    package var touches = Touches(), viewTouches: [String: Int] = [:]
    package var forwarding: Forwarding?, droppedPresses = 0, queue = Queue()
    package var latency = Timing(), handlers: [Handler] = [], loop = Timing(), log = Log(), control = Control()
    package var network: [PeerState]?
    package var watchdog: Double?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("version", "touchd's version", \.version)
        visitor.metric("touchd_build_info", "the running version, as the label `version`") {
            [([("version", $0.version)], 1)]
        }
        visitor.member("process", "its process id", \.process)
        visitor.member("uptime", .gauge("touchd_uptime_seconds"), "how long touchd has been running", \.uptime)
        visitor.member("layout", "the layout's path; absent if the program creates its windows itself", \.layout)
        visitor.member("layoutVersion", "the `version:` of the layout that is used", \.layoutVersion)
        visitor.member("layoutHash", "the hash of its files, as `touchd check` prints it", \.layoutHash)
        visitor.metric(
            "touchd_layout_info", "the layout that is used, by its labels `version` and `hash`"
        ) { report in
            report.layoutHash.map { [([("version", report.layoutVersion ?? ""), ("hash", $0)], 1)] } ?? []
        }
        visitor.member(
            "refusal", "why the layout was refused at the start or at the last reload; absent if it was accepted",
            \.refusal)
        visitor.metric(
            "touchd_layout_refused",
            "1 if the layout's files have an error, so that an older layout is used"
        ) { [([], $0.refusal == nil ? 0 : 1)] }
        visitor.member(
            "lastGood", "when the layout was stored that touchd started with instead, in UTC (RFC 3339)", \.lastGood)
        visitor.member("pages", "the shown pages, in the order of the screens that have pages", \.pages)
        visitor.member("ignoring", "whether touches are ignored", \.ignoring)
        visitor.member(
            "accommodations", "help for hands that tremble; absent if the layout has none", \.accommodations)
        visitor.member("talking", "the talking mode; absent until it was on", \.talking)
        visitor.member("devices", "the devices that were found", \.devices)
        visitor.metric("touchd_devices", "input devices, by the label `use`") { report in
            DeviceUse.allCases.map { use in ([("use", use.rawValue)], report.devices.count { $0.use == use }) }
        }
        visitor.member("deviceErrors", .counter("touchd_device_errors"), "device failures", \.deviceErrors)
        visitor.member(
            "deviceOverruns", .counter("touchd_device_overruns"),
            "how often the kernel dropped events of a device, because they were read too late", \.deviceOverruns)
        visitor.member(
            "missingDevices", .gauge("touchd_missing_devices"),
            "rules of the layout whose `absence` is over without a device", \.missingDevices)
        visitor.member(
            "silentDevices", .gauge("touchd_silent_devices"),
            "devices that have sent nothing for longer than the `silence` of their rule", \.silentDevices)
        visitor.member("touches", "the touches", \.touches)
        visitor.member(
            "viewTouches", .counter("touchd_view_touches", "view"),
            "touches that began, by view: 200 views, and the others as `…`; outside of named views without a name",
            \.viewTouches)
        visitor.member("forwarding", "forwarded touches; absent while no panel is forwarded", \.forwarding)
        visitor.member(
            "droppedPresses", .counter("touchd_dropped_presses"), "presses and runs dropped because of a cooldown",
            \.droppedPresses)
        visitor.member("queue", "the queue between devices and views", \.queue)
        visitor.member(
            "latency", .summary("touchd_latency_seconds"),
            "from the kernel's timestamp of an event to the start of a handler", \.latency)
        visitor.member("handlers", "the handlers that ran or failed", \.handlers)
        visitor.member(
            "loop", .summary("touchd_loop_busy_seconds"),
            "busy time of the run loop, from wake-up to the next wait", \.loop)
        visitor.member("log", "output that was delayed or dropped", \.log)
        visitor.member("control", "the control socket", \.control)
        visitor.member(
            "network",
            "the brokers, servers and receivers of TUIO that messages, the state and touches go to; absent without any",
            \.network)
        visitor.metric(
            "touchd_network_connected",
            "1 if the last attempt to reach a broker or server succeeded, by the label `peer`"
        ) { ($0.network ?? []).map { ([("peer", $0.name)], $0.phase == .connected ? 1 : 0) } }
        visitor.member(
            "watchdog", .seconds, "after how long without a report systemd restarts touchd; absent without a watchdog",
            \.watchdog)
    }
}

extension MemberUnit {
    fileprivate static func entered(_ phase: StaticString) -> MemberUnit {
        .counter("touchd_touches", "phase", phase, help: "touches by the phases they entered")
    }

    fileprivate static func forwarded(_ phase: StaticString) -> MemberUnit {
        .counter(
            "touchd_forwarded_touches", "phase", phase,
            help: "touches by phase, as the program that draws received them")
    }
}
