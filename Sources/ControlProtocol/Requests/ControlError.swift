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
