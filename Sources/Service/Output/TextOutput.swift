import ControlProtocol
import Handlers
import TouchKit

/// Writes touches as readable lines.
final class TextOutput: TouchOutput {
    private let stream: StandardStream
    private var moves: MoveSampler

    init(_ stream: StandardStream, moves: MoveSampler) {
        self.stream = stream
        self.moves = moves
    }

    func accepts(_ phase: Touch.Phase, of touch: Int, at time: Double) -> Bool {
        phase != .moved || moves.accepts(touch: touch, at: time)
    }

    func write(_ facts: TouchFacts, handlers: [String]) {
        if facts.phase.isLast { moves.forget(touch: facts.touch) }
        stream.append(line: TouchRecord(facts, handlers: handlers).summary)
    }

    func write(words: () -> String, json: () -> String) { stream.append(line: words()) }
}
