/// A request of a control socket client.
package enum ControlRequest: Sendable, Equatable {
    /// Ask for the versions, and end if touchd does not speak this version of the protocol.
    case hello(protocol: Int)
    /// Subscribe to these topics; replaces earlier subscriptions. With `own`, touches, gestures and controls only of
    /// views that this client has published.
    case subscribe(to: ControlTopic, moves: Bool, own: Bool = false)
    /// Report the state.
    case status
    /// Change the current layout; `ignore` with 0 seconds accepts touches again.
    case command(LayoutCommand)
    /// Report the view at a location, in points of the screen.
    case hit(x: Double, y: Double, screen: String? = nil)
    /// Replace the views of a slot. `views` is a list of views, which the reader of layouts reads.
    case views(slot: String, publisher: String?, views: JSONTree)
    /// Return the views that a program has published in a slot.
    case slot(String)
    /// Move and resize views that this client has published, in points of their superviews.
    case move(frames: [String: Frame])
    /// Report how the current layout differs from its file.
    case layout
    /// Report the devices and the units of their axes.
    case devices
    /// Return one part of a touchscreen's last minutes, counted from 0. The source may be omitted if there is only one.
    case recording(source: UInt32? = nil, part: Int = 0)
    /// Read a self-test's touchscreen, by its event node, and report which views its fingers hit.
    case rehearse(device: String)

    /// The names of all requests.
    package static let names =
        ["hello", "subscribe", "status", "reload"]
        + LayoutCommand.Kind.allCases.filter { $0 != .reload }.map(\.rawValue)
        + ["views", "slot", "move", "hit", "layout", "devices", "recording", "rehearse"]

    /// The version of the protocol. Members, requests and events may be added to a version; all else makes a new one.
    package static let protocolVersion = 1

    /// The maximum length of the name of a publisher, in characters.
    static let publisherLength = 128

    /// The maximum time for which touches can be ignored, in seconds: a day, so that a typing error does not disable a
    /// kiosk permanently.
    package static let longestIgnoring = 86_400.0

    /// The request as a line without its newline.
    package var line: [UInt8] {
        JSONWriter.object { line in
            line.member("request", name)
            switch self {
            case .hello(let version): line.member("protocol", version)
            case .subscribe(let topics, let moves, let own):
                line.member("to", topics.names)
                line.member("moves", moves)
                line.member("own", own ? true : nil)
            case .command(.ignore(let seconds)): line.member("seconds", seconds)
            case .command(let command):
                guard let operand = command.kind.operand, let name = command.name else { break }
                line.name(operand.rawValue)
                line.write(name)
            case .hit(let x, let y, let screen):
                line.member("x", x)
                line.member("y", y)
                line.member("screen", screen)
            case .views(let slot, let publisher, let views):
                line.member("slot", slot)
                line.member("publisher", publisher)
                line.member("views", views)
            case .slot(let name): line.member("slot", name)
            case .move(let frames):
                line.member("frames", frames)
            case .rehearse(let device): line.member("device", device)
            case .recording(let source, let part):
                line.member("source", source.map { Int($0) })
                line.member("part", part)
            case .status, .layout, .devices: break
            }
        }
    }

    private var name: String {
        switch self {
        case .hello: "hello"
        case .subscribe: "subscribe"
        case .status: "status"
        case .command(let command): command.kind.rawValue
        case .hit: "hit"
        case .views: "views"
        case .slot: "slot"
        case .move: "move"
        case .layout: "layout"
        case .devices: "devices"
        case .recording: "recording"
        case .rehearse: "rehearse"
        }
    }
}

/// A line from a client: a request or its error, and the id by which the client matches the answer.
package struct ControlLine {
    /// The maximum nesting depth of a line; published views in views need most of it.
    static let depth = 64

    /// The client's "id" as it is written, which is copied to the answer; nil without one, or if it is invalid.
    package private(set) var id: [UInt8]?
    package let request: Result<ControlRequest, ControlError>

    /// Parses a line without its newline.
    package init(_ line: some Collection<UInt8>) {
        guard var members = (try? JSONTree(line, depth: Self.depth))?.members else {
            let example = String(decoding: ControlRequest.status.line, as: UTF8.self)
            request = .failure(ControlError(.notARequest, "a line must be one JSON object, such as \(example)"))
            return
        }
        do throws(ControlError) {
            id = try members.removeValue(forKey: "id").map(Self.id)
            request = .success(try Self.request(members))
        } catch {
            request = .failure(error)
        }
    }

    /// Numbers are parsed as `Double`, which cannot distinguish integers beyond 2^53 (RFC 8259, section 6).
    private static func id(_ value: JSONTree) throws(ControlError) -> [UInt8] {
        let isWhole = value.number.map { $0 == $0.rounded() && abs($0) < 0x1p53 } ?? false
        guard isWhole || value.kind == .string else {
            throw ControlError(
                .wrongArgument,
                "\"id\" must be a text, or a whole number between -2^53 and 2^53, not \(value.summary)")
        }
        return Array(value.json)
    }

    private static func request(
        _ members: [String: JSONTree]
    ) throws(ControlError) -> ControlRequest {
        guard let name = members["request"]?.name else {
            throw ControlError(
                .notARequest, "\"request\" is missing; it must be one of \(list(ControlRequest.names))")
        }
        var arguments = Arguments(name: name, values: members.filter { $0.key != "request" })
        let request: ControlRequest
        switch name {
        case "views":
            guard let views = arguments.values.removeValue(forKey: "views") else {
                throw arguments.wrong("views", "a list of views")
            }
            request = .views(
                slot: try arguments.string("slot"), publisher: try arguments.publisher(), views: views)
        case "slot": request = .slot(try arguments.string("slot"))
        case "move": request = .move(frames: try arguments.frames())
        case "subscribe":
            request = .subscribe(
                to: try arguments.topics(), moves: try arguments.flag("moves"), own: try arguments.flag("own"))
        case "hello":
            let version = try arguments.countIfAny("protocol", upTo: 1_000_000) ?? ControlRequest.protocolVersion
            guard version == ControlRequest.protocolVersion else {
                throw ControlError(
                    .wrongProtocol,
                    "touchd \(StatusReport.currentVersion) speaks version \(ControlRequest.protocolVersion) of the protocol "
                        + "(got \(version)); use a client for this version")
            }
            request = .hello(protocol: version)
        case "status": request = .status
        case "hit":
            request = .hit(
                x: try arguments.number("x", in: -1e6...1e6), y: try arguments.number("y", in: -1e6...1e6),
                screen: try arguments.stringIfAny("screen"))
        case "layout": request = .layout
        case "devices": request = .devices
        case "rehearse": request = .rehearse(device: try arguments.string("device"))
        case "recording":
            request = .recording(
                source: try arguments.countIfAny("source", upTo: Int(UInt32.max)).map { UInt32($0) },
                part: try arguments.countIfAny("part", upTo: 1_000_000) ?? 0)
        default:
            if let kind = LayoutCommand.Kind(rawValue: name) {
                request = .command(try arguments.command(kind))
                break
            }
            throw ControlError(
                .unknownRequest, "unknown request '\(name.prefix(40))'; the requests are \(list(ControlRequest.names))")
        }
        try arguments.end()
        return request
    }

    fileprivate static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// The arguments of a request; each is removed when read.
private struct Arguments {
    let name: String
    var values: [String: JSONTree]

    mutating func string(_ key: String) throws(ControlError) -> String {
        guard let text = values.removeValue(forKey: key)?.name else {
            throw wrong(key, "a text of at most \(JSONTree.longestName) bytes")
        }
        return text
    }

    mutating func stringIfAny(_ key: String) throws(ControlError) -> String? {
        values[key] == nil ? nil : try string(key)
    }

    mutating func number(_ key: String, in range: ClosedRange<Double>) throws(ControlError) -> Double {
        guard let number = values.removeValue(forKey: key)?.number, range.contains(number) else {
            throw wrong(key, "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    mutating func countIfAny(_ key: String, upTo limit: Int) throws(ControlError) -> Int? {
        guard values[key] != nil else { return nil }
        guard let count = Int(exactly: try number(key, in: 0...Double(limit))) else {
            throw wrong(key, "a whole number")
        }
        return count
    }

    mutating func command(_ kind: LayoutCommand.Kind) throws(ControlError) -> LayoutCommand {
        switch kind.operand {
        case .page, .view:
            // Every command with such an operand makes a command.
            guard let operand = kind.operand, let command = LayoutCommand(kind, name: try string(operand.rawValue))
            else { throw wrong(name, "a text") }
            return command
        case .seconds: return .ignore(seconds: try number("seconds", in: 0...ControlRequest.longestIgnoring))
        case nil: return .reload
        }
    }

    mutating func flag(_ key: String) throws(ControlError) -> Bool {
        guard let value = values.removeValue(forKey: key) else { return false }
        guard let flag = value.bool else { throw wrong(key, "true or false") }
        return flag
    }

    /// The name of a publisher, which is written to logs and terminals.
    mutating func publisher() throws(ControlError) -> String? {
        guard let name = try stringIfAny("publisher") else { return nil }
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard (1...ControlRequest.publisherLength).contains(name.count), isPlain else {
            throw wrong("publisher", "1 to \(ControlRequest.publisherLength) characters without control characters")
        }
        return name
    }

    mutating func frames() throws(ControlError) -> [String: Frame] {
        let form = "an object with [x, y, width, height] for each view"
        guard let members = values.removeValue(forKey: "frames")?.members else { throw wrong("frames", form) }
        var frames: [String: Frame] = [:]
        for (id, value) in members {
            guard let frame = try? Frame(json: value) else { throw wrong("frames", form) }
            let isInRange = [frame.x, frame.y, frame.width, frame.height].allSatisfy { abs($0) <= 1e6 }
            guard isInRange, frame.width >= 0, frame.height >= 0 else {
                throw wrong("frames", "\(form), in points up to a million, width and height not below 0")
            }
            frames[id] = frame
        }
        return frames
    }

    mutating func topics() throws(ControlError) -> ControlTopic {
        let names = ControlTopic.byName.map(\.name)
        guard let values = values.removeValue(forKey: "to")?.items else {
            throw wrong("to", "a list of \(ControlLine.list(names))")
        }
        var topics: ControlTopic = []
        for value in values {
            guard let name = value.name, let known = ControlTopic.byName.first(where: { $0.name == name })
            else {
                throw ControlError(
                    .wrongArgument, "cannot subscribe to \(value.summary); the topics are \(ControlLine.list(names))")
            }
            topics.formUnion(known.topic)
        }
        return topics
    }

    /// Remaining keys are unknown.
    func end() throws(ControlError) {
        guard let key = values.keys.min() else { return }
        throw ControlError(.wrongArgument, "request '\(name)' has no argument \"\(key.prefix(40))\"")
    }

    func wrong(_ key: String, _ what: String) -> ControlError {
        ControlError(.wrongArgument, "request '\(name)' needs \"\(key)\": \(what)")
    }
}

private extension JSONTree {
    /// The value as error messages show it.
    var summary: String {
        switch kind {
        case .null, .bool, .number: String(decoding: json.prefix(40), as: UTF8.self)
        case .string: "'\((string ?? "").prefix(40))'"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
