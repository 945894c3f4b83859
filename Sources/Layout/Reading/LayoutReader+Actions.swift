import Foundation

nonisolated extension HandlerAction {
    /// The keys of actions in a layout.
    static let keywords = [
        "log", "exec", "publish", "http", "go", "show", "hide", "enable", "disable", "toggle",
        "switch-on", "switch-off", "reset", "ignore", "emit", "reload",
    ]
}

nonisolated extension LayoutReader {
    /// The single action in a mapping.
    mutating func action(_ values: YAMLNodes.Values, of what: String, at node: Node) -> HandlerStep? {
        let given = values.names.filter { $0 != "with" }
        guard given.count == 1, let key = given.first, let value = values[key] else {
            if given.isEmpty, values.hasUnknownKeys { return nil }
            nodes.note(
                at: node,
                given.isEmpty
                    ? "\(what) must do one thing: \(YAMLNodes.alternatives(["run"] + HandlerAction.keywords))"
                    : "\(what) must do one thing (got \(given.joined(separator: " and "))); make a list of them")
            return nil
        }
        return action(key, value, of: what).map { HandlerStep(kind: .action($0), location: value.location) }
    }

    private mutating func action(_ key: String, _ node: Node, of what: String) -> HandlerAction? {
        switch key {
        case "log": return template(node, "'log'").map { .log($0) }
        case "exec": return exec(node, of: what).map { .exec($0) }
        case "publish": return publish(node).map { .publish($0) }
        case "http": return http(node).map { .http($0) }
        case "emit": return emit(node).map { .emit($0) }
        default: return LayoutCommand.Kind(rawValue: key).flatMap { command($0, node) }.map { .command($0) }
        }
    }

    private mutating func command(_ kind: LayoutCommand.Kind, _ node: Node) -> LayoutCommand? {
        switch kind.operand {
        case .page: return target(node, "'\(kind.rawValue)'", .page).flatMap { LayoutCommand(kind, name: $0) }
        case .view:
            let target: References.Kind = kind == .switchOn || kind == .switchOff ? .toggle : .view
            return self.target(node, "'\(kind.rawValue)'", target).flatMap { LayoutCommand(kind, name: $0) }
        case .seconds:
            return seconds(node, "'\(kind.rawValue)'", in: .seconds(1) ... .seconds(86_400)).map {
                .ignore(seconds: $0)
            }
        case nil:
            guard let isRequested = nodes.bool(node, "'\(kind.rawValue)'") else { return nil }
            if !isRequested { nodes.note(at: node, "'\(kind.rawValue)' can only be true; remove it to do nothing") }
            return isRequested ? .reload : nil
        }
    }

    private mutating func target(_ node: Node, _ what: String, _ kind: References.Kind) -> String? {
        let name = nodes.string(node, what)
        if let name { references.mention(name, as: kind, at: node) }
        return name
    }

    private mutating func emit(_ node: Node) -> [String]? {
        let keys = nodes.oneOrMore(node)
        guard (1...10).contains(keys.count) else {
            nodes.note(at: node, "'emit' must have 1 to 10 keys (got \(keys.count))")
            return nil
        }
        let names = keys.compactMap { key -> String? in
            guard let name = nodes.string(key, "a key of 'emit'") else { return nil }
            guard name.wholeMatch(of: /(KEY|BTN)_[A-Z0-9_]+/) != nil else {
                nodes.note(
                    at: key,
                    "a key of 'emit' must have the kernel's name, like KEY_ENTER or BTN_LEFT (got '\(name)')")
                return nil
            }
            return name
        }
        return names.count == keys.count ? names : nil
    }

    // MARK: exec

    private mutating func exec(_ node: Node, of what: String) -> ExecSpec? {
        guard node.kind == .mapping else { return command(node, of: what).map { ExecSpec(arguments: $0) } }
        let keys = ["command", "user", "timeout", "limit"]
        guard let values = nodes.mapping(node, "'exec' of \(what)", keys: keys) else { return nil }
        let user = values["user"].flatMap { nodes.name($0, "'user'") }
        let timeout = values["timeout"].flatMap {
            seconds($0, "'timeout'", in: .milliseconds(100) ... .seconds(86_400))
        }
        let limit = values["limit"].flatMap { nodes.count($0, "'limit'", in: 1...64) }
        guard let command = values["command"] else {
            nodes.note(at: node, "'exec' of \(what) has no 'command'; add command: [/path/to/program, WORD, …]")
            return nil
        }
        guard let arguments = self.command(command, of: what) else { return nil }
        var spec = ExecSpec(arguments: arguments, user: user, timeout: timeout)
        if let limit { spec.limit = limit }
        return spec
    }

    private mutating func command(_ node: Node, of what: String) -> [Template]? {
        guard let items = nodes.sequence(node, "'exec' of \(what)") else { return nil }
        let arguments = items.compactMap { template($0, "an argument of \(what)") }
        guard arguments.count == items.count else { return nil }
        guard case .text(let program)? = arguments.first?.segments.first, program.hasPrefix("/") else {
            nodes.note(
                at: items.first ?? node,
                "'exec' of \(what) must begin with the program's absolute path, such as /usr/bin/aplay")
            return nil
        }
        guard arguments.first?.factNames.isEmpty == true else {
            nodes.note(at: items[0], "the program's path of \(what) must not contain facts {…}")
            return nil
        }
        if let problem = ShellFilter.problem(in: arguments) {
            nodes.note(at: node, "'exec' of \(what) \(problem)")
            return nil
        }
        guard !items.contains(where: { $0.string.utf8.contains(0) }) else {
            nodes.note(at: node, "an argument of \(what) contains a NUL character")
            return nil
        }
        return arguments
    }

    // MARK: publish and http

    private mutating func publish(_ node: Node) -> PublishSpec? {
        guard node.kind == .mapping else {
            return template(node, "'publish'").map { PublishSpec(topic: $0) }
        }
        guard let values = nodes.mapping(node, "'publish'", keys: ["topic", "message", "mqtt"]) else { return nil }
        guard let topic = values["topic"] else {
            nodes.note(at: node, "'publish' has no 'topic'; add topic: NAME")
            return nil
        }
        let message = values["message"].flatMap { template($0, "'message'") }
        let destination = values["mqtt"].map { self.mqtt($0) } ?? .controlSocket
        let topicNode = topic
        guard let topic = template(topic, "'topic'"), let destination else { return nil }
        if case .mqtt = destination, topic.filled(by: { _ in "" }).contains(where: { $0 == "+" || $0 == "#" }) {
            nodes.note(
                at: topicNode,
                "'topic' must not contain '+' or '#', which are wildcards for subscribers (MQTT 3.1.1, 4.7.1)"
            )
            return nil
        }
        return PublishSpec(topic: topic, message: message, destination: destination)
    }

    private mutating func http(_ node: Node) -> HTTPSpec? {
        guard node.kind == .mapping else { return self.url(node).map { HTTPSpec(url: $0) } }
        let keys = ["url", "body", "headers", "credential", "retries", "timeout"]
        guard let values = nodes.mapping(node, "'http'", keys: keys) else { return nil }
        guard let urlNode = values["url"] else {
            nodes.note(at: node, "'http' has no 'url'; add url: \"https://…\"")
            return nil
        }
        let body = values["body"].flatMap { template($0, "'body'") }
        let headers = values["headers"].map { self.headers($0) } ?? [:]
        let credential = values["credential"].flatMap { self.credential($0) }
        let retries = values["retries"].flatMap { nodes.count($0, "'retries'", in: 0...10) }
        let timeout = values["timeout"].flatMap { seconds($0, "'timeout'", in: .milliseconds(100) ... .seconds(300)) }
        guard let url = self.url(urlNode) else { return nil }
        var spec = HTTPSpec(url: url, body: body, headers: headers, credential: credential)
        if let retries { spec.retries = retries }
        if let timeout { spec.timeout = timeout }
        return spec
    }

    private mutating func url(_ node: Node) -> Template? {
        guard let url = template(node, "'url'") else { return nil }
        guard case .text(let start)? = url.segments.first,
            ["https://", "http://"].contains(where: { start.hasPrefix($0) && start.count > $0.count })
        else {
            nodes.note(at: node, "a URL must begin with https:// or http:// and the name of a host")
            return nil
        }
        // The layout alone determines the host of a request, not a fact such as a device's name.
        let rest = start[(start.firstRange(of: "//")?.upperBound ?? start.endIndex)...]
        let host = rest.prefix { !"/?#".contains($0) }
        guard host.endIndex < start.endIndex || url.segments.count == 1 else {
            nodes.note(at: node, "facts are not allowed in a URL's host and port; put them after the first '/'")
            return nil
        }
        guard Self.isAuthority(host) else {
            // The text before an @ may be a password.
            let shown = host.split(separator: "@", omittingEmptySubsequences: false).last ?? host
            nodes.note(at: node, "'\(shown.prefix(80))' must be a host with an optional port, such as example.org:8080")
            return nil
        }
        if let end = host.lastIndex(of: "@"), host[..<end].contains(":") {
            nodes.note(
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

    private mutating func headers(_ node: Node) -> [String: Template] {
        var headers: [String: Template] = [:]
        for (key, name, value) in nodes.entries(node, "'headers'") ?? [] {
            guard name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]+/) != nil else {
                nodes.note(at: key, "'\(name)' cannot be the name of a header (RFC 9110)")
                continue
            }
            if let template = template(value, "header '\(name)'") { headers[name] = template }
        }
        return headers
    }

    /// The name of a systemd credential is that of a file in $CREDENTIALS_DIRECTORY.
    private mutating func credential(_ node: Node) -> String? {
        guard let name = nodes.name(node, "'credential'") else { return nil }
        guard name.wholeMatch(of: /[A-Za-z0-9_.-]+/) != nil, name != ".", name != ".." else {
            nodes.note(
                at: node, "'credential' must be the name of one of systemd's credentials: letters, digits, . _ and -")
            return nil
        }
        return name
    }
}
