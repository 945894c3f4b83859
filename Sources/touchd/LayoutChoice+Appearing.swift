import EventLoop
import Handlers
import Layout
import Logging
import TouchKit

extension LayoutChoice.Place {
    /// The layout after the `appeared` handlers of its pages: the views that they show, hide, enable and disable, and,
    /// without a chosen page, the page to which they go. No program is started, nothing is sent.
    @MainActor
    func afterAppearing(keepingPage isPageChosen: Bool) throws -> Self {
        let application = Application()
        let runner = HandlerRunner(
            registry: HandlerRegistry(), application: application, loop: .main,
            logger: Logger(label: "appearing") { _ in SwiftLogNoOpLogHandler() }, deviceName: { _ in "" })
        runner.isRehearsal = true
        runner.define(document.handlers)
        let scene = Scene(document, application: application) { step, occasion in runner.perform(step, for: occasion) }
        runner.scene = scene
        if isPageChosen, let page { try scene.go(to: page.name) }
        scene.activate()
        let changes = Dictionary(scene.changedViews.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let current = isPageChosen ? page?.name : scene.currentPage(onScreen: screen.name)
        scene.deactivate()
        runner.close()
        var place = self
        place.document.views = Self.changed(document.views, changes)
        for index in document.pages.indices {
            place.document.pages[index].views = Self.changed(document.pages[index].views, changes)
        }
        place.page = place.document.pages.first { $0.name == current }
        return place
    }

    @MainActor
    private static func changed(_ views: [ViewSpec], _ changes: [String: Scene.ViewChange]) -> [ViewSpec] {
        guard !changes.isEmpty else { return views }
        return views.map { view in
            var view = view
            if let change = view.id.flatMap({ changes[$0] }) {
                (view.isHidden, view.isEnabled) = (change.isHidden, change.isEnabled)
            }
            view.views = changed(view.views, changes)
            return view
        }
    }
}
