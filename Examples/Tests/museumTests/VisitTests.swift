import Service
import Testing
import TouchKit

@testable import museum

@MainActor @Suite("A visit") struct VisitTests {
    @Test("a picture closes after half a minute without a touch, for the next visitor")
    func closed() throws {
        let application = Application()
        let wall = WallController()
        let window = Window(frame: Screen.main.bounds, application: application)
        window.rootViewController = wall
        window.makeKeyAndVisible()

        try application.replay("Recordings/museum.evemu")

        #expect(wall.children.map { ($0 as? PictureController)?.name } == ["portrait"])
    }
}
