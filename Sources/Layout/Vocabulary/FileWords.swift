import ControlProtocol
import Foundation

/// The layout's own file, or a file that it includes.
nonisolated struct FileWords: Section {
    static let key = "layout"
    static let table = Table(
        FileWords(), "A kiosk's screens, devices, views and pages, and the handlers that run when they are touched.")
    /// The content of the files; an included file adds to it.
    var document = LayoutDocument(
        screens: [], devices: [], on: [], views: [], pages: [], handlers: [], idle: [], warnings: [])

    mutating func words(_ r: inout LayoutReader) {
        screens(&r)
        settings(&r)
        let formerDefaults = r.defaults
        let defaults = r.word("defaults", "Defaults for the views and gestures of this file.") {
            $0.section(Defaults())
        }
        if r.isReading { r.defaults = defaults ?? Defaults() }
        let devices = r.word("devices", "Rules for input devices; of several rules for one device, the later one wins.")
        {
            $0.list { $0.section(DeviceWords(), called: "a device rule") }
        }
        for device in devices ?? [] {
            document.devices.append(device.rule)
            guard !device.on.isEmpty else { continue }
            document.deviceHandlers.append(DeviceHandlers(rule: device.rule.label, on: device.on))
        }
        let on = r.word("on", "Handlers for touches that no view and no page handles.") { $0.on(LayoutTriggers()) }
        document.on += on ?? []
        let views = r.word("views", "Views in front of every page, back to front.") {
            $0.node("a list of views", "views-of-every-page")
        }
        if let views {
            document.views += r.views(views, in: LayoutReader.Context(size: r.firstScreenSize, level: .everyPage))
        }
        let pages = r.word("pages", "Each screen shows one of its pages, at startup the first.") {
            $0.node("pages by name", "pages")
        }
        if let pages { self.pages(pages, &r) }
        let handlers = r.word("handlers", "Steps that triggers run, by name.") { $0.handlers() }
        document.handlers += handlers ?? []
        let idle = r.word("idle", "Handlers that run when no screen is touched for a time.") {
            $0.oneOrMore { $0.section(IdleWords(), called: "an entry of 'idle'") }
        }
        document.idle += idle?.compactMap(\.spec) ?? []
        r.defaults = formerDefaults
        let files = r.word(
            "include",
            "Files, and directories whose *.yaml are included in the order of their names; relative to this file."
        ) { $0.reads("a path or a list of paths", ["$ref": "#/$defs/names", "maxItems": 100])?.0 }
        if let files { r.include(files, into: &document) }
    }

    private mutating func settings(_ r: inout LayoutReader) {
        r.word(
            "journal", &document.journal,
            "Which touches are written to the journal; handlers' entries, warnings and errors always are.",
            in: .mainFile
        ) { $0.section(JournalSpec()) }
        let recording = r.word(
            "recording",
            "Keeps the touchscreens' last minutes in memory, for 'touchd record --last'; off by default.", in: .mainFile
        ) { $0.section(RecordingWords()) }
        if let recording { document.recording = recording.keep }
        let reload = r.word(
            "reload", "When touchd reads the files again: when one changes, or on request by 'touchd reload'.",
            in: .mainFile, unset: "on-request"
        ) { $0.keyword(of: ["on-change", "on-request"]) }
        if let reload { document.reloadsOnChange = reload == "on-change" }
        r.word(
            "strict", &document.isStrict,
            "Whether touchd fails to start with an error in the files, instead of using the last good layout.",
            in: .mainFile
        ) { $0.flag() }
        r.word(
            "forward", &document.forward,
            "Which touches outside views with 'forward' the program that draws gets; all by default.", in: .mainFile
        ) { $0.forwarding() }
        r.word("tuio", &document.tuio, "Sends touches as TUIO 1.1 over UDP.", in: .mainFile) {
            $0.section(TUIOSpec(), strictly: true)
        }
        r.word(
            "mqtt", &document.mqtt, "An MQTT broker that receives touchd's state and may send commands.", in: .mainFile
        ) { $0.section(MQTTSpec(host: "", location: SourceLocation(file: "")), strictly: true) }
        r.word("watchdog", &document.watchdog, "Limits for a handler that does not return.", in: .mainFile) {
            $0.section(WatchdogSpec())
        }
        r.word(
            "version", &document.version,
            "A name for this state of the layout, for touchd status, the metrics, the journal and reports.",
            in: .mainFile
        ) { $0.name() }
    }

    /// The only screen, or several by name.
    private func screens(_ r: inout LayoutReader) {
        let one = r.word("screen", "The only screen.", in: .mainFile) {
            $0.node("{size: [width, height]}", "screen")
        }
        let several = r.word(
            "screens", "Several screens; a device without 'screen' belongs to the first.",
            in: .mainFile
        ) { $0.node("screens by name", "screens") }
        guard r.isReading, let root = r.at.node, r.at.place == .mainFile else { return }
        switch (one, several) {
        case (let one?, nil):
            let size = r.section(ScreenWords(), at: one, called: "'screen'", strictly: true)?.size
            if let size { r.screens = [ScreenSpec(name: nil, size: size)] }
        case (nil, let several?):
            guard let entries = r.nodes.entries(several, "'screens'") else { return }
            if entries.isEmpty { r.nodes.note(at: several, "'screens' is empty; add a screen") }
            guard entries.count <= LayoutLimit.screens else {
                return r.nodes.note(
                    at: several,
                    "a layout may have at most \(LayoutLimit.screens) screens (got \(entries.count)); remove some")
            }
            for (key, name, value) in entries where r.nodes.checkName(name, "a screen's name", at: key) {
                let size = r.section(ScreenWords(), at: value, called: "screen '\(name)'", strictly: true)?.size
                r.screens.append(ScreenSpec(name: name, size: size ?? r.firstScreenSize))
            }
        case (_?, let several?):
            r.nodes.note(at: several, "a layout has either 'screen' or 'screens'; keep one")
        case (nil, nil):
            r.nodes.note(at: root, "the layout has no 'screen'; add screen: {size: [WIDTH, HEIGHT]}, in points")
        }
    }

    /// `pages:`, each name with its page, from all files.
    private mutating func pages(_ node: Node, _ r: inout LayoutReader) {
        guard let entries = r.nodes.entries(node, "'pages'") else { return }
        for (key, name, value) in entries where r.nodes.checkName(name, "a page's name", at: key) {
            if let first = r.references.pages[name] {
                r.nodes.note(at: key, "two pages have the name '\(name)'; the first is at \(first)")
                continue
            }
            r.references.pages[name] = key.location
            let page = PageSpec(name: name, location: key.location, screen: nil, on: [], views: [])
            // An empty page is reported by the checker, when all files are read.
            let read = value.isNull ? page : r.section(page, at: value, called: "page '\(name)'")
            if let read { document.pages.append(read) }
        }
    }
}

/// `defaults:`, the words of a file for the views and gestures that do not give them.
nonisolated struct Defaults: Section {
    static let key = "defaults"
    static let table = Table(Defaults(), "Defaults for the views and gestures of this file.")
    /// The words of a section, with their positions in its table.
    typealias Words = [(position: Int, value: Node)]
    var view: Words = []
    var gesture: Words = []

    mutating func words(_ r: inout LayoutReader) {
        let view = r.word("view", "For all views; 'control: none' in a view removes a default control.") {
            $0.reads(ViewWords.table.form(at: .defaults), ["$ref": "#/$defs/view-in-defaults"])?.0
        }
        if let view { self.view = r.defaults(ViewWords(), at: view, called: "'view' of 'defaults'") }
        let gesture = r.word("gesture", "For all gestures.") {
            $0.reads(GestureWords.table.form(at: .defaults), ["$ref": "#/$defs/gesture-in-defaults"])?.0
        }
        if let gesture { self.gesture = r.defaults(GestureWords(), at: gesture, called: "'gesture' of 'defaults'") }
    }
}

/// `screen:`, or an entry of `screens:`.
nonisolated struct ScreenWords: Section {
    static let key = "screen"
    static let table = Table(ScreenWords(), "A screen of the layout.")
    var size: CGSize?

    mutating func words(_ r: inout LayoutReader) {
        r.word("size", &size, "Width and height in points.", called: "the screen's size") { r -> CGSize? in
            guard let (node, at) = r.reads("[width, height] in points", ["$ref": "#/$defs/size"]),
                let numbers = r.nodes.numbers(node, at.what, named: ["width", "height"])
            else { return nil }
            guard numbers.allSatisfy({ (1...100_000).contains($0) }) else {
                r.nodes.note(at: node, "the screen's width and height must be between 1 and 100000 points")
                return nil
            }
            return CGSize(width: numbers[0], height: numbers[1])
        }
        r.require("add size: [WIDTH, HEIGHT], in points")
    }
}

nonisolated extension PageSpec: Section {
    static let key = "page"
    static let table = Table(
        PageSpec(name: "", location: SourceLocation(file: ""), screen: nil, on: [], views: []),
        "Views of one screen that are shown together.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("screen", &screen, "The screen that shows it.", unset: "the first") { $0.name(of: .screen) }
        r.word("on", &on, "Handlers for when it appears and disappears, and for touches that no view handles.") {
            $0.on(PageTriggers())
        }
        let views = r.word("views", "Views, back to front.") { $0.node("a list of views", "views") }
        if let views {
            self.views = r.views(views, in: LayoutReader.Context(size: r.screenSize(named: screen), level: .page))
        }
        r.word(
            "reset-on-leave", &resetsOnLeave, "Restores its views when it has disappeared, as the action 'reset' does."
        ) { $0.flag() }
    }
}

/// An entry of `idle:`.
nonisolated struct IdleWords: Section {
    static let key = "idle"
    static let table = Table(IdleWords(), "Handlers that run when no screen is touched for a time.")
    var after: TimeInterval?
    var on: [HandlerBinding] = []
    var forwards = true
    var spec: IdleSpec? { after.map { IdleSpec(delay: $0, on: on, forwards: forwards) } }

    mutating func words(_ r: inout LayoutReader) {
        r.word("after", &after, "The time without a touch on any screen.") {
            $0.seconds(.seconds(1) ... .seconds(604_800))
        }
        r.require("add after: TIME", of: "the entry of 'idle'", stops: true)
        r.word("on", &on, "The same handlers as 'run' and 'wake', under 'idle' and 'woken'.") { $0.on(IdleTriggers()) }
        let run = r.word("run", "Handlers that run when the time has passed.") { $0.steps() }
        self.on += run?.map { HandlerBinding(trigger: .idle, step: $0) } ?? []
        let wake = r.word("wake", "Handlers that run at the first touch afterwards.") { $0.steps() }
        self.on += wake?.map { HandlerBinding(trigger: .woken, step: $0) } ?? []
        if let node = r.at.node, r.given("after") != nil, r.at.given.count == 1 {
            r.nodes.note(.warning, at: node, "this entry has no effect; add run: HANDLER")
        }
        r.word(
            "forward", &forwards, "Whether the program that draws gets touches in the meantime.",
            called: "'forward' of 'idle'"
        ) { $0.forwardFlag() }
    }
}

nonisolated extension JournalSpec: Section {
    static let key = "journal"
    static let table = Table(
        JournalSpec(), "Which touches are written to the journal; handlers' entries, warnings and errors always are.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("touches", &hasTouches, "Whether touches have entries.") { $0.flag() }
        // No panel reports more often.
        let rate = r.word(
            "moves", &moves, "Moves per second of each touch that have an entry.",
            called: "'moves' (of each touch a second)"
        ) { $0.count(0...1000) }
        if let rate, rate > 0, !hasTouches, let node = r.given("moves") {
            r.nodes.note(.warning, at: node, "'moves' has no effect, because 'touches: false' excludes all touches")
        }
    }
}

/// `recording:`
nonisolated struct RecordingWords: Section {
    static let key = "recording"
    static let table = Table(
        RecordingWords(), "Keeps the touchscreens' last minutes in memory, for 'touchd record --last'.")
    var keep: Duration?

    mutating func words(_ r: inout LayoutReader) {
        // A second is enough for a touch; the memory for a busy screen holds less than an hour.
        r.word("keep", &keep, "Length of the recording.") { $0.time(.seconds(1) ... .seconds(3600)) }
        r.require("add the length, such as keep: 5 min", unlessMisspelt: true)
    }
}

nonisolated extension ForwardSpec: Section {
    static let key = "forward"
    static let table = Table(ForwardSpec(), "Which touches outside views with 'forward' the program that draws gets.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("default", &isDefault, "Whether it gets touches outside such views.", called: "'default' of 'forward'") {
            $0.flag()
        }
        r.word("cooldown", &cooldown, "Time after a lift in which no touch begins there.") { $0.cooldown() }
        r.word(
            "lift-cancelled", &liftsCancelled,
            "Whether it gets a lift instead of a cancelled touch, for a compositor that ignores those.",
            called: "'lift-cancelled' of 'forward'"
        ) { $0.flag() }
    }
}

nonisolated extension TUIOSpec: Section {
    static let key = "tuio"
    static let table = Table(TUIOSpec(), "Sends touches as TUIO 1.1 over UDP.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("host", &host, "An IP address.") { $0.name() }
        r.word("port", &port, "A UDP port.") { $0.count(1...65_535) }
        var address = in6_addr()
        guard r.canCheckRules, inet_pton(AF_INET, host, &address) != 1, inet_pton(AF_INET6, host, &address) != 1
        else { return }
        r.refuse(at: "host", "'host' must be an IP address (got '\(host)'); touchd looks up no names for touches")
    }
}

nonisolated extension MQTTSpec: Section {
    static let key = "mqtt"
    static let table = Table(
        MQTTSpec(host: "", location: SourceLocation(file: "")),
        "An MQTT broker that receives touchd's state and may send commands.")

    mutating func words(_ r: inout LayoutReader) {
        if let node = r.at.node { location = node.location }
        r.broker(&host, &port)
        r.stopIfFailed()
        r.word(
            "topic", &topic, "The first levels of all topics.",
            unset: "touchd/HOSTNAME for touchd.yaml, touchd/HOSTNAME/NAME for another NAME.yaml"
        ) { $0.topicStart() }
        r.word(
            "client-id", &clientID, "The client identifier for the broker.",
            unset: "made from the host's name, 'topic' and the layout's file"
        ) { $0.name() }
        let commands = r.word("commands", "The commands that messages may give; none by default.") {
            $0.oneOrMore(called: "a command of 'commands'") { $0.keyword() as LayoutCommand.Kind? }
        }
        for kind in commands ?? [] where !self.commands.contains(kind) { self.commands.append(kind) }
        let start = r.word(
            "discovery",
            "Whether Home Assistant finds the kiosk; or the first level of the topics in which it looks for devices.",
            unset: "false"
        ) { r in
            r.either(
                { $0.bool != nil }, { $0.flag().map { $0 ? "homeassistant" : "" } }, or: { $0.topicStart() })
        }
        if let start, !start.isEmpty { discovery = start }
    }
}

nonisolated extension WatchdogSpec: Section {
    static let key = "watchdog"
    static let table = Table(WatchdogSpec(), "Limits for a handler that does not return.")
    /// A slow machine can be busy for a second without an error; nobody waits for an hour.
    private static let times = Duration.seconds(1)...Duration.seconds(3600)

    mutating func words(_ r: inout LayoutReader) {
        let logged = r.word("warn-after", &warning, "The time after which the handler is logged with its name.") {
            $0.time(Self.times)
        }
        let restarted = r.word(
            "restart-after", &restart, "The time after which systemd restarts touchd, at the latest.",
            unset: "WatchdogSec= of the unit, 10 s"
        ) { $0.time(Self.times) }
        r.word("drop-after", &touchAge, "The age at which a touch that has waited for a handler is dropped.") {
            $0.time(Self.times)
        }
        guard let logged, let restarted, restarted <= logged, let node = r.given("restart-after") else { return }
        let limit = r.given("warn-after")?.string ?? ""
        r.nodes.note(at: node, "'restart-after' must be longer than 'warn-after', \(limit) (got '\(node.string)')")
    }
}

// MARK: Types of values

nonisolated extension LayoutReader {
    /// The words of a broker, which are the first of their section.
    mutating func broker(_ host: inout String, _ port: inout Int) {
        word("host", &host, "The broker's host.") { $0.name() }
        require("add the broker's host: NAME", stops: true)
        word("port", &port, "The broker's port; 8883 uses TLS.") { $0.count(1...65_535) }
        // An IPv6 address consists of hexadecimal digits, colons and dots.
        let isAddress = host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        if canCheckRules, host.contains(where: { $0.isWhitespace || $0 == "/" || $0 == ":" && !isAddress }) {
            refuse(
                at: "host",
                "'host' must be a name or an address alone (got '\(host)'); write the port as port: NUMBER")
        }
    }

    /// The first levels of a topic.
    fileprivate mutating func topicStart() -> String? {
        guard let (node, at) = reads("the first levels of a topic", ["$ref": "#/$defs/topic-start"]),
            let topic = nodes.name(node, at.what)
        else { return nil }
        guard !topic.contains(where: { "+#$".contains($0) }), !topic.hasPrefix("/"), !topic.hasSuffix("/") else {
            nodes.note(
                at: node, "\(at.what) must not contain '+', '#' or '$', nor begin or end with '/' (got '\(topic)')")
            return nil
        }
        return topic
    }

    /// The layout's `forward:`.
    fileprivate mutating func forwarding() -> ForwardSpec? {
        firstForward = firstForward ?? at.value
        return either(
            { $0.isScalar },
            {
                guard let isDefault = $0.flag() else { return nil }
                var spec = ForwardSpec()
                spec.isDefault = isDefault
                return spec
            }, or: { $0.section(ForwardSpec()) })
    }
}
