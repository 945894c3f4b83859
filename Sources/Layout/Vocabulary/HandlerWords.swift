import Foundation

/// A handler with conditions.
nonisolated struct HandlerWords: Section {
    static let key = "handler"
    static let table = Table(
        HandlerWords(), "Steps that run under conditions.",
        rules: [
            "if": ["required": ["choose"]], "then": ["properties": ["when": false, "do": false]],
            "else": [
                "allOf": [
                    ["anyOf": [["required": ["when"]], ["required": ["cooldown"], "not": ["required": ["else"]]]]],
                    ["anyOf": [["required": ["do"]], ["required": ["else"]]]],
                ]
            ],
        ])
    /// The location is that of the name.
    var spec = HandlerSpec(name: "", location: SourceLocation(file: ""), steps: [])

    mutating func words(_ r: inout LayoutReader) {
        let handler = "handler '\(spec.name)'"
        if r.isReading { checkKeys(&r) }
        let hasCases = r.given("choose") != nil
        r.word("when", &spec.cases[0].conditions, "Conditions; all must be true.") {
            hasCases ? nil : $0.section(WhenWords())?.conditions
        }
        r.word("do", &spec.cases[0].steps, "Steps that run if the conditions are true.") {
            hasCases ? nil : $0.steps(called: "'do' of \(handler)")
        }
        r.word("else", &spec.otherwise, "Steps that run otherwise.") { $0.steps(called: "'else' of \(handler)") }
        let cases = r.word("choose", "Cases; the first one whose conditions are true runs.") {
            $0.list(called: "'choose' of \(handler)") {
                $0.section(CaseWords(handler: handler), called: "a case of \(handler)")?.spec
            }
        }
        if let node = r.given("choose") {
            spec.cases = cases ?? []
            if cases != nil, node.count == 0 {
                r.nodes.note(
                    at: node, "'choose' of \(handler) is empty; add {when: {page: …}, do: HANDLER}")
            }
        }
        r.word("cooldown", &spec.cooldown, "Pause after a run within which it does not run.") { $0.cooldown() }
    }

    private func checkKeys(_ r: inout LayoutReader) {
        guard let node = r.at.node, let what = r.at.name else { return }
        if r.given("choose") != nil {
            for key in ["when", "do"] where r.given(key) != nil {
                r.nodes.note(
                    at: node, "\(what) has both 'choose' and '\(key)'; move '\(key)' into the list of 'choose'")
            }
            return
        }
        if r.given("when") == nil, r.given("cooldown") == nil || r.given("else") != nil {
            r.nodes.note(at: node, "\(what) has no 'when'; add when: {page: …}, or write its steps as a list")
        }
        if r.given("do") == nil, r.given("else") == nil {
            r.nodes.note(at: node, "\(what) does nothing; add do: HANDLER")
        }
    }
}

/// An entry of `choose:`.
nonisolated struct CaseWords: Section {
    static let key = "case", table = Table(CaseWords(), "Conditions, and the steps that run if they are true.")
    /// The name of the handler in messages.
    var handler = ""
    var spec = HandlerCase(steps: [])

    mutating func words(_ r: inout LayoutReader) {
        let handler = handler
        r.word("when", &spec.conditions, "Conditions; all must be true.") { $0.section(WhenWords())?.conditions }
        r.require("add when: {page: …}, or move its steps to 'else' beside 'choose'", unlessMisspelt: true)
        r.word("do", &spec.steps, "Steps that run if the conditions are true.") {
            $0.steps(called: "'do' of \(handler)")
        }
        r.require("add do: HANDLER", unlessMisspelt: true)
    }
}

/// `when:`, conditions that must all be true.
nonisolated struct WhenWords: Section {
    static let key = "when"
    static let table = Table(
        WhenWords(), "Conditions; all must be true.", isQualified: true, rules: ["minProperties": 1])
    var conditions: [ConditionSpec] = []

    mutating func words(_ r: inout LayoutReader) {
        condition("page", .page, "This page is shown.", &r) { .page($0) }
        condition("shown", .view, "This view is not hidden.", &r) { .shown($0) }
        condition("hidden", .view, "This view is hidden.", &r) { .hidden($0) }
        condition("enabled", .view, "This view takes touches.", &r) { .enabled($0) }
        condition("disabled", .view, "This view takes no touches.", &r) { .disabled($0) }
        condition("switched-on", .toggle, "This toggle is on.", &r) { .switchedOn($0) }
        condition("switched-off", .toggle, "This toggle is off.", &r) { .switchedOff($0) }
        if r.isReading, r.at.given.isEmpty { r.refuse("'when' is empty; add a condition such as page: NAME") }
    }

    private mutating func condition(
        _ name: StaticString, _ kind: References.Kind, _ sentence: StaticString, _ r: inout LayoutReader,
        _ make: (String) -> ConditionSpec
    ) {
        conditions += r.word(name, sentence) { $0.oneOrMore { $0.name(of: kind) } }?.map(make) ?? []
    }
}

// MARK: Triggers

/// An `on:`: for each trigger one step or a list of steps.
nonisolated protocol Triggers: Section {
    var on: [HandlerBinding] { get set }
}

nonisolated extension Triggers {
    /// A trigger by its name, which is its raw value.
    fileprivate mutating func trigger(
        _ name: StaticString, _ trigger: HandlerBinding.Trigger, _ sentence: StaticString, _ r: inout LayoutReader
    ) {
        let steps = r.word(name, sentence, in: .views) { $0.steps(called: "the handler of '\(name)'") }
        guard let steps else { return }
        on += steps.map { HandlerBinding(trigger: trigger, step: $0) }
    }

    fileprivate mutating func touches(_ r: inout LayoutReader) {
        trigger("began", .began, "A finger came down.", &r)
        trigger("moved", .moved, "A finger moved.", &r)
        trigger("ended", .ended, "A finger was lifted.", &r)
        trigger("cancelled", .cancelled, "A touch was interrupted.", &r)
    }
}

nonisolated struct LayoutTriggers: Triggers {
    static let key = "on-layout"
    static let table = Table(LayoutTriggers(), "Handlers for touches that no view and no page handles.")
    var on: [HandlerBinding] = []
    mutating func words(_ r: inout LayoutReader) { touches(&r) }
}

nonisolated struct ViewTriggers: Triggers {
    static let key = "on-view"
    static let table = Table(ViewTriggers(), "Handlers for touches in the view, and for its control's events.")
    var on: [HandlerBinding] = []

    mutating func words(_ r: inout LayoutReader) {
        touches(&r)
        trigger("held", .held, "The first finger is in the control.", &r)
        trigger("pressed", .pressed, "The control was pressed.", &r)
        trigger("released", .released, "The last finger has left the control; once for each held.", &r)
        trigger("switched-on", .switchedOn, "The toggle is on now.", &r)
        trigger("switched-off", .switchedOff, "The toggle is off now.", &r)
    }
}

nonisolated struct GestureTriggers: Triggers {
    static let key = "on-gesture", table = Table(GestureTriggers(), "Handlers for the gesture.")
    var on: [HandlerBinding] = []

    mutating func words(_ r: inout LayoutReader) {
        trigger("recognized", .recognized, "The gesture was recognized, or began.", &r)
        trigger("began", .began, "The gesture began.", &r)
        trigger("changed", .changed, "The gesture changed.", &r)
        trigger("ended", .ended, "The gesture ended.", &r)
        trigger("cancelled", .cancelled, "The gesture was interrupted.", &r)
    }
}

nonisolated struct PageTriggers: Triggers {
    static let key = "on-page"
    static let table = Table(
        PageTriggers(),
        "Handlers for when the page appears and disappears, and for touches that none of its views handles.")
    var on: [HandlerBinding] = []

    mutating func words(_ r: inout LayoutReader) {
        trigger("appeared", .appeared, "The page is shown now.", &r)
        trigger("disappeared", .disappeared, "The page is no longer shown.", &r)
        touches(&r)
    }
}

nonisolated struct IdleTriggers: Triggers {
    static let key = "on-idle"
    static let table = Table(IdleTriggers(), "Handlers for when the screen becomes idle, and for the next touch.")
    var on: [HandlerBinding] = []

    mutating func words(_ r: inout LayoutReader) {
        trigger("idle", .idle, "No screen was touched for this time.", &r)
        trigger("woken", .woken, "A screen was touched again.", &r)
    }
}

nonisolated struct DeviceTriggers: Triggers {
    static let key = "on-device", table = Table(DeviceTriggers(), "Handlers for when a device is absent or silent.")
    var on: [HandlerBinding] = []

    mutating func words(_ r: inout LayoutReader) {
        trigger("absent", .absent, "The device is absent.", &r)
        trigger("silent", .silent, "The device sends no events.", &r)
        trigger("back", .back, "The device is present, or sends events, again.", &r)
    }
}

// MARK: Types of values

nonisolated extension LayoutReader {
    /// An `on:`.
    mutating func on(_ triggers: some Triggers) -> [HandlerBinding]? { section(triggers)?.on }

    /// Handlers by name; `references` has the names of all files.
    mutating func handlers() -> [HandlerSpec]? {
        if isDescribing { at.words[at.words.count - 1].sections.append({ HandlerWords.table }) }
        guard
            let (node, at) = reads(
                "handlers by name",
                [
                    "type": "object", "propertyNames": ["$ref": "#/$defs/name"],
                    "additionalProperties": [
                        "anyOf": [["$ref": "#/$defs/steps", "minItems": 1], ["$ref": "#/$defs/handler"]]
                    ],
                ]), let entries = nodes.entries(node, at.what)
        else { return nil }
        defer { references.currentHandler = nil }
        let keys = HandlerWords.table.names(at: .inside)
        var handlers: [HandlerSpec] = []
        for (key, name, value) in entries where nodes.checkName(name, "a handler's name", at: key) {
            if let first = references.handlers[name] {
                nodes.note(at: key, "two handlers have the name '\(name)'; the first is at \(first)")
                continue
            }
            references.handlers[name] = key.location
            references.currentHandler = name
            let what = "handler '\(name)'"
            if value.kind == .mapping,
                (0..<value.count).contains(where: { value.key($0).isScalar && value.key($0).index(in: keys) != nil })
            {
                let spec = HandlerSpec(name: name, location: key.location, steps: [])
                if let words = section(HandlerWords(spec: spec), at: value, called: what) {
                    handlers.append(words.spec)
                }
                continue
            }
            let steps = steps(value, what)
            if value.kind == .sequence, value.count == 0 {
                nodes.note(at: value, "\(what) does nothing; add a step to its list")
            }
            if !steps.isEmpty { handlers.append(HandlerSpec(name: name, location: key.location, steps: steps)) }
        }
        return handlers
    }
}

nonisolated extension Fact {
    /// The facts, as help and reference explain them.
    static let table = Table(
        "facts", "The facts of an event that a text can contain: 'touched {view}'.",
        words: allCases.map { fact in
            var word = Word(name: fact.rawValue, sentence: fact.meaning, place: .everywhere)
            word.form = "{\(fact.rawValue)}, \(fact.fieldName)"
            word.schema = ["type": ["string", "number"]]
            return word
        })
}
