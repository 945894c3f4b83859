import Foundation
import TouchKit

/// An entry of `gestures:`; in `defaults:`, the parameters of gestures that do not have them.
nonisolated struct GestureWords: Section {
    static let table = Table("gesture", GestureWords(), "A gesture of a view and its subviews.")
    var spec = GestureSpec()
    var kind: GestureSpec.Kind?

    mutating func words(_ r: inout LayoutReader) {
        let kinds = r.at.table?.nullable ?? []
        let given = r.at.given.map(\.position).filter(kinds.indices.contains).map { kinds[$0] }
        if r.isReading, r.at.scope != .defaults, given.count != 1 {
            if !given.isEmpty {
                r.refuse("\(given.joined(separator: " and ")) are two gestures; make them two entries")
            } else if !r.at.hasUnknownKeys {
                r.refuse("the gesture has no kind; add one of \(kinds.joined(separator: ", "))")
            }
            return r.stop()
        }
        // The kinds are the first words, and the only ones that may stand without a value.
        kind(TapWords.self, &r)
        kind(LongPressWords.self, &r)
        kind(PanWords.self, &r)
        kind(EdgePanWords.self, &r)
        kind(SwipeWords.self, &r)
        kind(PinchWords.self, &r)
        kind(RotationWords.self, &r)
        kind(HoverWords.self, &r)
        kind(SequenceWords.self, in: .views, &r)
        kind(ChordWords.self, &r)
        r.word("id", &spec.id, "The gesture's name for other gestures, handlers and logs.", in: .views) { $0.name() }
        let run = r.word("run", "Steps that run when it is recognized; short for 'on: {recognized: …}'.", in: .views) {
            $0.steps()
        }
        r.word("on", &spec.on, "Handlers for the gesture.", in: .views) { $0.on(.gesture) }
        if let run { spec.on += run.map { HandlerBinding(trigger: .recognized, step: $0) } }
        r.word(
            "after-failure-of", &spec.requiresFailureOf,
            "Gestures that must fail before this one is recognized; it waits for them.", in: .views
        ) { $0.namesOfGestures() }
        r.word(
            "together-with", &spec.simultaneousWith,
            "Gestures that may be recognized at the same time; others prevent each other.", in: .views
        ) { $0.namesOfGestures() }
        // Sequences do not cancel touches by default, so that visitors do not notice them.
        if case .sequence = kind { spec.cancelsTouchesInView = false }
        r.word(
            "cancels-touches", &spec.cancelsTouchesInView,
            "Whether recognition cancels the touches in their views; with false, the views get them as well.",
            unset: "true, and false for a sequence"
        ) { $0.flag() }
        r.word(
            "cancels-forwarded", &spec.cancelsForwardedTouches,
            "Whether recognition cancels the touches in the program that draws.", in: .views
        ) { $0.forwardFlag() }
        r.word(
            "delays-forwarded", &spec.delaysForwardedTouches,
            "Whether that program gets the touches only after the gesture has failed.", in: .views
        ) { $0.forwardFlag() }
    }

    private mutating func kind<Kind: GestureKind>(
        _: Kind.Type, in scope: WordScope = .everywhere, _ r: inout LayoutReader
    ) {
        let read = r.word(Kind.table.key, Kind.table.sentence, in: scope, nullable: true) { r in
            let (position, isDefault) = (r.position, r.at.scope == .defaults)
            let general = isDefault ? nil : r.defaults.gesture.first { $0.position == position }?.value
            var defaults: LayoutReader.GivenWords = []
            if let general, general.kind == .mapping, let visit = r.open(general, r.at.what, Kind.table, .defaults) {
                defaults = visit.given.map { ($0.position, $0.value) }
                r.close(visit)
            }
            return r.section(Kind(), strictly: true, defaults: defaults)
        }
        if let read { kind = read.kind }
    }
}

// MARK: Kinds

/// The parameters of a kind of gesture.
nonisolated protocol GestureKind: Section {
    /// Nil without a required parameter.
    var kind: GestureSpec.Kind? { get }
    init()
}

nonisolated extension GestureKind {
    mutating func words(_ r: inout LayoutReader) {}

    fileprivate static func parameters(_ name: String, _ sentence: String, short: String? = nil) -> Table {
        Table(name, Self(), sentence, short: short, isNullable: true, isQualified: true)
    }
}

nonisolated struct TapWords: GestureKind {
    static let table = parameters("tap", "One or more taps, with one or more fingers.")
    var taps = 1, touches = 1, pause = TapGestureRecognizer.defaultInterval
    var kind: GestureSpec.Kind? { .tap(taps: taps, touches: touches, pause: pause) }

    mutating func words(_ r: inout LayoutReader) {
        r.word("taps", &taps, "Number of taps in succession.") { $0.count(1...20) }
        r.word("touches", &touches, "Number of fingers.") { $0.fingers() }
        r.word("pause", &pause, "Maximum time from one tap to the next.") { $0.gestureTime() }
    }
}

nonisolated struct LongPressWords: GestureKind {
    static let table = parameters(
        "long-press", "A finger that rests for 'duration' within 'movement' points after 'taps' taps.")
    var duration = LongPressGestureRecognizer.defaultDuration
    var movement = Double(LongPressGestureRecognizer.defaultMovement)
    var taps = 0, touches = 1
    var kind: GestureSpec.Kind? {
        .longPress(duration: duration, movement: CGFloat(movement), taps: taps, touches: touches)
    }

    mutating func words(_ r: inout LayoutReader) {
        r.word("duration", &duration, "How long it rests.") { $0.gestureTime() }
        r.word(
            "movement", &movement, "How far the finger may move, in points.",
            called: "'movement' of 'long-press' (points)"
        ) { $0.gesturePoints() }
        r.word("taps", &taps, "Number of taps before it.") { $0.count(0...20) }
        r.word("touches", &touches, "Number of fingers.") { $0.fingers() }
    }
}

nonisolated struct PanWords: GestureKind {
    static let table = parameters("pan", "Fingers that move.")
    var least = 1, most = 20, movement = Double(PanGestureRecognizer.defaultMovement)
    var kind: GestureSpec.Kind? {
        .pan(minimumTouches: least, maximumTouches: most, movement: CGFloat(movement))
    }

    mutating func words(_ r: inout LayoutReader) {
        r.word("minimum-touches", &least, "Minimum number of fingers.") { $0.fingers() }
        r.word("maximum-touches", &most, "Maximum number of fingers.") { $0.fingers() }
        r.word(
            "movement", &movement, "How far the fingers move before it begins, in points.",
            called: "'movement' of 'pan' (points)"
        ) { $0.gesturePoints() }
        if r.canCheckRules, least > most { r.refuse("'minimum-touches' is greater than 'maximum-touches'") }
    }
}

nonisolated struct EdgePanWords: GestureKind {
    static let table = parameters(
        "edge-pan", "A finger that moves in from an edge of the screen.", short: "edge")
    var edge: GestureSpec.Edge?
    var margin = Double(ScreenEdgePanGestureRecognizer.defaultMargin)
    var movement = Double(PanGestureRecognizer.defaultMovement)
    var kind: GestureSpec.Kind? {
        edge.map { .edgePan($0, margin: CGFloat(margin), movement: CGFloat(movement)) }
    }

    mutating func words(_ r: inout LayoutReader) {
        r.word("edge", &edge, "The edge of the screen where it starts.", called: "the edge") { $0.keyword() }
        r.require("add edge: …")
        r.word(
            "margin", &margin, "How far from the edge the finger may land, in points.",
            called: "'margin' of 'edge-pan' (points)"
        ) { $0.gesturePoints() }
        r.word(
            "movement", &movement, "How far the finger moves before it begins, in points.",
            called: "'movement' of 'edge-pan' (points)"
        ) { $0.gesturePoints() }
    }
}

nonisolated struct SwipeWords: GestureKind {
    static let table = parameters("swipe", "Fingers that move quickly in a direction.", short: "direction")
    var direction: GestureSpec.Direction?, touches = 1
    var kind: GestureSpec.Kind? { direction.map { .swipe($0, touches: touches) } }

    mutating func words(_ r: inout LayoutReader) {
        r.word(
            "direction", &direction, "The direction in which the finger moves.", called: "the direction"
        ) { $0.keyword() }
        r.require("add direction: …")
        r.word("touches", &touches, "Number of fingers.") { $0.fingers() }
    }
}

nonisolated struct PinchWords: GestureKind {
    static let table = parameters("pinch", "Two fingers that move apart or together.")
    var kind: GestureSpec.Kind? { .pinch }
}

nonisolated struct RotationWords: GestureKind {
    static let table = parameters("rotation", "Two fingers that rotate.")
    var kind: GestureSpec.Kind? { .rotation }
}

nonisolated struct HoverWords: GestureKind {
    static let table = parameters("hover", "A mouse pointer over the view.")
    var kind: GestureSpec.Kind? { .hover }
}

nonisolated struct SequenceWords: GestureKind {
    static let table = parameters(
        "sequence",
        "Taps on views inside this one in order: a hidden way to a service menu. The touches reach their views as well."
    )
    var views: [String] = [], duration: TimeInterval = 5
    var kind: GestureSpec.Kind? { .sequence(views: views, duration: duration) }

    mutating func words(_ r: inout LayoutReader) {
        let list = r.word("views", "The ids of views, to be tapped in this order.") {
            $0.node(
                .listOf(
                    "1 to 50 views",
                    ["type": "array", "minItems": 1, "maxItems": 50, "items": .reference("text")]))
        }
        r.require("add views: …")
        r.word("within", &duration, "Maximum duration of the sequence.") { $0.gestureTime() }
        guard let list, r.canCheckRules else { return }
        guard let items = r.sequence(list, "'views' of 'sequence'") else { return r.at.hasFailed = true }
        guard (1...50).contains(items.count) else {
            return r.refuse(at: "views", "a sequence must have 1 to 50 views (got \(items.count))")
        }
        views = items.compactMap { r.name($0, of: .view, "a view of 'sequence'") }
    }
}

nonisolated struct ChordWords: GestureKind {
    static let table = parameters("chord", "Fingers that are down together for 'duration'.")
    var touches = 2, duration: TimeInterval = 1
    var kind: GestureSpec.Kind? { .chord(touches: touches, duration: duration) }

    mutating func words(_ r: inout LayoutReader) {
        r.word("touches", &touches, "Number of fingers.") { $0.fingers() }
        r.word("duration", &duration, "How long they are held.") { $0.gestureTime() }
    }
}

// MARK: Types of values

nonisolated extension LayoutReader {
    /// A `gestures:`; a scalar is a kind without parameters.
    mutating func gestures(_ node: Node) -> [GestureSpec] {
        guard let items = sequence(node, "'gestures'") else { return [] }
        return items.compactMap { item in
            let gesture = gesture(item)
            if gesture == nil { references.isIncomplete = true }
            return gesture
        }
    }

    private mutating func gesture(_ node: Node) -> GestureSpec? {
        var kind: Int?
        let kinds = GestureWords.table.nullable
        if node.isScalar {
            kind = keyword(node, "a gesture", of: kinds).flatMap(kinds.firstIndex)
            if kind == nil { return nil }
        }
        let read = section(
            GestureWords(), at: node, called: "a gesture", in: slotHandlers == nil ? .inside : .published,
            naming: kind,
            defaults: kind == nil ? defaults.gesture.filter { $0.position >= kinds.count } : [])
        guard var read, charge(node, bytes: 2 * MemoryLayout<GestureSpec>.stride) else { return nil }
        return read.kind.map {
            read.spec.location = node.location
            read.spec.kind = $0
            return read.spec
        }
    }

    /// A number of fingers: the hands of two people, which is also as many contacts as screens report.
    fileprivate mutating func fingers() -> Int? { count(1...20) }

    fileprivate mutating func gesturePoints() -> Double? { number(0...10_000) }

    fileprivate mutating func gestureTime() -> TimeInterval? { seconds(.milliseconds(50) ... .seconds(600)) }

    fileprivate mutating func namesOfGestures() -> [String]? {
        let most = LayoutLimit.gestureRelations
        let form = Form.other(
            "the id of a gesture, or a list of at most \(most)", ["$ref": "#/$defs/names", "maxItems": .int(most)],
            example: "GESTURE")
        guard let (node, at) = reads(form) else { return nil }
        let what = at.what
        guard node.count <= most else {
            return invalid(node, "\(what) must name at most \(most) gestures (got \(node.count)); remove some")
        }
        return oneOrMore(node).compactMap { name($0, of: .gesture, "a gesture of \(what)") }
    }
}
