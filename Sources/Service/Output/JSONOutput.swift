import ControlProtocol
import Handlers
import TouchKit

/// Writes touches as JSON objects, one per line.
final class JSONOutput: TouchOutput {
    private let stream: StandardStream

    init(_ stream: StandardStream) { self.stream = stream }

    func accepts(_ phase: Touch.Phase, of touch: Int, at time: Double) -> Bool { true }

    func write(_ facts: TouchFacts, handlers: [String]) {
        stream.append(line: TouchRecord(facts, handlers: handlers).json())
    }

    func write(words: () -> String, json: () -> String) { stream.append(line: json()) }
}
