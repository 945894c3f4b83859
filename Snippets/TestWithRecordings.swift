// A kiosk's views, touched by a recording.
import TouchKit

// snippet.kiosk
/// A wall of one painting, which counts the visitors that chose it.
@MainActor final class Wall {
    let window: Window
    private(set) var visitors = 0

    init(application: Application) {
        window = Window(frame: Screen.main.bounds, application: application)
        let painting = View(frame: CGRect(x: 300, y: 200, width: 420, height: 300))
        painting.accessibilityIdentifier = "painting"
        painting.addHandler(for: .ended) { [unowned self] _, _ in visitors += 1 }
        window.addSubview(painting)
        window.makeKeyAndVisible()
    }
}
// snippet.end

// snippet.test
@MainActor func testVisitors() throws {
    let application = Application()
    let wall = Wall(application: application)

    try application.replay("config/recordings/quanta-optical.evemu")

    assert(wall.visitors == 2)
}
// snippet.end

try testVisitors()
