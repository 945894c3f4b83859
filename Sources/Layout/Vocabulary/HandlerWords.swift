import Foundation

/// A handler with conditions.
nonisolated extension HandlerSpec: Section {
    static let table = Table(
        "handler", HandlerSpec(), "Steps that run under conditions.",
        rules: [
            "if": ["required": ["choose"]], "then": ["properties": ["when": false, "do": false]],
            "else": [
                "allOf": [
                    ["anyOf": [["required": ["when"]], ["required": ["cooldown"], "not": ["required": ["else"]]]]],
                    ["anyOf": [["required": ["do"]], ["required": ["else"]]]],
                ]
            ],
        ])

    mutating func words(_ r: inout LayoutReader) {
        let handler = "handler '\(name)'"
        if r.isReading { checkKeys(&r) }
        let hasCases = r.given("choose") != nil
        r.word("when", &cases[0].conditions, "Conditions; all must be true.") {
            hasCases ? nil : $0.section(WhenWords())?.conditions
        }
        r.word("do", &cases[0].steps, "Steps that run if the conditions are true.") {
            hasCases ? nil : $0.steps(called: "'do' of \(handler)")
        }
        r.word("else", &otherwise, "Steps that run otherwise.") { $0.steps(called: "'else' of \(handler)") }
        let cases = r.word("choose", "Cases; the first one whose conditions are true runs.") {
            $0.list(called: "'choose' of \(handler)") {
                $0.section(HandlerCase(), called: "a case of \(handler)")
            }
        }
        if let node = r.given("choose") {
            self.cases = cases ?? []
            if cases != nil, node.count == 0 {
                r.note(at: node, "'choose' of \(handler) is empty; add {when: {page: …}, do: HANDLER}")
            }
        }
        r.word("cooldown", &cooldown, "Pause after a run within which it does not run.") { $0.cooldown() }
    }

    private func checkKeys(_ r: inout LayoutReader) {
        guard let node = r.at.node, let what = r.at.name else { return }
        if r.given("choose") != nil {
            for key in ["when", "do"] where r.given(key) != nil {
                r.note(at: node, "\(what) has both 'choose' and '\(key)'; move '\(key)' into the list of 'choose'")
            }
            return
        }
        if r.given("when") == nil, r.given("cooldown") == nil || r.given("else") != nil {
            r.note(at: node, "\(what) has no 'when'; add when: {page: …}, or write its steps as a list")
        }
        if r.given("do") == nil, r.given("else") == nil {
            r.note(at: node, "\(what) does nothing; add do: HANDLER")
        }
    }
}

/// An entry of `choose:`.
nonisolated extension HandlerCase: Section {
    static let table = Table("case", HandlerCase(), "Conditions, and the steps that run if they are true.")

    mutating func words(_ r: inout LayoutReader) {
        let handler = "handler '\(r.references.currentHandler ?? "")'"
        r.word("when", &conditions, "Conditions; all must be true.") { $0.section(WhenWords())?.conditions }
        r.require("add when: {page: …}, or move its steps to 'else' beside 'choose'", unlessMisspelt: true)
        r.word("do", &steps, "Steps that run if the conditions are true.") { $0.steps(called: "'do' of \(handler)") }
        r.require("add do: HANDLER", unlessMisspelt: true)
    }
}

/// `when:`, conditions that must all be true.
nonisolated struct WhenWords: Section {
    static let table = Table(
        "when", WhenWords(), "Conditions; all must be true.", isQualified: true, rules: ["minProperties": 1])
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
        _ name: String, _ kind: References.Kind, _ sentence: String, _ r: inout LayoutReader,
        _ make: (String) -> ConditionSpec
    ) {
        conditions += r.word(name, sentence) { $0.oneOrMore { $0.name(of: kind) } }?.map(make) ?? []
    }
}

// MARK: Triggers

/// An `on:`: for each trigger one step or a list of steps.
nonisolated struct Triggers {
    let table: Table
    let triggers: [HandlerBinding.Trigger]

    private init(_ key: String, _ sentence: String, _ triggers: [(HandlerBinding.Trigger, String)]) {
        self.triggers = triggers.map(\.0)
        table = Table(
            key, sentence,
            words: triggers.map { trigger, sentence in
                Word(
                    name: trigger.rawValue, sentence: sentence, scope: .views, form: StepWords.form,
                    sections: [StepWords.table])
            })
    }

    private static let touches: [(HandlerBinding.Trigger, String)] = [
        (.began, "A finger came down."), (.moved, "A finger moved."), (.ended, "A finger was lifted."),
        (.cancelled, "A touch was interrupted."),
    ]

    static let layout = Triggers("on-layout", "Handlers for touches that no view and no page handles.", touches)
    static let view = Triggers(
        "on-view", "Handlers for touches in the view, and for its control's events.",
        touches + [
            (.held, "The first finger is in the control."), (.pressed, "The control was pressed."),
            (.released, "The last finger has left the control; once for each held."),
            (.switchedOn, "The toggle is on now."), (.switchedOff, "The toggle is off now."),
        ])
    static let gesture = Triggers(
        "on-gesture", "Handlers for the gesture.",
        [
            (.recognized, "The gesture was recognized, or began."), (.began, "The gesture began."),
            (.changed, "The gesture changed."), (.ended, "The gesture ended."),
            (.cancelled, "The gesture was interrupted."),
        ])
    static let page = Triggers(
        "on-page",
        "Handlers for when the page appears and disappears, and for touches that none of its views handles.",
        [(.appeared, "The page is shown now."), (.disappeared, "The page is no longer shown.")] + touches)
    static let idle = Triggers(
        "on-idle", "Handlers for when the screen becomes idle, and for the next touch.",
        [(.idle, "No screen was touched for this time."), (.woken, "A screen was touched again.")])
    static let device = Triggers(
        "on-device", "Handlers for when a device is absent or silent.",
        [
            (.absent, "The device is absent."), (.silent, "The device sends no events."),
            (.back, "The device is present, or sends events, again."),
        ])
}

// MARK: Types of values

nonisolated extension LayoutReader {
    /// An `on:`.
    mutating func on(_ triggers: Triggers) -> [HandlerBinding]? {
        guard let node = mapping(triggers.table),
            let visit = open(node, at.what, triggers.table, at.scopeInside)
        else { return nil }
        let outer = at
        at = visit
        defer {
            at = outer
            close(visit)
        }
        return visit.given.flatMap { position, value, _ in
            let trigger = triggers.triggers[position]
            return steps(value, "the handler of '\(trigger.rawValue)'").map {
                HandlerBinding(trigger: trigger, step: $0)
            }
        }
    }

    /// Handlers by name; `references` has the names of all files.
    mutating func handlers() -> [HandlerSpec]? {
        if isDescribing { at.described.sections.append(HandlerSpec.table) }
        guard
            let (node, at) = reads(
                .byName(
                    "handlers",
                    [
                        "type": "object", "propertyNames": .reference("name"),
                        "additionalProperties": [
                            "anyOf": [["$ref": "#/$defs/steps", "minItems": 1], .reference("handler")]
                        ],
                    ])), let entries = entries(node, at.what)
        else { return nil }
        defer { references.currentHandler = nil }
        let keys = HandlerSpec.table.names(at: .inside)
        var handlers: [HandlerSpec] = []
        for (key, name, value) in entries {
            if let first = references.handlers[name] {
                note(at: key, "two handlers have the name '\(name)'; the first is at \(first)")
                continue
            }
            references.handlers[name] = key.location
            guard checkName(name, "a handler's name", at: key) else { continue }
            references.currentHandler = name
            let what = "handler '\(name)'"
            if value.kind == .mapping,
                (0..<value.count).contains(where: { value.key($0).isScalar && value.key($0).index(in: keys) != nil })
            {
                let handler = HandlerSpec(name: name, location: key.location)
                if let handler = section(handler, at: value, called: what) { handlers.append(handler) }
                continue
            }
            let steps = steps(value, what)
            if value.kind == .sequence, value.count == 0 {
                note(at: value, "\(what) does nothing; add a step to its list")
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
            var word = Word(name: fact.rawValue, sentence: fact.meaning, scope: .everywhere)
            word.form = .other("{\(fact.rawValue)}, \(fact.fieldName)", ["type": ["string", "number"]])
            return word
        })
}
