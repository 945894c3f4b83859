import ControlProtocol

extension LayoutCommand {
    /// Applies the command to a scene, except `ignore` and `reload`, which do not concern the scene.
    package func apply(to scene: Scene) throws(SceneError) {
        guard case .named(let kind, let name) = self else { return }
        switch kind {
        case .go: try scene.go(to: name)
        case .show, .hide: try scene.setHidden(kind == .hide, of: name)
        case .enable, .disable: try scene.setEnabled(kind == .enable, of: name)
        case .toggle: try scene.toggle(name)
        case .switchOn, .switchOff: try scene.setOn(kind == .switchOn, of: name)
        case .reset: try scene.reset(page: name)
        case .ignore, .reload: break
        }
    }
}
