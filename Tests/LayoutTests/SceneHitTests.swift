import Foundation
import Layout
import Testing
import TouchKit

/// Hit-testing a layout: frames, shapes, slop, transforms, pass-through, redirects, and private areas.
@Suite struct SceneHits {
    @Test(
        "percentages and distances from edges refer to the superview",
        arguments: [
            ("frame: [10%, 25%, 50%, 100]", CGRect(x: 20, y: 50, width: 100, height: 100)),
            ("place: {left: 10, right: 30, top: 10%, height: 40}", CGRect(x: 10, y: 20, width: 160, height: 40)),
            ("place: {width: 50, right: 5, height: 50%, bottom: 0}", CGRect(x: 145, y: 100, width: 50, height: 100)),
            ("place: {left: 1, width: 2, top: 3, bottom: 4}", CGRect(x: 1, y: 3, width: 2, height: 193)),
            (
                "place: {center-x: 50%, width: 40, center-y: 100, height: 10%}",
                CGRect(x: 80, y: 90, width: 40, height: 20)
            ),
        ])
    func places(place: String, frame: CGRect) throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            views:
              - id: panel
                frame: [100, 100, 200, 200]
                views: [{id: a, \(place)}]
            """)
        #expect(kiosk.scene.view(withIdentifier: "a")?.frame == frame)
    }

    @Test(
        "a view is hit in its shape and its slop only, after its transform",
        arguments: [
            ("shape: rectangle", [(100, 100), (199, 199)], [(99, 100), (200, 150)]),
            ("shape: ellipse", [(150, 101), (101, 150), (120, 120)], [(101, 101), (110, 110), (199, 199)]),
            ("shape: {rounded: 30}", [(130, 101), (110, 110)], [(101, 101), (104, 104), (199, 198)]),
            ("shape: {polygon: [[0, 0], [100%, 0], [0, 100%]]}", [(110, 110), (149, 149)], [(160, 160), (199, 199)]),
            ("slop: 10", [(91, 91), (209, 209)], [(89, 150), (150, 211)]),
            ("slop: [0, 20, 0, 0]", [(81, 150), (100, 100)], [(150, 99), (201, 150)]),
            (
                "shape: {polygon: [[0, 0], [100, 0], [0, 100]]}, slop: [20, 10, 10, 10]",
                [(154, 154), (91, 100), (150, 81)], [(165, 165), (150, 79)]
            ),
            ("shape: ellipse, slop: 10", [(150, 91), (91, 150)], [(95, 95)]),
            // Scaled, then rotated about its center, then moved: 100 points wide and 200 high, with the center at (150, 200).
            (
                "transform: {translate: [0, 50], rotate: 90, scale: [2, 1]}", [(150, 101), (150, 299), (101, 200)],
                [(150, 99), (150, 301), (99, 200), (201, 200)]
            ),
        ] as [(String, [(Double, Double)], [(Double, Double)])])
    func shapes(form: String, inside: [(Double, Double)], outside: [(Double, Double)]) throws {
        let kiosk = try LayoutKiosk(
            "screen: {size: [400, 400]}\nviews: [{id: a, frame: [100, 100, 100, 100], \(form)}]\n")
        for (x, y) in inside { #expect(kiosk.hit(x, y) == "a", "(\(x), \(y)) is in \(form)") }
        for (x, y) in outside { #expect(kiosk.hit(x, y) == nil, "(\(x), \(y)) is not in \(form)") }
    }

    @Test("a polygon has up to 4,000 corners; where they meet an even number of times is outside")
    func corners() throws {
        /// A comb with teeth that are as wide as their gaps, 0.05 points, and a back that is 10 points high.
        func polygon(_ teeth: Int) -> String {
            let corners = (0..<teeth).flatMap { tooth -> [String] in
                let (left, right) = (Double(tooth) / 10, Double(tooth) / 10 + 0.05)
                return ["[\(left), 10]", "[\(left), 100]", "[\(right), 100]", "[\(right), 10]"]
            }
            return "shape: {polygon: [[0, 0], \(corners.joined(separator: ", ")), [100, 0]]}"
        }
        let kiosk = try LayoutKiosk(view: polygon(999))
        #expect([50.02, 50.07, 99.82, 99.87].map { kiosk.hit($0, 90) } == ["a", nil, "a", nil])
        #expect([0.5, 50.07].map { kiosk.hit($0, 5) } == ["a", "a"])
        let error = #expect(throws: LayoutError.self) { try LayoutKiosk(view: polygon(1000)) }
        #expect(error?.description.contains("a polygon must have 3 to 4000 corners (got 4002)") == true)
    }

    @Test("a pass-through view passes touches to its subviews or the views behind it")
    func passthrough() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            views:
              - {id: behind, frame: [0, 0, 400, 400]}
              - id: veil
                frame: [0, 0, 400, 400]
                passthrough: true
                views: [{id: button, frame: [10, 10, 50, 50], control: button}]
            """)
        #expect(kiosk.hit(20, 20) == "button")
        #expect(kiosk.hit(200, 200) == "behind")
    }

    @Test("a redirect may lead over several views, but not to a hidden one, and does not affect subviews")
    func redirect() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            views:
              - {id: behind, frame: [0, 0, 400, 400]}
              - {id: target, frame: [300, 300, 50, 50]}
              - {id: second, frame: [200, 0, 50, 50], redirect: target}
              - {id: first, frame: [0, 0, 100, 100], redirect: second, views: [{id: own, frame: [0, 0, 20, 20]}]}
            """)
        #expect(kiosk.hit(210, 10) == "target" && kiosk.hit(50, 50) == "target" && kiosk.hit(10, 10) == "own")
        try kiosk.scene.setHidden(true, of: "target")
        #expect(kiosk.hit(50, 50) == "behind")
    }

    @Test("a grid's cells share its frame minus gaps, row by row")
    func grid() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            views:
              - repeat:
                  columns: 3
                  frame: [0, 0, 320, 210]
                  gap: 10
                  cells: [a, b, c, "", e, f]
                  view: {id: "key-{cell}-{row}-{column}-{index}"}
            """)
        #expect(kiosk.scene.view(withIdentifier: "key-a-1-1-1")?.frame == CGRect(x: 0, y: 0, width: 100, height: 100))
        #expect(
            kiosk.scene.view(withIdentifier: "key-f-2-3-6")?.frame == CGRect(x: 220, y: 110, width: 100, height: 100))
        #expect(kiosk.hit(50, 150) == nil)
        #expect(kiosk.scene.document.views.count == 5)
    }

    @Test("a grid with a step places cells at that distance; nested ones know the index")
    func steppedGrid() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            views:
              - repeat:
                  columns: 2
                  step: [200, 0]
                  view:
                    id: "block-{column}"
                    frame: [10, 10, 100, 100]
                    views:
                      - repeat: {columns: 2, rows: 1, frame: [0, 0, 100, 50], view: {id: "{outer-column}.{column}"}}
            """)
        #expect(kiosk.scene.view(withIdentifier: "block-2")?.frame == CGRect(x: 210, y: 10, width: 100, height: 100))
        #expect(kiosk.hit(20, 20) == "1.1" && kiosk.hit(270, 20) == "2.2" && kiosk.hit(270, 90) == "block-2")
    }

    @Test("a view has its file's id, frame and flags, and the defaults")
    func flags() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [800, 480]}
            defaults: {view: {multiple-touch: true}}
            views:
              - id: panel
                frame: [100, 50, 400, 300]
                exclusive-touch: true
                private: true
                views:
                  - {id: off, frame: [10.5, 9, 8, 7], enabled: false, hidden: true, alpha: 0.5, multiple-touch: false}
            """)
        let window = kiosk.scene.windows[0]
        let panel = try #require(window.subviews.first), off = try #require(panel.subviews.first)
        #expect(window.frame == CGRect(x: 0, y: 0, width: 800, height: 480))
        #expect(
            panel.accessibilityIdentifier == "panel" && panel.frame == CGRect(x: 100, y: 50, width: 400, height: 300))
        #expect(panel.isMultipleTouchEnabled && panel.isExclusiveTouch && panel.isPrivate)
        #expect(off.frame == CGRect(x: 10.5, y: 9, width: 8, height: 7))
        #expect(!off.isUserInteractionEnabled && off.isHidden && off.alpha == 0.5)
        #expect(!off.isMultipleTouchEnabled && !off.isExclusiveTouch && !off.isPrivate)
    }

    @Test("a point is private in a private view's shape and slop on the current page only")
    func privacy() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            pages:
              start:
                views: [{id: buy, frame: [0, 0, 100, 100]}]
              pay:
                views:
                  - {id: pad, frame: [100, 100, 200, 200], private: true, slop: 10, views: [{frame: [0, 0, 50, 50]}]}
                  - {id: round, frame: [300, 0, 100, 100], shape: ellipse, private: true}
                  - {id: off, frame: [0, 300, 100, 100], enabled: false, private: true}
            """)
        func isPrivate(_ x: Double, _ y: Double) -> Bool {
            kiosk.scene.isPrivate(CGPoint(x: x, y: y), on: kiosk.scene.windows[0].screen)
        }
        #expect(!isPrivate(150, 150))
        try kiosk.scene.go(to: "pay")
        #expect(isPrivate(110, 110) && isPrivate(290, 290) && isPrivate(95, 150))
        #expect(!isPrivate(85, 150) && !isPrivate(50, 50))
        #expect(isPrivate(350, 50) && !isPrivate(305, 5) && isPrivate(50, 350))
        try kiosk.scene.setHidden(true, of: "pad")
        #expect(!isPrivate(150, 150))
        #expect(!kiosk.scene.isPrivate(CGPoint(x: 350, y: 50), on: Screen(bounds: .zero)))
        try kiosk.scene.go(to: "start")
        #expect(!isPrivate(350, 50))
    }
}
