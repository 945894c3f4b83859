import TouchKit

/// What handlers change of views, and what stays of it when a layout is loaded again.
extension Scene {
    /// Whether a view is not hidden itself; what it is in may be.
    public func isShown(_ id: String) throws(SceneError) -> Bool { try !existing(id).isHidden }

    /// Whether a view takes touches for its own part; what it is in may not.
    public func isEnabled(_ id: String) throws(SceneError) -> Bool { try existing(id).isUserInteractionEnabled }

    /// Whether a toggle is on.
    public func isOn(_ id: String) throws(SceneError) -> Bool {
        guard let toggle = try existing(id) as? ToggleButton else { throw .noToggle(id) }
        return toggle.isSelected
    }

    /// Hides a view or shows it. Touches that are on it stay on it, as in UIKit.
    public func setHidden(_ isHidden: Bool, of id: String) throws(SceneError) {
        let view = try existing(id)
        originallyHidden[id] = originallyHidden[id] ?? view.isHidden
        view.isHidden = isHidden
    }

    /// Has a view take touches or not; disabling a control cancels what it follows.
    public func setEnabled(_ isEnabled: Bool, of id: String) throws(SceneError) {
        let view = try existing(id)
        originallyEnabled[id] = originallyEnabled[id] ?? view.isUserInteractionEnabled
        set(isEnabled, of: view)
    }

    /// Switches a toggle, without running its handlers; hides any other view that is shown and shows one that is hidden.
    public func toggle(_ id: String) throws(SceneError) {
        if let toggle = try existing(id) as? ToggleButton {
            toggle.isSelected.toggle()
        } else {
            try setHidden(isShown(id), of: id)
        }
    }

    /// Takes over, before `activate()`, what is shown in another scene: its pages where they are still there, and what was
    /// changed of views and toggles, where that was not changed in the file as well.
    ///
    /// The pages taken over do not appear again: no `appeared` handler runs for them.
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
