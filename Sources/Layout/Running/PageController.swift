import TouchKit

/// A page at work: the controller of its views, which has its handlers in the responder chain.
final class PageController: ViewController {
    let page: PageSpec
    /// The window that shows it when it is its turn.
    unowned let pageWindow: Window
    /// Whether its `appeared` was run, and its `disappeared` not since: a page can be chosen and left before it appears.
    var hasAppeared = false

    init(_ page: PageSpec, in window: Window) {
        self.page = page
        pageWindow = window
        super.init()
        view = View(frame: window.bounds)
    }
}
