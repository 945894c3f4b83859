import ControlProtocol
import Layout

extension LayoutState {
    /// Creates the state of a scene.
    package init(_ scene: Scene, path: String?, refusal: String?) {
        self.init(
            layout: path, refusal: refusal,
            screens: scene.document.screens.map { screen in
                Screen(
                    name: screen.name, width: screen.size.width, height: screen.size.height,
                    page: scene.currentPage(onScreen: screen.name))
            },
            views: scene.reportedChanges, toggles: scene.toggles.map { Toggle(view: $0.id, on: $0.isOn) },
            slots: scene.allSlots.map { Slot($0) })
    }
}

extension LayoutState.Slot {
    /// Creates the state of a slot.
    package init(_ slot: Layout.Slot) {
        self.init(slot: slot.name, publisher: slot.publisher, views: slot.viewCount, frame: slot.frame)
    }
}

extension Scene {
    /// The views that differ from the layout file. Views inside private views are omitted, because a handler may have
    /// changed them in response to a touch there.
    var reportedChanges: [InspectionRecord.ViewState] {
        changedViews.compactMap { change in
            guard view(withIdentifier: change.id)?.isReported != false else { return nil }
            return InspectionRecord.ViewState(view: change.id, hidden: change.isHidden, enabled: change.isEnabled)
        }
    }
}
