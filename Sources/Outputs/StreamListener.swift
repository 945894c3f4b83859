import ControlProtocol

/// Writes what happened to a stream: as readable lines, or as JSON objects, one per line.
package final class StreamListener: TouchListener {
    private let stream: StandardStream
    /// Limits the moves in readable lines; nil for JSON, which has all of them.
    private var moves: MoveSampler?
    private var line = JSONWriter()

    /// Creates a listener for readable lines with some of the moves, or, without a sampler, for JSON.
    package init(_ stream: StandardStream, moves: MoveSampler?) {
        self.stream = stream
        self.moves = moves
    }

    package func wants(_ header: EventHeader) -> Bool {
        // A line for each step of a pinch would hide all others.
        guard header.isStep, moves != nil else { return true }
        return header.kind == .touch && moves?.accepts(touch: header.touch, at: header.time) == true
    }

    package func note(_ event: OutputEvent) {
        if moves != nil, case .touch(let touch) = event.content {
            if touch.phase.isLast { moves?.forget(touch: touch.touch) }
            return stream.append(line: touch.time.timeColumn + touch.words)
        }
        line.removeAll()
        event.write(to: &line)
        guard moves == nil else {
            return stream.append(line: event.header.time.timeColumn + EventText.words(of: line.bytes))
        }
        line.endLine()
        stream.append(line.bytes)
    }
}
