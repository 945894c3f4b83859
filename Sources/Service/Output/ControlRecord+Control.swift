import ControlProtocol
import Foundation
import Handlers
import Layout
import TouchKit

extension ControlRecord {
    /// Creates the record of a change at the moment when it happens.
    ///
    /// - Parameters:
    ///   - time: In seconds, on the clock of the devices' frames.
    ///   - isForPublisher: Whether it is for the client that has published the view. It gets the id of a view in a
    ///     private one, because it made the keys of its PIN pad itself; others get that of the outermost private view.
    @MainActor init(_ control: Control, _ change: ControlChange, time: TimeInterval, isForPublisher: Bool = false) {
        let isShown = isForPublisher || control.superview?.outermostPrivate == nil
        self.init(
            time: time, control: change.rawValue,
            view: isForPublisher ? control.identifier ?? control.reportedName : control.reportedName,
            on: change == .toggled && isShown ? control.isSelected : nil)
    }

    /// The change as a readable line.
    var words: String {
        let word = on.map { "switched \($0 ? "on" : "off")" } ?? control
        return "\(String(format: "%10.3f s", time))  \(view ?? "a control") \(word)"
    }
}
