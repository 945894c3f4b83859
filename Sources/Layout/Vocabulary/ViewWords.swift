import ControlProtocol
import Foundation
import TouchKit

/// An entry of `views:` that is no grid.
nonisolated struct ViewWords: Section {
    static let table = Table("view", ViewWords(), "A part of its superview that takes touches.")
    var spec = ViewSpec()
    /// Where the view is.
    var context = LayoutReader.Context(size: .zero, level: .page)
    private static let alpha = "Below \(View.minimumAlpha), the view and its subviews take no touches."
    /// The view's name in messages.
    private var name: String { spec.id.map { "view '\($0)'" } ?? "a view" }

    mutating func words(_ r: inout LayoutReader) {
        // The size of the screen is the unit of percentages below.
        let screen = r.word(
            "screen", &spec.screen, "The screen that it is on; a view of a page is on the page's.", in: .everyPage,
            unset: "the first"
        ) { $0.name(of: .screen) }
        if let screen { context.size = r.screenSize(named: screen) }
        r.word("id", &spec.id, "The view's name in logs and handlers; unique in the layout.", in: .views) { $0.name() }
        let frame = r.word("frame", "Position and size in points, or percentages of the superview (50%).", in: .views) {
            $0.node(.frame)
        }
        let place = r.word("place", PlaceWords.sentence, in: .views) {
            $0.node(.place)
        }
        if r.isReading, r.at.scope != .defaults {
            let frame = r.frame(frame, place, of: name, at: r.at.node, in: context)
            spec.frame = frame ?? .zero
            if let frame { context.size = frame.size }
        }
        r.word(
            "label", &spec.label, "What the view is, for people who do not see it: one text, or one for each language.",
            in: .views
        ) { $0.spokenLabel() }
        // Most views have no other words.
        if r.isFinished { return }
        r.word("control", &spec.control, "The control that the view is.", unset: "none") { $0.control() }
        r.word("on", &spec.on, "Handlers for touches in the view, and for its control's events.", in: .views) {
            $0.on(.view)
        }
        if r.isFinished { return }
        look(&r)
        r.word("role", &spec.role, "Its kind of element in the talking mode.", in: .views, unset: "its control") {
            $0.keyword()
        }
        r.word("value", &spec.value, "Its value, said after the label.", in: .views, unset: "none") { $0.label() }
        r.word(
            "state", &spec.state, "Whether a published view that is no toggle is on.", in: .published, unset: "neither"
        ) { $0.keyword(of: ["on", "off"]).flatMap(AccessibilityRecord.State.init) }
        r.word(
            "multiple-touch", &spec.isMultipleTouchEnabled, "Whether the view takes several fingers at the same time."
        ) { $0.flag() }
        r.word(
            "exclusive-touch", &spec.isExclusiveTouch, "No other view takes touches while this one is touched."
        ) { $0.flag() }
        r.word("passthrough", &spec.isPassthrough, "Only its subviews take touches.", in: .views) { $0.flag() }
        r.word(
            "redirect", &spec.redirect,
            "The id of the view on the same page that gets its touches; if that takes none, no view does.",
            in: .views
        ) { $0.name(of: .view) }
        r.word(
            "private", &spec.isPrivate,
            "No output contains the position of a touch in it, or which of its subviews was touched."
        ) { $0.flag() }
        r.word(
            "forward", &spec.forwards, "Whether the program that draws also gets its touches.", in: .views,
            unset: "the superview's, then that of the layout"
        ) { $0.forwardFlag() }
        r.word(
            "cooldown", &spec.cooldown, "Time after a press of its control in which no press begins.", in: .views
        ) { $0.cooldown() }
        if spec.control == nil, r.given("cooldown") != nil {
            r.refuse(at: "cooldown", "'cooldown' is for controls; add control: button, or give it to a handler")
        }
        let gestures = r.word("gestures", "The gestures of the view and its subviews.", in: .views) {
            $0.node(.listOf("gestures", .reference("gestures")))
        }
        if let gestures { self.gestures(gestures, &r) }
        let slot = r.word("slot", "A place for views that programs publish through the control socket.", in: .files) {
            $0.slot()
        }
        if let slot {
            spec.slot = slot
            spec.id = spec.id ?? slot.name
            // One of the defaults.
            spec.control = nil
            // Where nothing is published, the views behind take the touches.
            spec.isPassthrough = true
        }
        if slot != nil || r.at.hasFailed, r.given("slot") != nil {
            for word in ["control", "redirect", "views"] where r.given(word) != nil {
                r.refuse(
                    at: word,
                    "a view with 'slot' cannot have '\(word)'; remove it, or move it to a view beside the slot")
            }
        }
        let views = r.word("views", "Subviews, back to front.", in: .views) {
            $0.node(.listOf("views", .reference("views")))
        }
        if let views {
            var inside = context
            (inside.level, inside.cell, inside.offset) = (.superview, nil, .zero)
            inside.depth += 1
            spec.views = r.views(views, in: inside)
        }
    }

    /// The words about what of the view can be touched.
    private mutating func look(_ r: inout LayoutReader) {
        let size = context.size
        r.word(
            "shape", &spec.shape,
            "The part that can be touched: 'rounded' has a radius in points, 'polygon' a list of corners.",
            unset: "rectangle"
        ) { $0.shape(in: size) }
        r.word(
            "slop", &spec.slop,
            "How far outside its shape it can still be hit, in points; never outside its superview.", unset: "0"
        ) { $0.edges(0...10_000) }
        let transform = r.word(
            "transform",
            "Scales it by a number or [x, y], then rotates it clockwise in degrees, then moves it by [x, y].",
            in: .views
        ) { [scale = context.scale] in $0.section(TransformWords(scale: scale)) }
        if let transform { (spec.transform, context.scale) = (transform.transform, transform.scale) }
        r.word("hidden", &spec.isHidden, "A hidden view and its subviews take no touches.") { $0.flag() }
        r.word(
            "enabled", &spec.isEnabled, "A disabled view and its subviews take no touches; views behind it do."
        ) { $0.flag() }
        r.word("alpha", &spec.alpha, Self.alpha, unset: "1") {
            $0.number(0...1).map { CGFloat($0) }
        }
    }

    private mutating func gestures(_ node: Node, _ r: inout LayoutReader) {
        context.gestureCount += node.count
        guard context.gestureCount > LayoutLimit.gesturesOfTouch else { return spec.gestures = r.gestures(node) }
        r.note(
            at: node,
            "\(name) and its superviews have more than \(LayoutLimit.gesturesOfTouch) gestures (got "
                + "\(context.gestureCount)) for one touch; remove some, or move them to other views")
        r.references.isIncomplete = true
    }
}

nonisolated extension ViewSpec {
    /// The flags that differ from their defaults, as in the layout: `exclusive-touch: true`.
    package var flags: [String] {
        zip(Table.words(of: ViewWords(spec: self)), ViewWords.table.words).compactMap { own, initial in
            guard case .flag = initial.form, let value = own.fallback, value != initial.fallback else {
                return nil
            }
            return "\(own.name): \(value)"
        }
    }
}

nonisolated extension LayoutReader {
    /// The context in which a view is read.
    struct Context {
        enum Level { case everyPage, page, superview, grid }

        /// The superview's size in points.
        var size: CGSize
        var level: Level
        var depth = 1
        /// The number of gestures of all ancestors.
        var gestureCount = 0
        /// The least and the greatest factor by which the ancestors scale together.
        var scale = 1.0...1.0
        /// The frame that a grid assigns to the view, if it does.
        var cell: CGRect?
        /// The distance by which a grid moves the view from its frame.
        var offset = CGPoint.zero
    }

    mutating func views(_ node: Node, in context: Context) -> [ViewSpec] {
        guard context.depth <= LayoutLimit.viewDepth else {
            note(at: node, "views are nested more than \(LayoutLimit.viewDepth) deep; flatten them")
            references.isIncomplete = true
            return []
        }
        guard let items = sequence(node, "'views'") else { return [] }
        var views: [ViewSpec] = []
        views.reserveCapacity(items.count)
        for item in items where canGoOn(at: item) {
            let before = (
                refusals: refusals.errorCount, views: views.count, count: viewCount,
                mentions: references.mentions.count
            )
            if isGrid(item) {
                views += grid(item, in: context)
            } else if let view = view(item, in: context) {
                views.append(view)
            }
            if refusals.errorCount > before.refusals {
                views.removeSubrange(before.views...)
                viewCount = before.count
                references.mentions.removeSubrange(before.mentions...)
            }
        }
        return views
    }

    /// Whether the limits permit one more view.
    mutating func canGoOn(at node: Node) -> Bool {
        let limit = slotHandlers == nil ? LayoutLimit.views : LayoutLimit.publishedViews
        if viewCount == limit {
            let what = slotHandlers == nil ? "the layout" : "the publication"
            note(at: node, "\(what) has more than \(limit) views; write fewer, or smaller grids")
            viewCount += 1
        }
        if viewCount < limit, !isExhausted { return true }
        references.isIncomplete = true
        return false
    }

    /// One view, with the file's defaults.
    mutating func view(_ node: Node, in context: Context) -> ViewSpec? {
        let scope: WordScope = slotHandlers != nil ? .published : context.level == .everyPage ? .everyPage : .inside
        guard let visit = open(node, "a view", ViewWords.table, scope, defaults.view) else {
            references.isIncomplete = true
            return nil
        }
        defer { close(visit) }
        viewCount += 1
        let ownWords = visit.given.count - visit.inherited
        guard charge(node, bytes: MemoryLayout<ViewSpec>.size + ownWords * 16) else { return nil }
        var words = ViewWords(context: context)
        words.spec.location = node.location
        read(&words, visit)
        return words.spec
    }

    /// `control:`; the value `none` overrides `defaults`.
    fileprivate mutating func control() -> ControlSpec? {
        either(
            { $0.isScalar },
            {
                switch $0.keyword(of: ControlWords.kinds) {
                case "button": .button
                case "toggle": .toggle(isOn: false)
                case "repeat": .repeating(RepeatSpec())
                default: nil
                }
            }, or: { $0.section(ControlWords())?.control })
    }

    /// `slot:`, a name, or a name and the handlers that published views may run.
    fileprivate mutating func slot() -> SlotSpec? {
        let node = at.value
        let slot = either({ $0.isScalar }, { $0.name().map { SlotSpec(name: $0) } }, or: { $0.section(SlotSpec()) })
        guard let slot, !slot.name.isEmpty, let node else { return nil }
        if let first = references.slots[slot.name] {
            note(at: node, "two slots have the name '\(slot.name)'; the first is at \(first)")
        }
        references.slots[slot.name] = node.location
        return slot
    }
}

/// `control:` with parameters.
nonisolated struct ControlWords: Section {
    static let table = Table(
        "control", ControlWords(), "A control with parameters.", rules: ["minProperties": 1, "maxProperties": 1])
    static let kinds = ["button", "toggle", "repeat", "none"]
    var control: ControlSpec?

    mutating func words(_ r: inout LayoutReader) {
        if r.isReading, r.at.given.count != 1 {
            r.refuse("'control' must be one thing: \(LayoutReader.alternatives(Self.kinds))")
            r.stop()
        }
        if let toggle = r.word(ToggleWords()) { control = .toggle(isOn: toggle.isOn) }
        if let repeating = r.word(RepeatSpec()) { control = .repeating(repeating) }
    }
}

nonisolated struct ToggleWords: Section {
    static let table = Table("toggle", ToggleWords(), "A switch.")
    var isOn = false

    mutating func words(_ r: inout LayoutReader) {
        r.word("on", &isOn, "Whether it is on at startup.", called: "'on' of 'toggle'") { $0.flag() }
    }
}

nonisolated extension RepeatSpec: Section {
    static let table = Table("repeat", RepeatSpec(), "A button that acts again and again while it is held.")

    mutating func words(_ r: inout LayoutReader) {
        // Repeats faster than the display's refresh have no use, and without a pause they would never end.
        r.word("after", &delay, "Time until the first repetition.") { $0.seconds(.milliseconds(50) ... .seconds(60)) }
        r.word("every", &interval, "Time between further repetitions.") {
            $0.seconds(.milliseconds(10) ... .seconds(60))
        }
    }
}

nonisolated extension SlotSpec: Section {
    static let table = Table("slot", SlotSpec(), "A place for views that programs publish through the control socket.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("name", &name, "The slot's name; unique in the layout.", called: "'name' of 'slot'") { $0.name() }
        r.require("add name: NAME")
        r.word(
            "handlers", &handlers, "The handlers that published views may run.", called: "'handlers' of 'slot'"
        ) { r in
            guard let (node, at) = r.reads(.listOf("handlers", .reference("names"))) else { return nil }
            return r.sequence(node, at.what)?.compactMap { item in
                guard let handler = r.string(item, "a handler of 'slot'") else { return nil }
                r.references.slotHandlers.insert(handler)
                return HandlerStep(kind: .run(handler, arguments: [:]), location: item.location)
            }
        }
    }
}
