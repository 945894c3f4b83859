/// A request within the limits that the guard accepted.
package struct WebRequest: Sendable {
    /// `GET` or `POST`.
    package var method: String
    /// The path without the query, not decoded.
    package var path: String
    /// Empty for `GET`.
    package var body: [UInt8]
}

/// A response.
package struct WebResponse: Sendable {
    /// The content after the headers.
    package enum Body: Sendable {
        /// Complete content of any size.
        case bytes([UInt8])
        /// Server-sent events, until the client closes the connection.
        case events(EventFeed)
    }

    /// Which other pages may load the content.
    package enum Readers: Sendable {
        /// Only this server's own page.
        case ownPage
        /// Any page, as a script.
        case anyPage
        /// The content is itself a page of another author, or a part of one.
        case otherAuthor
    }

    package var status: Int
    package var type: String
    package var body: Body
    private var readers = Readers.ownPage

    /// Creates a successful response with a media type.
    package init(_ type: String, _ body: Body, for readers: Readers = .ownPage) {
        status = 200
        self.readers = readers
        self.type = type
        self.body = body
    }

    /// A refusal with its reason, as plain text.
    package init(status: Int, reason: String) {
        self.status = status
        type = "text/plain; charset=utf-8"
        body = .bytes(Array("\(reason)\n".utf8))
    }

    /// The headers without those of the content: no frame of another origin may show it, no referrer is sent, and no
    /// copy is kept. The server's own page loads nothing from other origins.
    var headers: [(String, String)] {
        let policy =
            switch readers {
            case .ownPage, .anyPage: "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            case .otherAuthor: "frame-ancestors 'self'"
            }
        return [
            ("Content-Security-Policy", policy),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
            ("Cross-Origin-Resource-Policy", readers == .anyPage ? "cross-origin" : "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
    }
}

/// The server-sent events that one open page has not read yet.
///
/// A page gets events as fast as it reads. The number of unread events is limited: the oldest events that newer ones
/// replace are dropped first, and the page receives the number of dropped events.
@MainActor
package final class EventFeed: Sendable {
    /// The maximum number of waiting events: eight seconds at 60 events per second.
    package static let capacity = 512

    private var lines: [Line] = []
    private var dropped = 0
    private var waiter: CheckedContinuation<Void, Never>?
    private var isCancelled = false

    private struct Line {
        var text: String
        var isReplaced: Bool
    }

    /// The event that replaces a number of dropped ones.
    private let droppedEvent: (Int) -> String

    /// An empty feed.
    package init(droppedEvent: @escaping (Int) -> String) { self.droppedEvent = droppedEvent }

    /// Adds an event, a JSON object on one line.
    ///
    /// - Parameter isReplaced: Whether a later event repeats its content, so that a slow page can do without it.
    package func add(_ text: String, isReplaced: Bool = false) {
        if lines.count >= Self.capacity {
            let index = lines.firstIndex(where: \.isReplaced) ?? lines.startIndex
            lines.remove(at: index)
            dropped += 1
        }
        lines.append(Line(text: text, isReplaced: isReplaced))
        wake()
    }

    /// Sends a comment if nothing else is waiting; the write shows whether the page is still there.
    package func addPulse() { if lines.isEmpty { add("") } }

    /// Waits for events and returns all of them as text of an event stream (HTML, "Server-sent events"); empty after
    /// the task was cancelled. Call it from one task only.
    func next() async -> [UInt8] {
        if lines.isEmpty, !isCancelled {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    if isCancelled { continuation.resume() } else { waiter = continuation }
                }
            } onCancel: {
                Task { @MainActor in cancel() }
            }
        }
        var text = dropped > 0 ? "data: \(droppedEvent(dropped))\n\n" : ""
        // A line that begins with a colon is a comment.
        for line in lines { text += line.text.isEmpty ? ": still here\n\n" : "data: \(line.text)\n\n" }
        lines.removeAll(keepingCapacity: true)
        dropped = 0
        return Array(text.utf8)
    }

    private func cancel() {
        isCancelled = true
        wake()
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }
}
