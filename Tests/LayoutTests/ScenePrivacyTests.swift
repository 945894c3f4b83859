import Foundation
import Testing
import TouchKit

/// The private areas, which are left out of recordings.
@Suite struct ScenePrivacy {
    private static let layout = """
        screen: {size: [400, 400]}
        pages:
          start:
            views: [{id: buy, frame: [0, 0, 100, 100]}]
          pay:
            views:
              - id: pad
                frame: [100, 100, 200, 200]
                private: true
                slop: 10
                views: [{id: one, frame: [0, 0, 50, 50]}]
              - {id: round, frame: [300, 0, 100, 100], shape: ellipse, private: true}
              - {id: off, frame: [0, 300, 100, 100], enabled: false, private: true}
        """

    @Test(
        "a point is private in a private view's shape and slop on the current page only"
    )
    func places() throws {
        let kiosk = try Kiosk(Self.layout)
        func isPrivate(_ x: Double, _ y: Double) -> Bool {
            kiosk.scene.isPrivate(CGPoint(x: x, y: y), on: kiosk.scene.windows[0].screen)
        }
        #expect(!isPrivate(150, 150))
        try kiosk.scene.go(to: "pay")
        #expect(isPrivate(110, 110) && isPrivate(290, 290) && isPrivate(95, 150))
        #expect(!isPrivate(85, 150) && !isPrivate(50, 50))
        #expect(isPrivate(350, 50) && !isPrivate(305, 5))
        #expect(isPrivate(50, 350))
        try kiosk.scene.setHidden(true, of: "pad")
        #expect(!isPrivate(150, 150))
        #expect(!kiosk.scene.isPrivate(CGPoint(x: 350, y: 50), on: Screen(bounds: .zero)))
        try kiosk.scene.go(to: "start")
        #expect(!isPrivate(350, 50))
    }
}
