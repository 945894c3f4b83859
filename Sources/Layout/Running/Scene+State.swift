import ControlProtocol
import TouchKit

/// The view state that handlers change, and how it is kept on reload.
extension Scene {
    /// Whether a view itself is not hidden; its ancestors may be.
    package func isShown(_ id: String) throws(SceneError) -> Bool { try !existing(id).isHidden }

    /// Whether a view itself is enabled; its ancestors may be disabled.
    package func isEnabled(_ id: String) throws(SceneError) -> Bool { try existing(id).isUserInteractionEnabled }

    /// Whether a toggle is on.
    package func isOn(_ id: String) throws(SceneError) -> Bool {
        guard let toggle = try existing(id) as? ToggleButton else { throw .noToggle(id) }
        return toggle.isSelected
    }

    /// Hides or shows a view. Touches that began on it continue, as in UIKit.
    package func setHidden(_ isHidden: Bool, of id: String) throws(SceneError) {
        let view = try existing(id)
        originallyHidden[id] = originallyHidden[id] ?? view.isHidden
        view.isHidden = isHidden
    }

    /// Enables or disables a view; disabling a control cancels tracking.
    package func setEnabled(_ isEnabled: Bool, of id: String) throws(SceneError) {
        let view = try existing(id)
        originallyEnabled[id] = originallyEnabled[id] ?? view.isUserInteractionEnabled
        set(isEnabled, of: view)
    }

    /// Switches a toggle on or off without running its handlers.
    package func setOn(_ isOn: Bool, of id: String) throws(SceneError) {
        guard let toggle = try existing(id) as? ToggleButton else { throw .noToggle(id) }
        toggle.isSelected = isOn
    }

    /// The toggles with an id, each with its state, sorted by id; without those in private views.
    package var toggles: [(id: String, isOn: Bool)] {
        let published = slots.values.flatMap(\.views.values).compactMap { $0 as? ToggleButton }.filter(\.isReported)
        let all = (fileToggles + published).compactMap { toggle in
            toggle.identifier.map { (id: $0, isOn: toggle.isSelected) }
        }
        return published.isEmpty ? all : all.sorted { $0.id < $1.id }
    }

    /// Restores the views of a page: hidden or shown, enabled or disabled, switched on or off as the layout or the
    /// publisher has them. Runs no handlers.
    package func reset(page name: String) throws(SceneError) {
        guard let page = pages[name] else {
            throw .noPage(name, nearest: NearestName.of(name, among: pages.keys))
        }
        reset(page)
    }

    func reset(_ page: PageController) {
        var waiting = page.view.subviews
        while let view = waiting.popLast() {
            waiting += view.subviews
            if let toggle = view as? ToggleButton { toggle.isSelected = toggle.isOnAtFirst }
            guard let id = view.identifier else { continue }
            if let wasHidden = originallyHidden.removeValue(forKey: id) { view.isHidden = wasHidden }
            if let wasEnabled = originallyEnabled.removeValue(forKey: id) { set(wasEnabled, of: view) }
        }
    }

    /// Switches a toggle without running its handlers; hides or shows any other view.
    package func toggle(_ id: String) throws(SceneError) {
        if let toggle = try existing(id) as? ToggleButton {
            toggle.isSelected.toggle()
        } else {
            try setHidden(isShown(id), of: id)
        }
    }

    /// Copies the state of another scene before `activate()`: the visible pages that still exist, and changes to views
    /// and toggles, unless the file changed the same property.
    ///
    /// Copied pages do not appear again: their `appeared` handlers do not run.
    package func adoptState(of old: Scene) {
        for page in old.currentPages {
            guard let controller = pages[page], let number = windows.firstIndex(where: { $0 === controller.pageWindow })
            else { continue }
            current[number] = controller
            if old.pages[page]?.hasAppeared == true { adoptedPages.insert(page) }
        }
        for (id, wasHidden) in old.originallyHidden {
            guard let now = old.view(withIdentifier: id)?.isHidden, now != wasHidden,
                let view = view(withIdentifier: id), view.isHidden == wasHidden
            else { continue }
            originallyHidden[id] = wasHidden
            view.isHidden = now
        }
        for (id, wasEnabled) in old.originallyEnabled {
            guard let now = old.view(withIdentifier: id)?.isUserInteractionEnabled, now != wasEnabled,
                let view = view(withIdentifier: id),
                view.isUserInteractionEnabled == wasEnabled
            else { continue }
            originallyEnabled[id] = wasEnabled
            set(now, of: view)
        }
        for (id, before) in old.togglesByID {
            guard before.isSelected != before.isOnAtFirst, let toggle = view(withIdentifier: id) as? ToggleButton,
                toggle.isOnAtFirst == before.isOnAtFirst
            else { continue }
            toggle.isSelected = before.isSelected
        }
    }

    func set(_ isEnabled: Bool, of view: View) {
        view.isUserInteractionEnabled = isEnabled
        if let control = view as? Control { control.isEnabled = isEnabled }
    }

    func existing(_ id: String) throws(SceneError) -> View {
        guard let view = view(withIdentifier: id) else {
            throw .noView(id, nearest: NearestName.of(id, among: identifiers))
        }
        return view
    }
}
