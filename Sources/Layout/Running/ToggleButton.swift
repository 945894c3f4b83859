import Foundation
import TouchKit

/// A button that is on or off (`isSelected`) and changes when it is pressed.
final class ToggleButton: LayoutButton {
    /// The initial state, from the layout.
    let isOnAtFirst: Bool

    init(_ spec: ViewSpec, _ actions: SceneActions, isOn: Bool) {
        isOnAtFirst = isOn
        super.init(spec, actions)
        isSelected = isOn
    }

    override var isSelected: Bool {
        didSet { if isSelected != oldValue, window != nil { actions.observer?.controlChanged(self, .toggled, nil) } }
    }

    override func sendActions(for events: Events, with event: Event?) {
        if events.contains(.touchUpInside) {
            isSelected.toggle()
            super.sendActions(for: [.valueChanged, isSelected ? .switchedOn : .switchedOff], with: event)
        }
        super.sendActions(for: events, with: event)
    }
}
