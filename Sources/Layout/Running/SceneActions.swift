import TouchKit

/// The callbacks of a scene's views, controls and recognizers, which exist before the scene and its observer.
package final class SceneActions {
    let perform: (HandlerStep, HandlerContext) -> Void
    /// See `Scene.observer`.
    unowned var observer: (any SceneObserver)?
    /// The language of labels; nil for the first of each.
    var language: String?
    /// Finds a view by its id, once the scene exists.
    var findView: (String) -> View? = { _ in nil }

    init(_ perform: @escaping (HandlerStep, HandlerContext) -> Void) { self.perform = perform }
}
