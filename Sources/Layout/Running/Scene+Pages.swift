import ControlProtocol
import TouchKit

/// The page that each screen shows.
extension Scene {
    /// The limit for `appeared` handlers that go to further pages.
    private static let goDepthLimit = 16

    /// The names of the visible pages, in the order of the screens; screens without pages are left out.
    package var currentPages: [String] { current.compactMap { $0?.page.name } }

    /// The page that a screen shows, by the screen's name; nil means the first screen. Returns nil if the screen has no
    /// page.
    package func currentPage(onScreen name: String? = nil) -> String? {
        let number = name.map { name in document.screens.firstIndex { $0.name == name } } ?? 0
        return number.flatMap { current.indices.contains($0) ? current[$0]?.page.name : nil }
    }

    /// The page of a responder; for a responder on every page, the page that its window shows.
    package func page(of responder: Responder?) -> String? {
        var candidate = responder
        while let responder = candidate {
            if let controller = responder as? PageController { return controller.page.name }
            for (number, window) in windows.enumerated() where window === responder {
                return current[number]?.page.name
            }
            candidate = responder.next
        }
        return nil
    }

    /// The name of a page's screen; nil if there is only one screen.
    package func screenName(ofPage name: String) -> String? { screenName(of: pages[name]?.pageWindow) }

    /// Shows a page on its screen and cancels the touches on the previous page. Then runs the previous page's
    /// `disappeared`, if that page had appeared, and the new page's `appeared`. Does nothing if the page is visible
    /// already.
    ///
    /// Before `activate()`, only selects the page to show.
    package func go(to name: String) throws(SceneError) {
        guard let page = pages[name] else {
            throw .noPage(name, nearest: NearestName.of(name, among: pages.keys))
        }
        // Every page's window belongs to the scene.
        guard let number = windows.firstIndex(where: { $0 === page.pageWindow }), current[number] !== page else {
            return
        }
        guard isActive else { return current[number] = page }
        guard goDepth < Self.goDepthLimit else { throw .pagesWithoutEnd(last: name) }
        goDepth += 1
        defer { goDepth -= 1 }
        let former = current[number]
        current[number] = page
        page.pageWindow.rootViewController = page
        if let former, former.hasAppeared {
            run(.disappeared, of: former)
            if former.page.resetsOnLeave, current[number] !== former { reset(former) }
        }
        // A handler may have selected another page already.
        guard current[number] === page else { return }
        run(.appeared, of: page)
        guard current[number] === page else { return }
        observer?.pageShown(name)
    }
}
