import Foundation

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

/// One entry of `handlers:`.
public nonisolated struct HandlerSpec: Sendable, Equatable {
    /// The name `on:` refers to.
    public var name: String
    /// Where the name stands.
    public var location: SourceLocation
    /// `when:`, what has to hold; all of it.
    public var conditions: [ConditionSpec] = []
    /// What is done then, in this order.
    public var steps: [HandlerStep]
    /// `else:`, what is done otherwise.
    public var otherwise: [HandlerStep] = []
}

/// One line of a `when:`.
public nonisolated enum ConditionSpec: Sendable, Equatable {
    /// A page is shown.
    case page(String)
    /// A view is not hidden.
    case shown(String)
    /// A view is hidden.
    case hidden(String)
    /// A view takes touches.
    case enabled(String)
    /// A view does not.
    case disabled(String)
    /// A toggle is on.
    case switchedOn(String)
    /// A toggle is off.
    case switchedOff(String)
}

/// What a handler can do without a line of code.
public nonisolated enum HandlerAction: Sendable, Equatable {
    /// `log:`, writes an entry with this text and the occasion's facts beside it.
    case log(Template)
    /// `exec:`, starts a program.
    case exec(ExecSpec)
    /// `publish:`, tells the subscribers of the control socket, or an MQTT broker.
    case publish(PublishSpec)
    /// `http:`, sends a POST.
    case http(HTTPSpec)
    /// `go:`, shows a page.
    case go(String)
    /// `show:`, a view by its id.
    case show(String)
    /// `hide:`
    case hide(String)
    /// `enable:`
    case enable(String)
    /// `disable:`
    case disable(String)
    /// `toggle:`, hides a view that is shown and shows one that is hidden; switches a toggle control.
    case toggle(String)
    /// `ignore:`, throws all touches away for so many seconds.
    case ignore(TimeInterval)
    /// `emit:`, presses and releases keys together on a virtual keyboard, by their kernel names (KEY_ENTER, BTN_LEFT).
    case emit([String])
    /// `reload:`, reads the layout again.
    case reload

    /// The key by which a layout names the action.
    public var keyword: String {
        switch self {
        case .log: "log"
        case .exec: "exec"
        case .publish: "publish"
        case .http: "http"
        case .go: "go"
        case .show: "show"
        case .hide: "hide"
        case .enable: "enable"
        case .disable: "disable"
        case .toggle: "toggle"
        case .ignore: "ignore"
        case .emit: "emit"
        case .reload: "reload"
        }
    }
}

/// The `exec:` of a handler: a program word by word; there is no shell, and a template is always one word.
public nonisolated struct ExecSpec: Sendable, Equatable {
    /// The absolute path, and the arguments.
    public var arguments: [Template]
    /// The user to run as, where touchd may change it; nil for touchd's own.
    public var user: String?
    /// After how many seconds it is told to end (SIGTERM), and killed a little later; nil for never.
    public var timeout: TimeInterval?
    /// How many that this step started may run at a time.
    public var limit = 16
}

/// The `publish:` of a handler.
public nonisolated struct PublishSpec: Sendable, Equatable {
    /// Where to.
    public enum Destination: Sendable, Equatable {
        /// The subscribers of the control socket.
        case controlSocket
        /// An MQTT broker, by host and port.
        case mqtt(host: String, port: Int, qos: Int, retain: Bool)
    }

    /// The topic.
    public var topic: Template
    /// The message; nil for the occasion's facts as one JSON object.
    public var message: Template?
    /// Where to.
    public var destination = Destination.controlSocket
}

/// The `http:` of a handler: one POST, sent in order with the others to the same host.
public nonisolated struct HTTPSpec: Sendable, Equatable {
    /// Where to; http or https.
    public var url: Template
    /// The body; nil for the occasion's facts as one JSON object.
    public var body: Template?
    /// Headers beside Content-Type.
    public var headers: [String: Template] = [:]
    /// `credential:`, the systemd credential whose content is sent as bearer token; never logged.
    public var credential: String?
    /// How often it is tried again when it fails.
    public var retries = 3
    /// How many seconds one try may take.
    public var timeout: TimeInterval = 10
}
