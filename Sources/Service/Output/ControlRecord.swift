import ControlProtocol
import Foundation
import Handlers
import Layout
import TouchKit

/// The event for a control that is held, pressed, released or switched.
struct ControlRecord {
    private let change: ControlChange
    private let isOn: Bool
    private let view: View
    private let time: TimeInterval

    /// Creates the record of a change at the moment when it happens.
    ///
    /// - Parameter time: In seconds, on the clock of the devices' frames.
    init(_ control: Control, _ change: ControlChange, time: TimeInterval) {
        self.change = change
        isOn = control.isSelected
        view = control
        self.time = time
    }

    /// The line as a JSON object.
    ///
    /// - Parameter isPublisher: Whether the reader has published the view. It gets the id of a view in a private one,
    ///   because it made the keys of its PIN pad itself; others get that of the outermost private view.
    func json(isPublisher: Bool = false) -> String {
        let name = isPublisher ? view.identifier ?? view.reportedName : view.reportedName
        let isShown = isPublisher || view.superview?.outermostPrivate == nil
        let on = change == .toggled && isShown ? ", \"on\": \(isOn)" : ""
        return """
            {"event": "control", "time": \(String(format: "%.6f", time)), "control": "\(change.rawValue)", \
            "view": \(name.map(JSONText.quoted) ?? "null")\(on)}
            """
    }

    /// The change as a readable line.
    var words: String {
        let isShown = view.superview?.outermostPrivate == nil
        let word = change == .toggled && isShown ? "switched \(isOn ? "on" : "off")" : change.rawValue
        return "\(String(format: "%10.3f s", time))  \(view.reportedName ?? "a control") \(word)"
    }
}
