import ControlProtocol
import Foundation

/// A step that is a mapping: a handler with arguments, or one action.
nonisolated struct StepWords: Section {
    static let table = Table(
        "step", StepWords(), "A handler to run, or an action.",
        rules: [
            "oneOf": [
                ["required": ["run"], "propertyNames": ["enum": ["run", "with"]]],
                ["propertyNames": ["not": ["enum": ["run", "with"]]], "minProperties": 1, "maxProperties": 1],
            ]
        ])
    /// The value of a word that has steps.
    static let form = Form.other(
        "the name of a handler, an action, or a list of them", .reference("steps"), example: "HANDLER")
    var step: HandlerStep?

    mutating func words(_ r: inout LayoutReader) {
        if r.isReading { checkKeys(&r) }
        let handler = r.word("run", "The handler to run.", in: .views) { r in
            r.node(.name(of: "handler")).flatMap { r.handlerName($0, "'run'") }
        }
        let run = r.given("run")
        if run != nil, handler == nil { r.stop() }
        let arguments = r.word("with", "Arguments for the texts of the handler that 'run' names.", in: .views) {
            $0.arguments(of: handler)
        }
        if let run, let handler {
            step = HandlerStep(kind: .run(handler, arguments: arguments ?? [:]), location: run.location)
            r.stop()
        }
        act("log", "Writes an entry to the journal with this text.", &r) { $0.template().map(HandlerAction.log) }
        act("exec", "Starts a program with these arguments, without a shell.", &r) {
            $0.either(
                { $0.kind != .mapping }, { $0.command().map { ExecSpec(arguments: $0) } },
                or: { $0.section(ExecSpec(), called: "'exec' of \($0.at.name ?? "")") }
            ).map(HandlerAction.exec)
        }
        act("publish", "Sends a message to the control socket's subscribers, or to an MQTT broker.", &r) {
            $0.either(
                { $0.kind != .mapping }, { $0.template().map { PublishSpec(topic: $0) } },
                or: { $0.section(PublishSpec()) }
            ).map(HandlerAction.publish)
        }
        act("http", "Sends a POST request.", &r) {
            $0.either(
                { $0.kind != .mapping }, { $0.url().map { HTTPSpec(url: $0) } }, or: { $0.section(HTTPSpec()) }
            ).map(HandlerAction.http)
        }
        for kind in LayoutCommand.Kind.allCases { command(kind, &r) }
        act("ignore", LayoutCommand.Kind.ignore.description.sentence, &r) {
            $0.seconds(.seconds(1) ... .seconds(86_400)).map { .command(.ignore(seconds: $0)) }
        }
        act(.accommodate, &r) { $0.keyword(of: ["on", "off"]) }
        act(.talk, &r) { $0.keyword(of: ["on", "off"]) }
        act(.say, &r) { $0.label() }
        act(.language, &r) { $0.language() }
        act("emit", "Presses keys together on a virtual keyboard; the names are the kernel's.", &r) {
            $0.keys().map(HandlerAction.emit)
        }
        act("reload", LayoutCommand.Kind.reload.description.sentence, &r) { $0.request() ? .command(.reload) : nil }
    }

    /// An action.
    private mutating func act(
        _ name: String, _ sentence: String, _ r: inout LayoutReader, _ read: (inout LayoutReader) -> HandlerAction?
    ) {
        // Programs that publish views give only the names of handlers.
        guard let action = r.word(name, sentence, in: .files, read), let value = r.at.value else { return }
        step = HandlerStep(kind: .action(action), location: value.location)
    }

    /// A command whose operand is a text.
    private mutating func act(
        _ kind: LayoutCommand.Kind, _ r: inout LayoutReader, _ read: (inout LayoutReader) -> String?
    ) {
        act(kind.rawValue, kind.description.sentence, &r) { r in
            read(&r).flatMap { LayoutCommand(kind, name: $0) }.map { .command($0) }
        }
    }

    /// A command for a page or a view.
    private mutating func command(_ kind: LayoutCommand.Kind, _ r: inout LayoutReader) {
        let target: References.Kind
        switch kind {
        case .go, .reset: target = .page
        case .show, .hide, .enable, .disable, .toggle: target = .view
        case .switchOn, .switchOff: target = .toggle
        case .ignore, .accommodate, .talk, .say, .language, .reload: return
        }
        act(kind, &r) { $0.name(of: target) }
    }

    /// Reports keys that are not one thing to do.
    private func checkKeys(_ r: inout LayoutReader) {
        guard let node = r.at.node, let what = r.at.name, let table = r.at.table else { return }
        let (hasRun, with) = (r.given("run") != nil, r.given("with"))
        if !hasRun, r.at.scope == .published {
            if !r.at.hasUnknownKeys { r.note(at: node, "\(what) has no 'run'; add run: HANDLER") }
            return r.stop()
        }
        if !hasRun, let with { r.note(at: with, "'with' is only for 'run'; remove it") }
        guard r.at.given.count != (with == nil ? 1 : 2) else { return }
        let names = (0..<node.count).map { node.key($0).string }.filter { $0 != "with" && r.given($0) != nil }
        if hasRun {
            for other in names where other != "run" {
                r.note(at: node, "\(what) has both 'run' and '\(other)'; make them two steps of a list")
            }
            return
        }
        r.stop()
        if names.isEmpty, r.at.hasUnknownKeys { return }
        let known = LayoutReader.alternatives(table.words.map(\.name).filter { $0 != "with" })
        let given = "(got \(names.joined(separator: " and "))); make a list of them"
        r.note(at: node, "\(what) must do one thing" + (names.isEmpty ? ": \(known)" : " \(given)"))
    }
}

nonisolated extension ExecSpec: Section {
    static let table = Table("exec", ExecSpec(), "Starts a program.")

    mutating func words(_ r: inout LayoutReader) {
        r.word(
            "command", &arguments, "The program's absolute path and its arguments; there is no shell."
        ) { $0.command() }
        r.require("add command: [/path/to/program, WORD, …]")
        r.word("input", &input, "A text for its standard input.", unset: "empty") { $0.template() }
        r.word("user", &user, "The user to run as, never root; the service needs permission for it.") { $0.label() }
        r.word(
            "timeout", &timeout, "Time until touchd sends SIGTERM, and SIGKILL two seconds later.", unset: "no limit"
        ) { $0.seconds(.milliseconds(100) ... .seconds(86_400)) }
        r.word("limit", &limit, "How many programs of this step may run at the same time.") { $0.count(1...64) }
    }
}

nonisolated extension PublishSpec: Section {
    static let table = Table("publish", PublishSpec(), "A message, and its destination.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("topic", &topic, "The topic.") { $0.template() }
        r.require("add topic: NAME")
        r.word(
            "mqtt", &destination, "The MQTT broker that receives the message.",
            unset: "the control socket's subscribers"
        ) { $0.section(BrokerWords())?.destination }
        if r.canCheckRules, case .mqtt = destination,
            topic.filled(by: { _ in "" }).contains(where: { $0 == "+" || $0 == "#" })
        {
            r.refuse(
                at: "topic",
                "'topic' must not contain '+' or '#', which are wildcards for subscribers (MQTT 3.1.1, 4.7.1)")
        }
        r.word("message", &message, "The message.", unset: "the event's facts as one JSON object") { $0.template() }
    }
}

/// The destination of a `publish:`.
nonisolated struct BrokerWords: Section {
    static let table = Table("broker", BrokerWords(), "An MQTT broker.")
    var host = "", port = 1883, qos = 0, retain = false
    var destination: PublishSpec.Destination { .mqtt(host: host, port: port, qos: qos, retain: retain) }

    mutating func words(_ r: inout LayoutReader) {
        r.broker(&host, &port)
        r.word("qos", &qos, "MQTT's quality of service.") { $0.count(0...2) }
        r.word("retain", &retain, "Whether the broker keeps the message for later subscribers.") { $0.flag() }
    }
}

nonisolated extension HTTPSpec: Section {
    static let table = Table("http", HTTPSpec(), "A POST request.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("url", &url, "The URL; facts only after its host.") { $0.url() }
        r.require("add url: \"https://…\"")
        r.word("body", &body, "The body.", unset: "the event's facts as one JSON object") { $0.template() }
        r.word("headers", &headers, "Headers in addition to Content-Type.") { $0.headers() }
        r.word("credential", &credential, "The name of a systemd credential that is sent as bearer token.") {
            $0.credential()
        }
        r.word("retries", &retries, "Number of retries after a temporary failure.") { $0.count(0...10) }
        r.word("timeout", &timeout, "Timeout of one try.") { $0.seconds(.milliseconds(100) ... .seconds(300)) }
    }
}

// MARK: Types of values

nonisolated extension LayoutReader {
    /// One step or a list of steps; `name` is the name in messages.
    mutating func steps(called name: @autoclosure () -> String? = nil) -> [HandlerStep]? {
        if isDescribing { at.described.sections.append(StepWords.table) }
        guard let (node, at) = reads(StepWords.form) else { return nil }
        return steps(node, name() ?? at.what)
    }

    /// One step or a list of steps: names of handlers, `{run: NAME, with: {…}}`, or inline actions.
    mutating func steps(_ node: Node, _ what: @autoclosure () -> String) -> [HandlerStep] {
        if node.kind != .sequence { return charge(node) ? step(node, what()).map { [$0] } ?? [] : [] }
        return oneOrMore(node).compactMap { step($0, what()) }
    }

    private mutating func step(_ node: Node, _ what: @autoclosure () -> String) -> HandlerStep? {
        // The factor allows for arrays that grow by doubling.
        guard charge(node, bytes: 2 * MemoryLayout<HandlerBinding>.stride) else { return nil }
        guard node.isScalar else {
            let scope = slotHandlers == nil ? WordScope.inside : .published
            return section(StepWords(), at: node, called: what(), in: scope)?.step
        }
        return handlerName(node, what()).map {
            HandlerStep(kind: .run($0, arguments: [:]), location: node.location)
        }
    }

    /// A handler that may run here; a slot lists those of published views.
    fileprivate mutating func handlerName(_ node: Node, _ what: @autoclosure () -> String) -> String? {
        guard let handler = string(node, what()) else { return nil }
        guard let slotHandlers else { return handler }
        if handler.utf8.count <= JSONTree.longestName, slotHandlers.contains(handler) { return handler }
        let known = slotHandlers.sorted().prefix(20).joined(separator: ", ")
        return invalid(
            node,
            "handler '\(handler.prefix(80))' is not allowed in this slot "
                + (known.isEmpty ? "(it lists none)" : "(it lists \(known))")
                + "; add it to 'handlers' of the slot in the layout file")
    }

    fileprivate mutating func arguments(of handler: String?) -> [String: Template]? {
        var schema: JSONSchema {
            let facts = Fact.names.sorted().map { JSONSchema.text($0) }
            return [
                "type": "object", "maxProperties": .int(LayoutLimit.arguments),
                "propertyNames": ["pattern": "^[A-Za-z0-9_-]{1,64}$", "not": ["enum": .list(facts)]],
                "additionalProperties": .reference("template"),
            ]
        }
        guard let (node, at) = reads(.byName("arguments", schema)), let handler else { return nil }
        guard node.count <= LayoutLimit.arguments else {
            return invalid(
                node, "'with' may have at most \(LayoutLimit.arguments) arguments (got \(node.count)); remove some")
        }
        guard let entries = entries(node, at.what) else { return nil }
        var arguments: [String: Template] = [:]
        for (key, name, value) in entries {
            guard Template.isFactName(name) else {
                note(at: key, "an argument's name must consist of letters, digits, '-' and '_'")
                continue
            }
            if Fact(rawValue: name) != nil {
                note(at: key, "'\(name)' is the name of a fact; rename the argument")
                continue
            }
            references.arguments[handler, default: []].insert(name)
            guard let template = template(value, "argument '\(name)'") else { continue }
            if template.hasNUL { note(at: value, "argument '\(name)' contains a NUL character; remove it") }
            arguments[name] = template
        }
        return arguments
    }

    /// Keys by their kernel names.
    fileprivate mutating func keys() -> [String]? {
        var schema: JSONSchema {
            let key: JSONSchema = ["type": "string", "pattern": "^(KEY|BTN)_[A-Z0-9_]+$"]
            return ["anyOf": [key, ["type": "array", "items": key, "minItems": 1, "maxItems": 10]]]
        }
        let form = Form.other("a key such as KEY_ENTER, or a list of 1 to 10 keys", schema, example: "KEY_ENTER")
        guard let node = node(form) else { return nil }
        let keys = oneOrMore(node)
        guard (1...10).contains(keys.count) else {
            return invalid(node, "'emit' must have 1 to 10 keys (got \(keys.count))")
        }
        let names = keys.compactMap { key -> String? in
            guard let name = string(key, "a key of 'emit'") else { return nil }
            guard name.wholeMatch(of: /(KEY|BTN)_[A-Z0-9_]+/) != nil else {
                return invalid(
                    key, "a key of 'emit' must have the kernel's name, like KEY_ENTER or BTN_LEFT (got '\(name)')")
            }
            return name
        }
        return names.count == keys.count ? names : nil
    }

    /// An action without an operand.
    fileprivate mutating func request() -> Bool {
        guard let (node, at) = reads(.onlyTrue), let isRequested = bool(node, at.what)
        else { return false }
        if !isRequested { note(at: node, "\(at.what) can only be true; remove it to do nothing") }
        return isRequested
    }

    /// A program and its arguments, in a step or its `exec`.
    fileprivate mutating func command() -> [Template]? {
        guard let (node, at) = reads(.other("[/path/to/program, WORD, …]", .reference("command"))) else { return nil }
        let step = (at.name ?? "").trimmingPrefix("'exec' of ")
        guard let items = sequence(node, "'exec' of \(step)") else { return nil }
        let arguments = items.compactMap { template($0, "an argument of \(step)") }
        guard arguments.count == items.count else { return nil }
        guard case .text(let program)? = arguments.first?.segments.first, program.hasPrefix("/") else {
            return invalid(
                items.first ?? node,
                "'exec' of \(step) must begin with the program's absolute path, such as /usr/bin/aplay")
        }
        guard arguments.first?.factNames.isEmpty == true else {
            return invalid(items[0], "the program's path of \(step) must not contain facts {…}")
        }
        for (item, argument) in zip(items, arguments) {
            for name in argument.factNames {
                switch Fact(rawValue: name)?.kind {
                case .text: return invalid(item, Fact.refusal(ofArgument: name))
                case .name, .number: break
                case nil:
                    guard let handler = references.currentHandler else { break }
                    references.programArguments.append((name, handler, item.location))
                }
            }
        }
        if let problem = ShellFilter.problem(in: arguments) { return invalid(node, "'exec' of \(step) \(problem)") }
        if arguments.contains(where: \.hasNUL) {
            return invalid(node, "an argument of \(step) contains a NUL character")
        }
        return arguments
    }

    fileprivate mutating func url() -> Template? {
        let form = Form.other("a URL, http or https", .reference("url"), example: "URL")
        guard let node = node(form), let url = template(node, "'url'") else { return nil }
        guard case .text(let start)? = url.segments.first,
            ["https://", "http://"].contains(where: { start.hasPrefix($0) && start.count > $0.count })
        else {
            return invalid(node, "a URL must begin with https:// or http:// and the name of a host")
        }
        // The layout alone determines the host of a request, not a fact such as a device's name.
        let rest = start[(start.firstRange(of: "//")?.upperBound ?? start.endIndex)...]
        let host = rest.prefix { !"/?#".contains($0) }
        guard host.endIndex < start.endIndex || url.segments.count == 1 else {
            return invalid(node, "facts are not allowed in a URL's host and port; put them after the first '/'")
        }
        guard Self.isAuthority(host) else {
            // The text before an @ may be a password.
            let shown = host.split(separator: "@", omittingEmptySubsequences: false).last ?? host
            return invalid(node, "'\(shown.prefix(80))' must be a host with an optional port, such as example.org:8080")
        }
        if let end = host.lastIndex(of: "@"), host[..<end].contains(":") {
            note(
                .warning, at: node,
                "every reader of the layout can read the password in this URL; use 'credential' instead")
        }
        return url
    }

    /// Whether a text is an authority according to RFC 3986, 3.2; curl converts names in other scripts.
    private static func isAuthority(_ text: Substring) -> Bool {
        let form = /(?:[^@\s\p{Cc}]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^\s\p{Cc}:@\[\]<>"\\^`{|}]+)(?::([0-9]{1,5}))?/
        guard let match = text.wholeMatch(of: form) else { return false }
        return match.output.1.flatMap { Int($0) }.map { (1...65_535).contains($0) } ?? true
    }

    fileprivate mutating func headers() -> [String: Template]? {
        guard
            let (node, at) = reads(
                .byName(
                    "headers",
                    [
                        "type": "object", "propertyNames": ["pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"],
                        "additionalProperties": .reference("template"),
                    ]))
        else { return nil }
        var headers: [String: Template] = [:]
        for (key, name, value) in entries(node, at.what) ?? [] {
            guard name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]+/) != nil else {
                note(at: key, "'\(name)' cannot be the name of a header (RFC 9110)")
                continue
            }
            if let template = template(value, "header '\(name)'") { headers[name] = template }
        }
        return headers
    }

    /// The name of a systemd credential is that of a file in $CREDENTIALS_DIRECTORY.
    fileprivate mutating func credential() -> String? {
        guard
            let (node, at) = reads(
                .other(
                    "the name of a credential",
                    ["$ref": "#/$defs/text", "pattern": "^(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,128}$"],
                    example: "CREDENTIAL")),
            let name = label(node, at.what)
        else { return nil }
        guard name.wholeMatch(of: /[A-Za-z0-9_.-]+/) != nil, name != ".", name != ".." else {
            return invalid(
                node, "'credential' must be the name of one of systemd's credentials: letters, digits, . _ and -")
        }
        return name
    }
}
