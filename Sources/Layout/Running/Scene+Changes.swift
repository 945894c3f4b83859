import TouchKit

/// The differences between a scene's state and its file.
extension Scene {
    /// A view that was hidden, shown, enabled or disabled since the layout was loaded.
    package struct ViewChange: Equatable, Sendable {
        /// Its id.
        package var id: String
        /// Whether it is hidden now.
        package var isHidden: Bool
        /// Whether it is enabled now.
        package var isEnabled: Bool
    }

    /// The views whose state differs from the file, sorted by id; views that were changed back are left out.
    package var changedViews: [ViewChange] {
        guard !originallyHidden.isEmpty || !originallyEnabled.isEmpty else { return [] }
        return Set(originallyHidden.keys).union(originallyEnabled.keys).sorted().compactMap { id in
            guard let view = view(withIdentifier: id) else { return nil }
            let wasHidden = originallyHidden[id] ?? view.isHidden
            let wasEnabled = originallyEnabled[id] ?? view.isUserInteractionEnabled
            guard view.isHidden != wasHidden || view.isUserInteractionEnabled != wasEnabled else { return nil }
            return ViewChange(id: id, isHidden: view.isHidden, isEnabled: view.isUserInteractionEnabled)
        }
    }
}
