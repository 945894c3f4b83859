import ControlProtocol
import Handlers
import TouchKit

/// Writes touches to a stream: as readable lines, or as JSON objects, one per line.
final class StreamOutput: TouchOutput {
    private let stream: StandardStream
    /// Limits the moves in readable lines; nil for JSON, which has all of them.
    private var moves: MoveSampler?

    init(_ stream: StandardStream, moves: MoveSampler?) {
        self.stream = stream
        self.moves = moves
    }

    func accepts(_ phase: Touch.Phase, of touch: Int, at time: Double) -> Bool {
        phase != .moved || moves?.accepts(touch: touch, at: time) != false
    }

    func write(_ facts: TouchFacts, handlers: [String]) {
        if facts.phase.isLast { moves?.forget(touch: facts.touch) }
        let record = TouchRecord(facts, handlers: handlers)
        stream.append(line: moves == nil ? record.json() : record.summary)
    }

    func write(words: () -> String, json: () -> String) { stream.append(line: moves == nil ? json() : words()) }
}
