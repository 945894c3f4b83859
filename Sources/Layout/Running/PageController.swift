import TouchKit

/// The controller of a page's views, with the page's handlers in the responder chain.
final class PageController: ViewController {
    let page: PageSpec
    /// The window that shows the page.
    unowned let pageWindow: Window

    init(_ page: PageSpec, in window: Window) {
        self.page = page
        pageWindow = window
        super.init(nibName: nil, bundle: nil)
        view = View(frame: window.bounds)
    }
}
