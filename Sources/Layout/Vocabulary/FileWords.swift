import ControlProtocol
import Foundation

/// The layout's own file, or a file that it includes.
nonisolated struct FileWords: Section {
    static let table = Table(
        "layout", FileWords(),
        "A kiosk's screens, devices, views and pages, and the handlers that run when they are touched.")
    /// The content of the files; an included file adds to it.
    var document = LayoutDocument()

    mutating func words(_ r: inout LayoutReader) {
        screens(&r)
        settings(&r)
        let formerDefaults = r.defaults
        let defaults = r.word(DefaultsWords())
        if r.isReading { r.defaults = (defaults?.view ?? [], defaults?.gesture ?? []) }
        let devices = r.word("devices", "Rules for input devices; of several rules for one device, the later one wins.")
        {
            $0.list { $0.section(DeviceWords(), called: "a device rule") }
        }
        for device in devices ?? [] {
            document.devices.append(device.rule)
            guard !device.on.isEmpty else { continue }
            document.deviceHandlers.append(DeviceHandlers(rule: device.rule.label, on: device.on))
        }
        let on = r.word("on", "Handlers for touches that no view and no page handles.") { $0.on(.layout) }
        document.on += on ?? []
        let views = r.word("views", "Views in front of every page, back to front.") {
            $0.node(.listOf("views", .reference("views-of-every-page")))
        }
        if let views {
            document.views += r.views(views, in: LayoutReader.Context(size: r.firstScreenSize, level: .everyPage))
        }
        let pages = r.word("pages", "Each screen shows one of its pages, at startup the first.") {
            $0.node(.byName("pages", .reference("pages")))
        }
        if let pages { self.pages(pages, &r) }
        let handlers = r.word("handlers", "Steps that triggers run, by name.") { $0.handlers() }
        document.handlers += handlers ?? []
        let idle = r.word("idle", "Handlers that run when no screen is touched for a time.") {
            $0.oneOrMore { $0.section(IdleSpec(), called: "an entry of 'idle'") }
        }
        document.idle += idle ?? []
        r.defaults = formerDefaults
        let files = r.word(
            "include",
            "Files, and directories whose *.yaml are included in the order of their names; relative to this file."
        ) { $0.node(.other("a path or a list of paths", ["$ref": "#/$defs/names", "maxItems": 100], example: "PATH")) }
        if let files { r.include(files, into: &document) }
    }

    private mutating func settings(_ r: inout LayoutReader) {
        if let journal = r.word(JournalSpec(), in: .mainFile) { document.journal = journal }
        let recording = r.word(
            "recording",
            "Keeps the touchscreens' last minutes in memory, for 'touchd record --running'; off by default.",
            in: .mainFile
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
        if let tuio = r.word(TUIOSpec(), in: .mainFile) { document.tuio = tuio }
        if let mqtt = r.word(MQTTSpec(), in: .mainFile) { document.mqtt = mqtt }
        if let accommodations = r.word(AccommodationSpec(), in: .mainFile) { document.accommodations = accommodations }
        if let accessibility = r.word(AccessibilitySpec(), in: .mainFile) { document.accessibility = accessibility }
        if let watchdog = r.word(WatchdogSpec(), in: .mainFile) { document.watchdog = watchdog }
        r.word(
            "version", &document.version,
            "A name for this state of the layout, for touchd status, the metrics, the journal and reports.",
            in: .mainFile
        ) { $0.label() }
    }

    /// The only screen, or several by name.
    private func screens(_ r: inout LayoutReader) {
        let one = r.word("screen", "The only screen.", in: .mainFile) {
            $0.node(.other("{size: [width, height]}", .reference("screen"), example: "{size: [width, height]}"))
        }
        let several = r.word(
            "screens", "Several screens; a device without 'screen' belongs to the first.",
            in: .mainFile
        ) { $0.node(.byName("screens", .reference("screens"))) }
        guard r.isReading, let root = r.at.node, r.at.scope == .mainFile else { return }
        switch (one, several) {
        case (let one?, nil):
            if let screen = r.section(ScreenSpec(), at: one, called: "'screen'", strictly: true) {
                r.screens = [screen]
            }
        case (nil, let several?):
            guard let entries = r.entries(several, "'screens'") else { return }
            if entries.isEmpty { r.note(at: several, "'screens' is empty; add a screen") }
            guard entries.count <= LayoutLimit.screens else {
                return r.note(
                    at: several,
                    "a layout may have at most \(LayoutLimit.screens) screens (got \(entries.count)); remove some")
            }
            for (key, name, value) in entries {
                _ = r.checkName(name, "a screen's name", at: key)
                let screen = ScreenSpec(name: name, size: r.firstScreenSize)
                r.screens.append(r.section(screen, at: value, called: "screen '\(name)'") ?? screen)
            }
        case (_?, let several?):
            r.note(at: several, "a layout has either 'screen' or 'screens'; keep one")
        case (nil, nil):
            r.note(at: root, "the layout has no 'screen'; add screen: {size: [WIDTH, HEIGHT]}, in points")
        }
    }

    /// `pages:`, each name with its page, from all files.
    private mutating func pages(_ node: Node, _ r: inout LayoutReader) {
        guard let entries = r.entries(node, "'pages'") else { return }
        for (key, name, value) in entries {
            if let first = r.references.pages[name] {
                r.note(at: key, "two pages have the name '\(name)'; the first is at \(first)")
                continue
            }
            r.references.pages[name] = key.location
            guard r.checkName(name, "a page's name", at: key) else { continue }
            let page = PageSpec(name: name, location: key.location)
            // An empty page is reported by the checker, when all files are read.
            let read = value.isNull ? page : r.section(page, at: value, called: "page '\(name)'")
            if let read { document.pages.append(read) }
        }
    }
}

/// `defaults:`, the words of a file for the views and gestures that do not give them.
nonisolated struct DefaultsWords: Section {
    static let table = Table("defaults", DefaultsWords(), "Defaults for the views and gestures of this file.")
    var view: LayoutReader.GivenWords = []
    var gesture: LayoutReader.GivenWords = []

    mutating func words(_ r: inout LayoutReader) {
        let view = r.word("view", "For all views; 'control: none' in a view removes a default control.") {
            $0.node(.defaults(ViewWords.table))
        }
        if let view { self.view = r.defaults(ViewWords(), at: view, called: "'view' of 'defaults'") }
        let gesture = r.word("gesture", "For all gestures.") {
            $0.node(.defaults(GestureWords.table))
        }
        if let gesture { self.gesture = r.defaults(GestureWords(), at: gesture, called: "'gesture' of 'defaults'") }
    }
}

/// `screen:`, or an entry of `screens:`.
nonisolated extension ScreenSpec: Section {
    static let table = Table("screen", ScreenSpec(), "A screen of the layout.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("size", &size, "Width and height in points.", called: "the screen's size") { $0.screenSize("points") }
        r.require("add size: [WIDTH, HEIGHT], in points")
        r.word(
            "millimeters", &millimeters, "Width and height in millimeters, for 'touchd check --accessibility'.",
            unset: "not known"
        ) { $0.screenSize("millimeters") }
        r.word(
            "above-floor", &aboveFloor, "The height of its lower edge above the floor, in millimeters.",
            unset: "not known"
        ) { $0.number(0...5000, "millimeters") }
        if let node = r.given("above-floor"), aboveFloor != nil, millimeters == nil {
            r.note(.warning, at: node, "'above-floor' has no effect without 'millimeters'; add the screen's size")
        }
    }
}

nonisolated extension LayoutReader {
    fileprivate mutating func screenSize(_ unit: String) -> CGSize? {
        guard let (node, at) = reads(.other("[width, height] in \(unit)", .reference("size"))),
            let numbers = numbers(node, at.what, named: ["width", "height"])
        else { return nil }
        guard numbers.allSatisfy({ (1...100_000).contains($0) }) else {
            return invalid(node, "the screen's width and height must be between 1 and 100000 \(unit)")
        }
        return CGSize(width: numbers[0], height: numbers[1])
    }
}

nonisolated extension PageSpec: Section {
    static let table = Table(
        "page", PageSpec(),
        "Views of one screen that are shown together.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("screen", &screen, "The screen that shows it.", unset: "the first") { $0.name(of: .screen) }
        r.word("on", &on, "Handlers for when it appears and disappears, and for touches that no view handles.") {
            $0.on(.page)
        }
        let views = r.word("views", "Views, back to front.") { $0.node(.listOf("views", .reference("views"))) }
        if let views {
            self.views = r.views(views, in: LayoutReader.Context(size: r.screenSize(named: screen), level: .page))
        }
        r.word(
            "reset-on-leave", &resetsOnLeave, "Restores its views when it has disappeared, as the action 'reset' does."
        ) { $0.flag() }
    }
}

nonisolated extension JournalSpec: Section {
    static let table = Table(
        "journal", JournalSpec(),
        "Which touches are written to the journal; handlers' entries, warnings and errors always are.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("touches", &hasTouches, "Whether touches have entries.") { $0.flag() }
        // No panel reports more often.
        let rate = r.word(
            "moves", &moves, "Moves per second of each touch that have an entry.",
            called: "'moves' (of each touch a second)"
        ) { $0.count(0...1000) }
        if let rate, rate > 0, !hasTouches, let node = r.given("moves") {
            r.note(.warning, at: node, "'moves' has no effect, because 'touches: false' excludes all touches")
        }
    }
}

/// `recording:`
nonisolated struct RecordingWords: Section {
    static let table = Table(
        "recording", RecordingWords(), "Keeps the touchscreens' last minutes in memory, for 'touchd record --running'.")
    var keep: Duration?

    mutating func words(_ r: inout LayoutReader) {
        // A second is enough for a touch; the memory for a busy screen holds less than an hour.
        r.word("keep", &keep, "Length of the recording.") { $0.time(.seconds(1) ... .seconds(3600)) }
        r.require("add the length, such as keep: 5 min", unlessMisspelt: true)
    }
}

nonisolated extension ForwardSpec: Section {
    static let table = Table(
        "forward", ForwardSpec(), "Which touches outside views with 'forward' the program that draws gets.")

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

// MARK: Types of values

nonisolated extension LayoutReader {
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

nonisolated extension Form {
    /// A section's words as defaults.
    fileprivate static func defaults(_ table: Table) -> Form {
        let text = table.form(at: .defaults)
        return .other(text, .reference("\(table.key)-in-defaults"), example: text)
    }
}
