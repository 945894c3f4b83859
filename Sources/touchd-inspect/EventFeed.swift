import CInspectorPage
import ControlProtocol
import Foundation

/// The events that one open page has not read yet.
///
/// A page gets events as fast as it reads. The number of unread events is limited: the oldest events that newer ones
/// replace are dropped first, and the page receives the number of dropped events.
@MainActor
final class EventFeed {
    /// The maximum number of waiting events: eight seconds at 60 events per second.
    static let capacity = 512

    private var lines: [Line] = []
    private var dropped = 0
    private var isWriting = false
    private let write: (_ text: String, _ whenWritten: @escaping @MainActor @Sendable () -> Void) -> Void

    private struct Line {
        var text: String
        var isReplaced: Bool
    }

    /// - Parameter write: Writes a part of an event stream, and calls the closure when the next one may follow.
    init(write: @escaping (_ text: String, _ whenWritten: @escaping @MainActor @Sendable () -> Void) -> Void) {
        self.write = write
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
        lines.append(Line(text: text, isReplaced: isReplaced))
        writeLines()
    }

    /// Sends a comment if nothing else is waiting; the write shows whether the page is still there.
    func addPulse() { if lines.isEmpty { add("") } }

    private func writeLines() {
        guard !isWriting, !lines.isEmpty else { return }
        isWriting = true
        var text = dropped > 0 ? "data: \(DroppedRecord(count: dropped).text)\n\n" : ""
        // A line that begins with a colon is a comment.
        for line in lines { text += line.text.isEmpty ? ": still here\n\n" : "data: \(line.text)\n\n" }
        lines.removeAll(keepingCapacity: true)
        dropped = 0
        write(text) { [weak self] in
            self?.isWriting = false
            self?.writeLines()
        }
    }
}
