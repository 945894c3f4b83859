import Basics

/// A request of a control socket client.
package enum ControlRequest: Sendable, Equatable {
    /// Ask for the versions, and end if touchd does not speak this version of the protocol.
    case hello(protocol: Int)
    /// Subscribe to these topics; replaces earlier subscriptions. With `own`, touches, gestures, controls and the
    /// talking mode only of views that this client has published.
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
    /// Report the pages of the loaded layout.
    case listPages
    /// Report one part of the views that are loaded, counted from 0, without those inside private views.
    case listViews(part: Int = 0)
    /// Report the devices and the units of their axes.
    case devices
    /// Return one part of a touchscreen's last minutes, counted from 0. The source may be omitted if there is only one.
    case recording(source: UInt32? = nil, part: Int = 0)
    /// Read a self-test's touchscreen, by its event node, and report which views its fingers hit.
    case rehearse(device: String)

    /// The version of the protocol. Members, requests and events may be added to a version; all else makes a new one.
    package static let protocolVersion = 1

    /// The maximum time for which touches can be ignored, in seconds: a day, so that a typing error does not disable a
    /// kiosk permanently.
    package static let longestIgnoring = 86_400.0

    /// Every request, with the values of members that are absent.
    package static let all: [ControlRequest] =
        [.hello(protocol: protocolVersion), .subscribe(to: [], moves: false), .status]
        + LayoutCommand.Kind.allCases.map { .command(LayoutCommand(prototypeOf: $0)) }
        + [
            .views(slot: "", publisher: nil, views: .emptyList), .slot(""), .move(frames: [:]), .hit(x: 0, y: 0),
            .layout, .listPages, .listViews(), .devices, .recording(), .rehearse(device: ""),
        ]

    /// The names of all requests.
    package static let names = all.map(\.name)

    /// Visits the members, in the order in which they are written, and changes those that the visitor reads.
    package mutating func visit<Visitor: CaseVisitor & ~Copyable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        switch self {
        case .hello(var version):
            try visitor.member("protocol", .version, "the version of the protocol that the client needs", &version)
            self = .hello(protocol: version)
        case .subscribe(var topics, var moves, var own):
            try visitor.member(
                "to", .topics, "the topics; they replace the previous ones, and an empty list ends the subscription",
                &topics)
            try visitor.member("moves", .flag, "true to include moved touches", &moves)
            try visitor.member(
                "own", .flag,
                "true for touches, gestures, controls and the talking mode only of views that this connection has published",
                &own)
            self = .subscribe(to: topics, moves: moves, own: own)
        case .command(.named(let kind, var name)):
            switch kind.operand {
            case .page: try visitor.member("page", .text, "the page's name", &name)
            case .language: try visitor.member("language", .text, "the tag of the language, as in the layout", &name)
            default: try visitor.member("view", .text, "the view's id", &name)
            }
            self = .command(.named(kind, name))
        case .command(.say(var text, var language)):
            try visitor.member("text", .text, "the text", &text)
            try visitor.member(
                "language", .textIfAny, "the tag of its language, if it is not the one of labels", &language)
            self = .command(.say(text, language: language))
        case .command(.ignore(var seconds)):
            try visitor.member(
                "seconds", .number(in: 0...Self.longestIgnoring), "for how long, in seconds; 0 ends it at once",
                &seconds)
            self = .command(.ignore(seconds: seconds))
        case .command(.turned(let kind, var isOn)):
            try visitor.member("on", .switch, "true to turn it on, false to turn it off", &isOn)
            self = .command(.turned(kind, on: isOn))
        case .hit(var x, var y, var screen):
            try visitor.member("x", .coordinate, "the point on the screen, in points", &x)
            try visitor.member("y", .coordinate, "see `x`", &y)
            try visitor.member("screen", .textIfAny, "the screen's name, if it is not the first", &screen)
            self = .hit(x: x, y: y, screen: screen)
        case .views(var slot, var publisher, var views):
            try visitor.member("slot", .text, "the slot's name", &slot)
            try visitor.member("publisher", .publisher, "a name for `touchd hit` and the inspector", &publisher)
            try visitor.member("views", .views, "the list of views", &views)
            self = .views(slot: slot, publisher: publisher, views: views)
        case .slot(var name):
            try visitor.member("slot", .text, "the slot's name", &name)
            self = .slot(name)
        case .move(var frames):
            try visitor.member("frames", .frames, "the frames by id, in points of the superview", &frames)
            self = .move(frames: frames)
        case .recording(var source, var part):
            try visitor.member(
                "source", .sourceIfAny, "a touchscreen's number as in `devices`, if there are several", &source)
            try visitor.member("part", .part, "the number of the part, from 0", &part)
            self = .recording(source: source, part: part)
        case .rehearse(var device):
            try visitor.member(
                "device", .text,
                "the event node of a uinput touchscreen whose name begins with `touchd virtual self-test `", &device)
            self = .rehearse(device: device)
        case .listViews(var part):
            try visitor.member("part", .part, "the number of the part, from 0", &part)
            self = .listViews(part: part)
        case .status, .layout, .listPages, .devices, .command(.reload): break
        }
    }

    /// The request as a line without its newline.
    package var line: [UInt8] {
        var visitor = CaseWriter(writer: JSONWriter())
        var request = self
        visitor.writer.beginObject()
        visitor.writer.member("request", name)
        request.visit(&visitor)
        visitor.writer.end()
        return visitor.writer.bytes
    }

    /// The name in the protocol.
    package var name: String {
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
        case .listPages: "list-pages"
        case .listViews: "list-views"
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
    /// The maximum number of values in a line, which take more memory than the line: 50 for each view of a full slot.
    static let values = 100_000

    /// The client's "id" as it is written, which is copied to the answer; nil without one, or if it is invalid.
    package private(set) var id: [UInt8]?
    package let request: Result<ControlRequest, ControlError>

    /// Parses a line without its newline.
    package init(_ line: some Collection<UInt8>) {
        let tree: JSONTree?
        do throws(JSONError) {
            tree = try JSONTree(line, depth: Self.depth, values: Self.values)
        } catch {
            guard !error.isTooLarge else {
                request = .failure(
                    ControlError(.lineTooLong, "a line must have at most \(Self.values) values and keys"))
                return
            }
            tree = nil
        }
        guard var members = tree?.members else {
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

    /// A line that is no request.
    package init(refused error: ControlError) { request = .failure(error) }

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

    /// A client may be newer than this touchd, so members that the request does not have are ignored.
    private static func request(_ members: [String: JSONTree]) throws(ControlError) -> ControlRequest {
        guard let name = members["request"]?.name else {
            let names = ControlRequest.names.joined(separator: ", ")
            throw ControlError(.notARequest, "\"request\" is missing; it must be one of \(names)")
        }
        guard var request = ControlRequest.all.first(where: { $0.name == name }) else {
            let nearest = NearestName.of(name, among: ControlRequest.names).map { "did you mean '\($0)'?" }
            throw ControlError(
                .unknownRequest,
                "unknown request '\(name.prefix(40))'; "
                    + (nearest ?? "the requests are \(ControlRequest.names.joined(separator: ", "))"))
        }
        var reader = RequestReader(request: name, members: members)
        try request.visit(&reader)
        return request
    }
}

extension JSONTree {
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

struct RequestReader: CaseVisitor {
    let request: String, members: [String: JSONTree]

    func member<Value>(
        _ name: StaticString, _ kind: CaseMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) throws(ControlError) {
        let json = members["\(name)"]
        if json == nil, kind.isOptional { return }
        do {
            guard let json, let read = try kind.read(json) else { throw MemberError(kind.expected()) }
            value = read
        } catch let error as ControlError {
            throw error
        } catch {
            throw ControlError(.wrongArgument, "request '\(request)' needs \"\(name)\": \(error)")
        }
    }
}

// MARK: Values

extension CaseMember where Value == String {
    static var text: Self {
        Self(
            expected: { "a text of at most \(JSONTree.longestName) bytes" }, range: 0...Double(JSONTree.longestName)
        ) { $0.name }
    }
}

extension CaseMember where Value == String? {
    static var textIfAny: Self { CaseMember<String>.text.ifAny }

    /// The name of a publisher, which is written to logs and terminals.
    static var publisher: Self {
        let longest = 128
        return CaseMember<String>(expected: CaseMember<String>.text.expected, range: 1...Double(longest)) {
            guard let name = $0.name else { return nil }
            let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            guard (1...longest).contains(name.count), isPlain else {
                throw MemberError("1 to \(longest) characters without control characters")
            }
            return name
        }.ifAny
    }
}

extension CaseMember where Value == Bool {
    static var `switch`: Self { Self(expected: { "true or false" }) { $0.bool } }
    static var flag: Self { Self(expected: { "true or false" }, isOptional: true) { $0.bool } }
}

extension CaseMember where Value == Double {
    static func number(in range: ClosedRange<Double>) -> Self {
        Self(expected: { "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))" }, range: range) {
            $0.number.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    static var coordinate: Self { number(in: -1e6...1e6) }
}

extension CaseMember where Value == Int {
    fileprivate static func count(upTo limit: Int) -> Self {
        let number = CaseMember<Double>.number(in: 0...Double(limit))
        return Self(expected: number.expected, isOptional: true, range: number.range) {
            guard let value = try number.read($0) else { return nil }
            guard let count = Int(exactly: value) else { throw MemberError("a whole number") }
            return count
        }
    }

    static var part: Self { count(upTo: 1_000_000) }

    /// The only version that this touchd speaks.
    static var version: Self {
        let (count, version) = (count(upTo: 1_000_000), ControlRequest.protocolVersion)
        return Self(expected: count.expected, isOptional: true, range: Double(version)...Double(version)) {
            guard let wanted = try count.read($0), wanted != version else { return try count.read($0) }
            throw ControlError(
                .wrongProtocol,
                "touchd \(StatusReport.currentVersion) speaks version \(version) of the protocol (got \(wanted)); "
                    + "use a client for this version")
        }
    }
}

extension CaseMember where Value == UInt32? {
    static var sourceIfAny: Self {
        let count = CaseMember<Int>.count(upTo: Int(UInt32.max))
        return CaseMember<UInt32>(expected: count.expected, range: count.range) {
            try count.read($0).map { UInt32($0) }
        }.ifAny
    }
}

extension CaseMember where Value == JSONTree {
    /// The reader of layouts checks them.
    static var views: Self { Self(expected: { "a list of views" }) { $0 } }
}

extension CaseMember where Value == [String: Frame] {
    static var frames: Self {
        let form = "an object with [x, y, width, height] for each view"
        return Self(expected: { form }) {
            guard let frames = try? [String: Frame](json: $0) else { return nil }
            let areInRange = frames.values.allSatisfy { frame in
                [frame.x, frame.y, frame.width, frame.height].allSatisfy { abs($0) <= 1e6 }
                    && frame.width >= 0 && frame.height >= 0
            }
            guard areInRange else {
                throw MemberError("\(form), in points up to a million, width and height not below 0")
            }
            return frames
        }
    }
}

extension CaseMember where Value == ControlTopic {
    static var topics: Self {
        let names: @Sendable () -> String = { ControlTopic.byName.map(\.name).joined(separator: ", ") }
        return Self(expected: { "a list of \(names())" }) {
            guard let values = $0.items else { return nil }
            var topics: ControlTopic = []
            for value in values {
                guard let name = value.name, let known = ControlTopic.byName.first(where: { $0.name == name }) else {
                    throw ControlError(
                        .wrongArgument, "cannot subscribe to \(value.summary); the topics are \(names())")
                }
                topics.formUnion(known.topic)
            }
            return topics
        }
    }
}
