/// The callbacks of a scene's views, controls and recognizers.
///
/// A reference to this object makes the closures of 50,000 views smaller.
package final class SceneActions {
    let perform: (HandlerStep, HandlerContext) -> Void
    /// See `Scene.observer`.
    unowned var observer: (any SceneObserver)?

    init(_ perform: @escaping (HandlerStep, HandlerContext) -> Void) { self.perform = perform }
}
