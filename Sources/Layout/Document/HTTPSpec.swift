import Foundation

/// The `http:` of a handler: a POST request, sent in order with the other requests to the same host.
package nonisolated struct HTTPSpec: Sendable, Equatable {
    /// The URL, http or https.
    package var url = Template(verbatim: "")
    /// The body; nil for the event's facts as a JSON object.
    package var body: Template?
    /// Headers in addition to Content-Type.
    package var headers: [String: Template] = [:]
    /// `credential:`, the systemd credential whose content is the bearer token; never logged.
    package var credential: String?
    /// The number of retries after a failure.
    package var retries = 3
    /// The time limit of each attempt, in seconds.
    package var timeout: TimeInterval = 10
}
