/// The error of a request over the control socket.
package struct ControlError: Error, JSONMessage, Equatable, CustomStringConvertible {
    /// The kind of error, for programs; a code never changes its meaning.
    package enum Code: String, JSONValue, Sendable, CaseIterable {
        /// The line is not a JSON object with a request; the connection is closed.
        case notARequest = "not-a-request"
        /// The line is longer than 1 MiB; the connection is closed.
        case lineTooLong = "line-too-long"
        /// There is no request with this name.
        case unknownRequest = "unknown-request"
        /// The client needs another version of the protocol; the connection is closed.
        case wrongProtocol = "wrong-protocol"
        /// A key is missing, of the wrong type or out of range.
        case wrongArgument = "wrong-argument"
        /// There is no view with this id.
        case noSuchView = "no-such-view"
        /// There is no page with this name, or the layout has no pages.
        case noSuchPage = "no-such-page"
        /// The layout has no slot with this name.
        case noSuchSlot = "no-such-slot"
        /// Published views have errors; the slot keeps its views.
        case viewsRefused = "views-refused"
        /// The client has published a newer list in the slot, before this one was read.
        case replaced
        /// The layout has an error; the previous one stays.
        case layoutRefused = "layout-refused"
        /// The request needs something that this touchd was started without.
        case unavailable
        /// The client's user may not use the socket; the connection is closed.
        case notPermitted = "not-permitted"
        /// The limit of connected clients is reached; the connection is closed.
        case tooManyClients = "too-many-clients"
    }

    package var code = Code.unavailable, message = "", views: [PublicationError.Problem]?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("code", "the kind of error", \.code)
        visitor.member("message", "the error and how to fix it, for users", \.message)
        visitor.member(
            "views", "the errors of published views, each with its entry; absent for other errors", \.views)
    }

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Creates the error of refused views.
    package init(_ error: PublicationError) {
        self.init(.viewsRefused, error.description)
        views = error.problems
    }

    /// The message.
    package var description: String { message }

    /// Whether the connection is closed after this error.
    package var endsConnection: Bool {
        switch code {
        case .notARequest, .lineTooLong, .wrongProtocol, .notPermitted, .tooManyClients: true
        default: false
        }
    }
}

/// Why published views were refused.
package struct PublicationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One problem.
    package struct Problem: JSONMessage, Equatable {
        package var index: Int?, view: String?, message = ""
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member(
                "index", "the index of the entry with the problem, from 0; absent if the text as a whole is invalid",
                \.index)
            visitor.member("view", "the entry's id, if it has one", \.view)
            visitor.member("message", "the problem and how to fix it", \.message)
        }

        /// Creates a problem.
        package init(index: Int? = nil, view: String? = nil, message: String) {
            (self.index, self.view, self.message) = (index, view, message)
        }
    }

    /// The problems, in the order of the text; at least one, at most 101.
    package var problems: [Problem]

    /// Creates an error with these problems.
    package init(_ problems: [Problem]) { self.problems = problems }

    /// Creates the error of a text that is invalid as a whole.
    package init(message: String) { problems = [Problem(message: message)] }

    /// The problems, one in each line.
    package var description: String {
        problems.map { problem in
            let place = problem.index.map { "views[\($0)]\(problem.view.map { " '\($0)'" } ?? ""): " }
            return (place ?? "") + problem.message
        }
        .joined(separator: "\n")
    }
}

/// The answer to a request without a result.
package struct NoAnswer: JSONMessage, Equatable {
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {}
}

/// The answer to `hello`.
package struct HelloAnswer: JSONMessage, Equatable {
    package var `protocol` = ControlRequest.protocolVersion, version = StatusReport.currentVersion
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("protocol", "the version of the protocol", \.protocol)
        visitor.member("version", "touchd's version", \.version)
    }
}

/// The answer to `subscribe`: the subscription of the connection.
package struct SubscriptionAnswer: JSONMessage, Equatable {
    package var to: [String] = [], moves = false, own = false
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("to", "the topics", \.to)
        visitor.member("moves", "whether moved touches are included", \.moves)
        visitor.member(
            "own", "whether touches, gestures and controls are only of views that the connection has published", \.own)
    }
}

extension ControlRequest {
    /// The type of the `result` of an answer to the request.
    package var answer: any JSONValue.Type {
        switch self {
        case .hello: HelloAnswer.self
        case .subscribe: SubscriptionAnswer.self
        case .status: StatusReport.self
        case .hit: HitReport.self
        case .views: LayoutState.Slot.self
        case .slot: LayoutState.Publication.self
        case .layout: LayoutState.self
        case .devices: [DeviceState].self
        case .recording: RecordingPart.self
        case .command, .move, .rehearse: NoAnswer.self
        }
    }
}

/// Suggests a name for a misspelled one.
package struct NearestName: Sendable {
    /// The steps of all searches of one check.
    package static let steps = 5_000_000
    /// The maximum length of a name that is searched, in characters.
    package static let longest = 128

    /// The steps left for all searches of one check: visited names and compared letters.
    package private(set) var effort: Int

    /// Creates a search with a number of steps.
    package init(effort: Int = Self.steps) { self.effort = effort }

    /// The candidate with the fewest edits, at most a third of the typed letters; nil if no candidate is that similar
    /// or no steps are left.
    package mutating func of(_ typed: String, among candidates: some Sequence<String>) -> String? {
        let letters = Array(typed.lowercased())
        // A different single letter is a different name, not a typing error.
        guard (2...Self.longest).contains(letters.count) else { return nil }
        let limit = max(1, letters.count / 3)
        var nearest: (edits: Int, name: String)?
        for candidate in candidates {
            effort -= 1
            guard effort > 0 else { return nil }
            // A character has at least one byte, so fewer bytes mean fewer characters.
            guard candidate.utf8.count + limit >= letters.count, abs(candidate.count - letters.count) <= limit,
                let edits = edits(from: letters, to: Array(candidate.lowercased()), limit: nearest?.edits ?? limit)
            else { continue }
            if nearest.map({ (edits, candidate) < $0 }) ?? true { nearest = (edits, candidate) }
        }
        return nearest?.name
    }

    /// `; did you mean 'NAME'?`, or an empty string.
    package mutating func suggestion(for typed: String, among candidates: some Sequence<String>) -> String {
        of(typed, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The most similar candidate, for a single search.
    package static func of(_ typed: String, among candidates: some Sequence<String>) -> String? {
        var search = NearestName()
        return search.of(typed, among: candidates)
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbors between two names; nil above the
    /// limit.
    private mutating func edits(from a: [Character], to b: [Character], limit: Int) -> Int? {
        guard !b.isEmpty else { return a.count <= limit ? a.count : nil }
        var (beforePrevious, previous, row) = ([Int](), Array(0...b.count), Array(0...b.count))
        for i in 1...a.count {
            effort -= b.count
            guard effort > 0 else { return nil }
            row[0] = i
            for j in 1...b.count {
                var best = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, beforePrevious[j - 2] + 1)
                }
                row[j] = best
            }
            if let least = row.min(), least > limit, previous.min() ?? 0 > limit { return nil }
            (beforePrevious, previous) = (previous, row)
        }
        return previous[b.count] <= limit ? previous[b.count] : nil
    }
}
