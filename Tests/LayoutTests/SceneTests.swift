import Foundation
import Layout
import Testing
import TouchKit

/// The windows of a running layout.
@Suite struct SceneTests {
    private func window(_ text: String) throws -> Window {
        let document = try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"])
        return try #require(Scene(document) { _, _ in }.windows.first)
    }

    @Test("a view has the layout's id, frame in the superview's points, and flags")
    func viewProperties() throws {
        let window = try window(
            """
            screen: {size: [800, 480]}
            views:
              - id: panel
                frame: [100, 50, 400, 300]
                multiple-touch: true
                exclusive-touch: true
                views:
                  - {id: off, frame: [10.5, 10, 20, 20], enabled: false, hidden: true, alpha: 0.5}
            """)
        let panel = try #require(window.subviews.first)
        let off = try #require(panel.subviews.first)

        #expect(window.frame == CGRect(x: 0, y: 0, width: 800, height: 480))
        #expect(panel.identifier == "panel")
        #expect(panel.frame == CGRect(x: 100, y: 50, width: 400, height: 300))
        #expect(panel.isMultipleTouchEnabled && panel.isExclusiveTouch)
        #expect(off.frame == CGRect(x: 10.5, y: 10, width: 20, height: 20))
        #expect(!off.isUserInteractionEnabled && off.isHidden && off.alpha == 0.5)
    }

    @Test("views are stacked in file order, so the later one is hit")
    func viewOrder() throws {
        let window = try window(
            """
            screen: {size: [100, 100]}
            views:
              - {id: behind, frame: [0, 0, 60, 60]}
              - {id: before, frame: [40, 40, 60, 60]}
            """)
        window.isHidden = false
        #expect(window.hitTest(CGPoint(x: 50, y: 50), with: nil)?.identifier == "before")
        #expect(window.hitTest(CGPoint(x: 10, y: 10), with: nil)?.identifier == "behind")
    }
}
