import ControlProtocol
import Layout
import TouchKit

extension LayoutState {
    @MainActor package init(_ scene: Scene, path: String?, refusal: String?) {
        self.init()
        (layout, self.refusal) = (path, refusal)
        screens = scene.document.screens.map { screen in
            Screen {
                ($0.name, $0.page) = (screen.name, scene.currentPage(onScreen: screen.name))
                ($0.width, $0.height) = (screen.size.width, screen.size.height)
            }
        }
        views = scene.reportedChanges
        toggles = scene.toggles.map { toggle in Toggle { ($0.view, $0.on) = (toggle.id, toggle.isOn) } }
        slots = scene.allSlots.map { Slot($0) }
        ignoring = scene.application.isIgnoringInteractionEvents
    }
}

extension LayoutState.Slot {
    @MainActor package init(_ slot: Layout.Slot) {
        self.init()
        (self.slot, publisher, views) = (slot.name, slot.publisher, slot.viewCount)
        (x, y, width, height) = (slot.frame.minX, slot.frame.minY, slot.frame.width, slot.frame.height)
    }
}

extension Scene {
    /// The views that differ from the layout file. Views inside private views are omitted, because a handler may have
    /// changed them in response to a touch there.
    var reportedChanges: [InspectionRecord.ViewState] {
        changedViews.compactMap { change in
            guard view(withIdentifier: change.id)?.isReported != false else { return nil }
            return InspectionRecord.ViewState {
                ($0.view, $0.hidden, $0.enabled) = (change.id, change.isHidden, change.isEnabled)
            }
        }
    }
}
