import ControlProtocol
import Foundation
import Handlers
import Layout
import TouchKit

extension GestureRecord {
    /// Creates the record of a recognizer at the moment when it enters a state.
    ///
    /// - Parameter time: In seconds, on the clock of the devices' frames.
    @MainActor init(_ recognizer: GestureRecognizer, _ trigger: HandlerBinding.Trigger, time: TimeInterval) {
        let isConcealed = recognizer.view?.outermostPrivate != nil
        let touches = recognizer.trackedTouches
        let isHidden = isConcealed || touches.contains { $0.view?.outermostPrivate != nil }
        let gesture = recognizer.kindName
        self.init(
            time: time, gesture: gesture, id: isConcealed || recognizer.name == gesture ? nil : recognizer.name,
            trigger: trigger.rawValue, view: recognizer.view?.reportedName,
            measures: isHidden ? nil : Measures(recognizer, touches: touches.count))
    }

    /// The time in seconds with the kernel's microseconds.
    var timestamp: String { FactValue.moment(time).text }

    /// The gesture as a readable line.
    var words: String {
        let name = id.map { "\(gesture) '\($0)'" } ?? gesture
        return "\(String(format: "%10.3f s", time))  \(name) \(trigger) on \(view ?? "no view")"
    }
}

extension GestureRecord.Measures {
    @MainActor fileprivate init(_ recognizer: GestureRecognizer, touches: Int) {
        self.init(touches: touches)
        if touches > 0 {
            let location = recognizer.location(in: nil)
            (x, y) = (location.x, location.y)
        }
        switch recognizer {
        case let pinch as PinchGestureRecognizer: (scale, velocity) = (pinch.scale, .scalar(pinch.velocity))
        case let turn as RotationGestureRecognizer: (rotation, velocity) = (turn.rotation, .scalar(turn.velocity))
        case let pan as PanGestureRecognizer:
            let (way, speed) = (pan.translation(in: pan.view), pan.velocity(in: pan.view))
            (translation, velocity) = (.vector(way.x, way.y), .vector(speed.x, speed.y))
        case let swipe as SwipeGestureRecognizer: direction = swipe.direction.word
        default: break
        }
    }
}

extension SwipeGestureRecognizer.Direction {
    @MainActor fileprivate var word: String {
        switch self {
        case .left: "left"
        case .up: "up"
        case .down: "down"
        default: "right"
        }
    }
}
