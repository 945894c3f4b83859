import Basics
import EventLoop

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

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Creates the error of refused views.
    package init(_ error: PublicationError) {
        self.init(.viewsRefused, error.description)
        views = error.problems
    }

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

        package init(index: Int? = nil, view: String? = nil, message: String) {
            (self.index, self.view, self.message) = (index, view, message)
        }
    }

    /// The problems, in the order of the text; at least one, at most 101.
    package var problems: [Problem]

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

/// Limits the log entries about refusals: ten at once, then one every ten seconds with the number of the others.
package struct RefusalLimit {
    private var bucket = TokenBucket(rate: 0.1, capacity: 10)
    private var skipped = 0

    package init() {}

    /// The end of a refusal's entry; nil if the refusal is only counted.
    package mutating func ending() -> String? {
        guard bucket.take() else {
            skipped += 1
            return nil
        }
        defer { skipped = 0 }
        return skipped > 0 ? "; \(skipped) refusals before this one are not logged" : ""
    }
}
