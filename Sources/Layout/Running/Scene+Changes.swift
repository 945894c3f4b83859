import TouchKit

/// What of a scene is not as its file has it.
extension Scene {
    /// A view that was hidden, shown, enabled or disabled since the layout was loaded.
    public struct ViewChange: Equatable, Sendable {
        /// Its id.
        public var id: String
        /// Whether it is hidden now.
        public var isHidden: Bool
        /// Whether it takes touches now.
        public var isEnabled: Bool
    }

    /// The views that are not as the file has them, by their ids; those that were changed back are left out.
    public var changedViews: [ViewChange] {
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
