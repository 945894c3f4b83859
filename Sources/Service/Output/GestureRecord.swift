import ControlProtocol
import Foundation
import Handlers
import Layout
import TouchKit

/// The event for a recognizer that has entered a state.
///
/// Numbers have full precision: a client scales pictures with them.
struct GestureRecord {
    /// The gesture's kind, and its id; nil without one, and in a private view.
    let gesture: String, id: String?
    /// The trigger, by its key in `on:`.
    let trigger: HandlerBinding.Trigger
    /// The nearest view with an id; in a private view the outermost private one.
    let view: String?
    /// The members of the JSON object after `view`.
    private let measures: String
    private let time: TimeInterval

    /// Creates the record of a recognizer at the moment when it enters a state.
    ///
    /// - Parameter time: In seconds, on the clock of the devices' frames.
    init(_ recognizer: GestureRecognizer, _ trigger: HandlerBinding.Trigger, time: TimeInterval) {
        let isConcealed = recognizer.view?.outermostPrivate != nil
        gesture = recognizer.kindName
        id = isConcealed || recognizer.name == gesture ? nil : recognizer.name
        self.trigger = trigger
        view = recognizer.view?.reportedName
        self.time = time
        let touches = recognizer.trackedTouches
        guard !isConcealed, !touches.contains(where: { $0.view?.outermostPrivate != nil }) else {
            measures = ""
            return
        }
        var members: [(String, [Double])] = []
        if !touches.isEmpty {
            let location = recognizer.location(in: nil)
            members = [("x", [location.x]), ("y", [location.y])]
        }
        switch recognizer {
        case let pinch as PinchGestureRecognizer:
            members += [("scale", [pinch.scale]), ("velocity", [pinch.velocity])]
        case let turn as RotationGestureRecognizer:
            members += [("rotation", [turn.rotation]), ("velocity", [turn.velocity])]
        case let pan as PanGestureRecognizer:
            let (way, speed) = (pan.translation(in: pan.view), pan.velocity(in: pan.view))
            members += [("translation", [way.x, way.y]), ("velocity", [speed.x, speed.y])]
        default: break
        }
        var text = ", \"touches\": \(touches.count)"
        for (name, values) in members {
            let numbers = values.map { "\($0.isFinite ? $0 : 0)" }.joined(separator: ", ")
            text += ", \"\(name)\": \(values.count > 1 ? "[\(numbers)]" : numbers)"
        }
        if let swipe = recognizer as? SwipeGestureRecognizer { text += ", \"direction\": \"\(swipe.direction.word)\"" }
        measures = text
    }

    /// The line as a JSON object.
    var json: String {
        """
        {"event": "gesture", "time": \(String(format: "%.6f", time)), "gesture": \(JSONText.quoted(gesture)), \
        \(id.map { "\"id\": \(JSONText.quoted($0)), " } ?? "")"trigger": "\(trigger.rawValue)", \
        "view": \(view.map(JSONText.quoted) ?? "null")\(measures)}
        """
    }

    /// The id of the gesture, or its kind.
    var name: String { id ?? gesture }

    /// The time in seconds with the kernel's microseconds.
    var timestamp: String { FactValue.moment(time).text }

    /// The gesture as a readable line.
    var words: String {
        let name = id.map { "\(gesture) '\($0)'" } ?? gesture
        return "\(String(format: "%10.3f s", time))  \(name) \(trigger.rawValue) on \(view ?? "no view")"
    }

}

extension SwipeGestureRecognizer.Direction {
    fileprivate var word: String {
        switch self {
        case .left: "left"
        case .up: "up"
        case .down: "down"
        default: "right"
        }
    }
}
