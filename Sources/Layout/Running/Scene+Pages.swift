import TouchKit

/// Which page each screen shows.
extension Scene {
    /// Handlers of pages that appear may go on to others, but not for ever.
    private static let goDepthLimit = 16

    /// The names of the pages that are shown, in the order of the screens; a screen without pages is left out.
    public var currentPages: [String] { current.compactMap { $0?.page.name } }

    /// The page that a screen shows, by the screen's name, the first with nil; nil if it has none.
    public func currentPage(onScreen name: String? = nil) -> String? {
        let number = name.map { name in document.screens.firstIndex { $0.name == name } } ?? 0
        return number.flatMap { current.indices.contains($0) ? current[$0]?.page.name : nil }
    }

    /// The page that a responder is on, or for one that is on every page the one that its window shows.
    public func page(of responder: Responder?) -> String? {
        var candidate = responder
        while let responder = candidate {
            if let controller = responder as? PageController { return controller.page.name }
            if let number = windows.firstIndex(where: { $0 === responder }) { return current[number]?.page.name }
            candidate = responder.next
        }
        return nil
    }

    /// Shows a page in place of the one that its screen shows, whose touches are cancelled; then runs `disappeared` of
    /// that one, if that had appeared, and `appeared` of the new one. Nothing happens if it is shown already.
    ///
    /// Before `activate()` it only chooses the page that will be shown.
    public func go(to name: String) throws(SceneError) {
        guard let page = pages[name] else {
            throw .noPage(name, nearest: NearestName.of(name, among: pages.keys))
        }
        // Every page's window is one of the scene's.
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
        if let former, former.hasAppeared { run(.disappeared, of: former) }
        // A handler may have gone on to another page already.
        guard current[number] === page else { return }
        run(.appeared, of: page)
        guard current[number] === page else { return }
        didShowPage?(name)
    }
}
