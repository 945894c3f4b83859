import ControlProtocol
import NIOCore
import WebServer

/// The events that one open page has not read yet.
///
/// A page gets events as fast as it reads. The number of unread events is limited: the oldest events that newer ones
/// replace are dropped first, and the page receives the number of dropped events.
///
// `@unchecked Sendable` is safe: every call is made on the event loop of the stream.
final class EventFeed: @unchecked Sendable {
    /// The maximum number of waiting events: eight seconds at 60 events per second.
    static let capacity = 512

    private var lines: [(text: String, isReplaced: Bool)] = []
    private var dropped = 0
    private let isWritable: () -> Bool
    private let write: ([String]) -> Void

    /// - Parameters:
    ///   - isWritable: Whether the page has read most of what was written.
    ///   - write: Writes events.
    init(isWritable: @escaping () -> Bool, write: @escaping ([String]) -> Void) {
        self.isWritable = isWritable
        self.write = write
    }

    /// Creates a feed for a page's stream.
    convenience init(_ stream: PageStream) {
        self.init(isWritable: { stream.isWritable }) { texts in
            for text in texts { stream.send(ByteBuffer(string: text)) }
            stream.flush()
        }
        stream.onWritable = { [weak self] in self?.writeEvents() }
    }

    /// Adds an event, a JSON object on one line.
    ///
    /// - Parameter isReplaced: Whether a later event repeats its content, so that a slow page can do without it.
    func add(_ text: String, isReplaced: Bool = false) {
        if lines.count >= Self.capacity {
            let index = lines.firstIndex(where: \.isReplaced) ?? lines.startIndex
            lines.remove(at: index)
            dropped += 1
        }
        lines.append((text, isReplaced))
        writeEvents()
    }

    /// Writes the waiting events if the page reads.
    func writeEvents() {
        guard isWritable(), !lines.isEmpty else { return }
        write((dropped > 0 ? [DroppedRecord(count: dropped).text] : []) + lines.map(\.text))
        lines.removeAll(keepingCapacity: true)
        dropped = 0
    }
}
