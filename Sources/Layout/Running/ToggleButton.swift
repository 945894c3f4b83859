import Foundation
import TouchKit

/// A button that is on or off (`isSelected`) and changes when it is pressed.
final class ToggleButton: LayoutButton {
    /// The initial state, from the layout or the last publication.
    var isOnAtFirst: Bool { spec.control == .toggle(isOn: true) }
    private var isRestoring = false

    init(_ spec: ViewSpec, _ actions: SceneActions, isOn: Bool) {
        super.init(spec, actions)
        restore(isOn)
    }

    override var isSelected: Bool {
        didSet { if isSelected != oldValue, !isRestoring { actions.observer?.controlChanged(self, .toggled, nil) } }
    }

    /// Sets a state without a change for the scene's observer: the first one, that of another publication, or that before
    /// a reload.
    func restore(_ isOn: Bool) {
        isRestoring = true
        isSelected = isOn
        isRestoring = false
    }

    override var isChanged: Bool { isSelected != isOnAtFirst || super.isChanged }

    override func adoptState(of former: View) {
        super.adoptState(of: former)
        if let former = former as? ToggleButton, former.isOnAtFirst == isOnAtFirst { restore(former.isSelected) }
    }

    override func sendActions(for events: Events, with event: Event?) {
        if events.contains(.touchUpInside) {
            isSelected.toggle()
            super.sendActions(for: [.valueChanged, isSelected ? .switchedOn : .switchedOff], with: event)
        }
        super.sendActions(for: events, with: event)
    }
}
