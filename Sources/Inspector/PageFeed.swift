import Foundation
import FlyingFox
import FlyingSocks

/// What one open page is still to be told: events as they came, but for moves that it was too slow for.
///
/// A page is told as fast as it reads. What it has not read is bounded: the oldest records that only move touches are left
/// out first, which newer ones say anyhow, and the page is told how many.
final class PageFeed {
    /// How many events may wait; eight seconds of a display's pace.
    static let capacity = 512

    private var lines: [Line] = []
    private var left = 0
    private var waiter: CheckedContinuation<Void, Never>?

    private struct Line {
        var text: String
        /// Whether a later one says what it said, but for the handlers that ran and a piece of a trail.
        var isPassing: Bool
    }

    /// Adds an event, a JSON object in a line.
    func add(_ text: String) {
        if lines.count >= Self.capacity {
            let index = lines.firstIndex(where: \.isPassing) ?? lines.startIndex
            lines.remove(at: index)
            left += 1
        }
        lines.append(Line(text: text, isPassing: Self.isPassing(text)))
        wake()
    }

    /// Adds nothing, which shows whether the page is still there.
    func addPulse() { if lines.isEmpty { add("") } }

    /// Waits until there is something, and takes all of it as server-sent events (HTML, "Server-sent events").
    func take() async -> [UInt8] {
        if lines.isEmpty { await withCheckedContinuation { waiter = $0 } }
        var text = left > 0 ? "data: {\"event\": \"dropped\", \"count\": \(left)}\n\n" : ""
        // A line that begins with a colon is a comment.
        for line in lines { text += line.text.isEmpty ? ": still here\n\n" : "data: \(line.text)\n\n" }
        lines.removeAll(keepingCapacity: true)
        left = 0
        return Array(text.utf8)
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }

    /// Whether an event is a record of nothing but moves of touches that were told before; told by its text, which is
    /// touchd's own and has no blanks, so that nothing is parsed for each of a thousand pages.
    private static func isPassing(_ text: String) -> Bool {
        text.contains(#""event":"inspection""#) && text.contains(#""changes":[]"#)
            && text.contains(#""phase":"moved""#) && !text.contains(#""phase":"began""#)
            && !text.contains(#""phase":"ended""#) && !text.contains(#""phase":"cancelled""#)
            && !text.contains(#""attachment""#) && !text.contains(#""pages""#) && !text.contains(#""views""#)
    }
}

/// The feed as the body of a response, taken at the pace at which its reader takes it.
nonisolated struct PageFeedBody: AsyncBufferedSequence {
    typealias Element = UInt8
    let feed: PageFeed

    func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let feed: PageFeed
        private var piece: ArraySlice<UInt8> = []

        fileprivate init(feed: PageFeed) { self.feed = feed }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            if piece.isEmpty { piece = await feed.take()[...] }
            guard !piece.isEmpty else { return nil }
            defer { piece = piece.dropFirst(count) }
            return piece.prefix(count)
        }

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }
    }
}
