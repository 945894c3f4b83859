extension LayoutCommand {
    /// Applies the command to a scene, except `ignore` and `reload`, which do not concern the scene.
    package func apply(to scene: Scene) throws(SceneError) {
        switch self {
        case .go(let page): try scene.go(to: page)
        case .show(let id): try scene.setHidden(false, of: id)
        case .hide(let id): try scene.setHidden(true, of: id)
        case .enable(let id): try scene.setEnabled(true, of: id)
        case .disable(let id): try scene.setEnabled(false, of: id)
        case .toggle(let id): try scene.toggle(id)
        case .switchOn(let id): try scene.setOn(true, of: id)
        case .switchOff(let id): try scene.setOn(false, of: id)
        case .reset(let page): try scene.reset(page: page)
        case .ignore, .reload: break
        }
    }
}
