/// One line of an `on:`: a step that is taken when something happens.
public nonisolated struct HandlerBinding: Sendable, Equatable {
    /// When the step is taken.
    public enum Trigger: String, Sendable, CaseIterable {
        /// A finger came down; a gesture began.
        case began
        /// A finger moved.
        case moved
        /// A finger was lifted; a gesture ended.
        case ended
        /// A touch or a gesture was interrupted: the device went away, the layout was replaced.
        case cancelled
        /// A gesture was recognized: a discrete one, or the beginning of a continuous one.
        case recognized
        /// A continuous gesture changed.
        case changed
        /// A control did what it is there for.
        case pressed
        /// A toggle is on now.
        case switchedOn = "switched-on"
        /// A toggle is off now.
        case switchedOff = "switched-off"
        /// A page is shown now.
        case appeared
        /// A page is not shown any more.
        case disappeared
        /// Nobody touched a screen for a time.
        case idle
        /// Somebody touched a screen again after that time.
        case woken
        /// An expected device is not there.
        case absent
        /// A device said nothing for a time.
        case silent
        /// A device that was absent or silent is there again.
        case back
    }

    /// When it is taken.
    public var trigger: Trigger
    /// What is done.
    public var step: HandlerStep
}

/// One thing that is done: a handler by its name, or an action written where it is used.
public nonisolated struct HandlerStep: Sendable, Equatable {
    /// What a step does.
    public enum Kind: Sendable, Equatable {
        /// Runs a handler of the file, a built-in one or one that a program registered, with arguments for its templates.
        case run(String, arguments: HandlerArguments)
        /// Takes an action; most steps of a large layout run a handler, and are small.
        indirect case action(HandlerAction)
    }

    /// What it does.
    public var kind: Kind
    /// Where it stands.
    public var location: SourceLocation

    /// What logs call it: the handler's name, or the action's key.
    public var name: String {
        switch kind {
        case .run(let name, _): name
        case .action(let action): action.keyword
        }
    }
}

/// What `with:` gives a handler, by name: a list, as it has one entry or two, and a seat map has it 50,000 times.
public nonisolated struct HandlerArguments: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private struct Entry: Sendable, Equatable {
        var name: String
        var value: Template
    }

    private var entries: [Entry] = []

    /// Makes arguments of names that differ and their values.
    public init(dictionaryLiteral elements: (String, Template)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }

    /// The values.
    var templates: [Template] { entries.map(\.value) }

    /// The value of a name.
    public subscript(name: String) -> Template? {
        get { entries.first { $0.name == name }?.value }
        set {
            entries.removeAll { $0.name == name }
            if let newValue { entries.append(Entry(name: name, value: newValue)) }
        }
    }

    /// What a closure makes of each value, by the names.
    public func mapValues<Value>(_ body: (Template) throws -> Value) rethrows -> [String: Value] {
        try Dictionary(uniqueKeysWithValues: entries.map { ($0.name, try body($0.value)) })
    }
}
