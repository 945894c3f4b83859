import TouchKit

/// A window that prints each event before it passes it on, as every event of a window comes through `sendEvent(_:)`.
final class BenchWindow: Window {
    override func sendEvent(_ event: Event) {
        switch event.type {
        case .touches: for touch in changed(event) { print(line(touch, event)) }
        case .presses: for press in (event as? PressesEvent)?.allPresses ?? [] { print(line(press)) }
        case .motion, .remoteControl, .scroll, .hover:
            print("\(seconds(event.timestamp)) \(event.type) \(event.subtype)")
        }
        super.sendEvent(event)
    }

    private func changed(_ event: Event) -> [Touch] {
        (event.allTouches ?? []).filter { $0.phase != .stationary }.sorted { $0.id < $1.id }
    }

    private func line(_ touch: Touch, _ event: Event) -> String {
        let place = touch.location(in: self)
        var line = "\(seconds(touch.timestamp)) touch \(touch.id) \(touch.phase)"
        line += " at \(tenths(place.x)), \(tenths(place.y))"
        if touch.tapCount > 1 { line += ", tap \(touch.tapCount)" }
        if touch.type != .direct { line += ", \(touch.type)" }
        if touch.maximumPossibleForce > 0 { line += ", force \(tenths(touch.force))" }
        if touch.majorRadius > 0 { line += ", radius \(tenths(touch.majorRadius))" }
        let samples = event.coalescedTouches(for: touch)?.count ?? 1
        return samples > 1 ? "\(line), \(samples) samples" : line
    }

    private func line(_ press: Press) -> String {
        let meaning = press.type.map { " (\($0))" } ?? ""
        return "\(seconds(press.timestamp)) key \(press.key?.code ?? 0)\(meaning) \(press.phase)"
    }

    private func seconds(_ time: TimeInterval) -> String { String(format: "%10.3f", time) }

    private func tenths(_ value: CGFloat) -> String { String(format: "%.1f", value) }
}
