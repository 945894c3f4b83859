import ControlProtocol
import Foundation
import Layout
import TouchKit

extension ViewList {
    /// The number of views in a part: one is made between two passes of the loop, with a hit test for each view.
    private static let partSize = 200

    /// One part of a scene's views, without those inside private views.
    @MainActor package init(_ scene: Scene, part: Int) {
        self.init()
        let views = scene.identifiedViews.filter(\.isReported)
        let rest = views.dropFirst(min(part, views.count) * Self.partSize)
        self.views = rest.prefix(Self.partSize).map { View($0, in: scene) }
        next = rest.count > Self.partSize ? part + 1 : nil
    }
}

extension ViewList.View {
    @MainActor fileprivate init(_ view: TouchKit.View, in scene: Scene) {
        self.init()
        let around = Array(view.withSuperviews), id = view.accessibilityIdentifier ?? ""
        (self.view, screen) = (id, scene.screenName(of: view))
        page = scene.ownPage(of: view)
        let bounds = view.convert(view.bounds, to: around.last)
        frame = Frame(x: bounds.minX, y: bounds.minY, width: bounds.width, height: bounds.height)
        // A window is hidden as long as its scene is not active.
        hidden = around.contains { $0.isHidden && !($0 is Window) }
        enabled = around.allSatisfy(\.isUserInteractionEnabled)
        on = try? scene.isOn(id)
        guard view.window != nil, !hidden, enabled else { return }
        let middle = CGPoint(x: bounds.midX, y: bounds.midY)
        // A private view stands for all that is in it.
        covered = scene.hit(middle, onScreen: screen, tellsOutside: false, concealsPrivate: true)
            .map { !$0.path.contains(id) }
    }
}

extension Scene {
    /// The pages in the layout's order.
    package var pageStates: [PageState] {
        document.pages.map { page in
            PageState {
                ($0.page, $0.screen) = (page.name, screenName(ofPage: page.name))
                $0.shown = currentPages.contains(page.name)
            }
        }
    }
}
