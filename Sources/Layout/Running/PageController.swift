import TouchKit

/// A page at work: the controller of its views, which has its handlers in the responder chain.
final class PageController: ViewController {
    let page: PageSpec
    /// The window that shows it when it is its turn.
    unowned let pageWindow: Window

    init(_ page: PageSpec, in window: Window) {
        self.page = page
        pageWindow = window
        super.init()
        view = View(frame: window.bounds)
    }
}
