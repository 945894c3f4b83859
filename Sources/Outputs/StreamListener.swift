import ControlProtocol
import Foundation

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
        guard moves == nil else {
            if case .touch(let touch) = event.content, touch.phase.isLast { moves?.forget(touch: touch.touch) }
            return stream.append(line: event.words)
        }
        line.removeAll()
        event.write(to: &line)
        line.endLine()
        stream.append(line.bytes)
    }
}

extension OutputEvent {
    fileprivate var words: String {
        let time = String(format: "%10.3f s  ", header.time)
        return switch content {
        case .touch(let touch): touch.summary
        case .gesture(let gesture):
            time + (gesture.id.map { "\(gesture.gesture) '\($0)'" } ?? gesture.gesture)
                + " \(gesture.trigger.rawValue) on \(gesture.view ?? "no view")"
        case .control(let control, _):
            time + "\(control.view ?? "a control") "
                + (control.on.map { "switched \($0 ? "on" : "off")" } ?? control.control.rawValue)
        case .page(let page): time + "page \(page.page)"
        case .idle(let idle): time + "\(idle.trigger.rawValue) (after \(idle.after) s)"
        case .published(let message): time + "published to \(message.topic): \(message.message)"
        }
    }
}
