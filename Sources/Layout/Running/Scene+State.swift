import TouchKit

/// The view state that handlers change, and how it is kept on reload.
extension Scene {
    /// Whether a view itself is not hidden; its ancestors may be.
    public func isShown(_ id: String) throws(SceneError) -> Bool { try !existing(id).isHidden }

    /// Whether a view itself is enabled; its ancestors may be disabled.
    public func isEnabled(_ id: String) throws(SceneError) -> Bool { try existing(id).isUserInteractionEnabled }

    /// Whether a toggle is on.
    public func isOn(_ id: String) throws(SceneError) -> Bool {
        guard let toggle = try existing(id) as? ToggleButton else { throw .noToggle(id) }
        return toggle.isSelected
    }

    /// Hides or shows a view. Touches that began on it continue, as in UIKit.
    public func setHidden(_ isHidden: Bool, of id: String) throws(SceneError) {
        let view = try existing(id)
        originallyHidden[id] = originallyHidden[id] ?? view.isHidden
        view.isHidden = isHidden
    }

    /// Enables or disables a view; disabling a control cancels tracking.
    public func setEnabled(_ isEnabled: Bool, of id: String) throws(SceneError) {
        let view = try existing(id)
        originallyEnabled[id] = originallyEnabled[id] ?? view.isUserInteractionEnabled
        set(isEnabled, of: view)
    }

    /// Switches a toggle without running its handlers; hides or shows any other view.
    public func toggle(_ id: String) throws(SceneError) {
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
    public func adoptState(of old: Scene) {
        for page in old.currentPages {
            guard let controller = pages[page], let number = windows.firstIndex(where: { $0 === controller.pageWindow })
            else { continue }
            current[number] = controller
            if old.pages[page]?.hasAppeared == true { adoptedPages.insert(page) }
        }
        for (id, wasHidden) in old.originallyHidden {
            guard let now = old.views[id]?.isHidden, now != wasHidden, let view = views[id], view.isHidden == wasHidden
            else { continue }
            originallyHidden[id] = wasHidden
            view.isHidden = now
        }
        for (id, wasEnabled) in old.originallyEnabled {
            guard let now = old.views[id]?.isUserInteractionEnabled, now != wasEnabled, let view = views[id],
                view.isUserInteractionEnabled == wasEnabled
            else { continue }
            originallyEnabled[id] = wasEnabled
            set(now, of: view)
        }
        for (id, view) in old.views {
            guard let before = view as? ToggleButton, before.isSelected != before.isOnAtFirst,
                let toggle = views[id] as? ToggleButton, toggle.isOnAtFirst == before.isOnAtFirst
            else { continue }
            toggle.isSelected = before.isSelected
        }
    }

    private func set(_ isEnabled: Bool, of view: View) {
        view.isUserInteractionEnabled = isEnabled
        if let control = view as? Control { control.isEnabled = isEnabled }
    }

    private func existing(_ id: String) throws(SceneError) -> View {
        guard let view = views[id] else { throw .noView(id, nearest: NearestName.of(id, among: views.keys)) }
        return view
    }
}
