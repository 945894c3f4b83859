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
