import ControlProtocol
import Handlers
import TouchKit

/// Writes touches to a stream: as readable lines, or as JSON objects, one per line.
final class StreamOutput: TouchOutput {
    private let stream: StandardStream
    /// Limits the moves in readable lines; nil for JSON, which has all of them.
    private var moves: MoveSampler?
    private var line = JSONWriter()

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
        write(words: { record.summary }, record: { record })
    }

    func write(words: () -> String, record: () -> some JSONWritable) {
        guard moves == nil else { return stream.append(line: words()) }
        line.removeAll()
        record().write(to: &line)
        line.endLine()
        stream.append(line.bytes)
    }
}
