/// Why a request over the control socket was not done.
public nonisolated struct ControlError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    /// What kind of mistake it is, in a word for programs; a word never changes its meaning.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// The line is not a JSON object with a request; the connection is closed after it.
        case notARequest = "not-a-request"
        /// The line is longer than 64 KiB; the connection is closed after it.
        case lineTooLong = "line-too-long"
        /// There is no request of this name.
        case unknownRequest = "unknown-request"
        /// A key is missing, is of another type, out of its range, or unknown.
        case wrongArgument = "wrong-argument"
        /// There is no view of this name.
        case noSuchView = "no-such-view"
        /// There is no page of this name, or the layout has no pages.
        case noSuchPage = "no-such-page"
        /// The layout has a mistake; the one before it stays.
        case layoutRefused = "layout-refused"
        /// touchd was started without what the request is about.
        case unavailable
        /// The program's user may not talk to touchd; the connection is closed after it.
        case notPermitted = "not-permitted"
        /// As many programs as may are connected; the connection is closed after it.
        case tooManyClients = "too-many-clients"
    }

    /// What kind of mistake it is.
    public var code: Code
    /// What is wrong, and what to do, for people.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// Whether a client that made this mistake is not listened to any longer.
    package var endsConnection: Bool {
        switch code {
        case .notARequest, .lineTooLong, .notPermitted, .tooManyClients: true
        default: false
        }
    }
}
