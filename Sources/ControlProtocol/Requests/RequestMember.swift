/// Sees each member of a request, and may change its value.
package protocol RequestVisitor: ~Copyable {
    associatedtype Failure: Error

    /// Sees a member.
    ///
    /// - Parameters:
    ///   - name: Its name in JSON.
    ///   - kind: Its values.
    ///   - meaning: Its meaning, for the documentation.
    ///   - value: Its value in the request.
    mutating func member<Value>(
        _ name: StaticString, _ kind: RequestMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) throws(Failure)
}

/// Which values a member of a request may have.
package struct RequestMember<Value: JSONWritable & Sendable>: Sendable {
    /// The values, for error messages; made only for one, because most requests have no error.
    let expected: @Sendable () -> String
    /// Whether the member may be absent.
    package private(set) var isOptional = false
    /// The least and the greatest number, or length of a text in characters.
    package private(set) var range: ClosedRange<Double>?
    /// Reads a value; nil for another one. A `MemberError` has the expected values, if there is more to say.
    fileprivate let read: @Sendable (JSONTree) throws -> Value?

    /// The same values for a member that may be absent.
    fileprivate var ifAny: RequestMember<Value?> {
        RequestMember<Value?>(expected: expected, isOptional: true, range: range) { try read($0).map { .some($0) } }
    }
}

// MARK: Visitors

struct RequestWriter: RequestVisitor, ~Copyable {
    var writer = JSONWriter()

    mutating func member<Value>(
        _ name: StaticString, _ kind: RequestMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) { writer.member(name, value) }
}

struct RequestReader: RequestVisitor {
    let request: String, members: [String: JSONTree]

    func member<Value>(
        _ name: StaticString, _ kind: RequestMember<Value>, _ meaning: StaticString, _ value: inout Value
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

extension RequestMember where Value == String {
    static var text: Self {
        Self(
            expected: { "a text of at most \(JSONTree.longestName) bytes" }, range: 0...Double(JSONTree.longestName)
        ) { $0.name }
    }
}

extension RequestMember where Value == String? {
    static var textIfAny: Self { RequestMember<String>.text.ifAny }

    /// The name of a publisher, which is written to logs and terminals.
    static var publisher: Self {
        let longest = ControlRequest.publisherLength
        return RequestMember<String>(expected: RequestMember<String>.text.expected, range: 1...Double(longest)) {
            guard let name = $0.name else { return nil }
            let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            guard (1...longest).contains(name.count), isPlain else {
                throw MemberError("1 to \(longest) characters without control characters")
            }
            return name
        }.ifAny
    }
}

extension RequestMember where Value == Bool {
    static var flag: Self { Self(expected: { "true or false" }, isOptional: true) { $0.bool } }
}

extension RequestMember where Value == Double {
    static func number(in range: ClosedRange<Double>) -> Self {
        Self(expected: { "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))" }, range: range) {
            $0.number.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    static var coordinate: Self { number(in: -1e6...1e6) }
}

extension RequestMember where Value == Int {
    fileprivate static func count(upTo limit: Int) -> Self {
        let number = RequestMember<Double>.number(in: 0...Double(limit))
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

extension RequestMember where Value == UInt32? {
    static var sourceIfAny: Self {
        let count = RequestMember<Int>.count(upTo: Int(UInt32.max))
        return RequestMember<UInt32>(expected: count.expected, range: count.range) {
            try count.read($0).map { UInt32($0) }
        }.ifAny
    }
}

extension RequestMember where Value == JSONTree {
    /// The reader of layouts checks them.
    static var views: Self { Self(expected: { "a list of views" }) { $0 } }
}

extension RequestMember where Value == [String: Frame] {
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

extension RequestMember where Value == ControlTopic {
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
