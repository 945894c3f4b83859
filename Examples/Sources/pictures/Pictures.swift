import Service
import TouchKit

/// A wall of pictures that visitors move, scale and turn, with as many hands as they are.
///
///     swift run pictures                                                with this machine's touchscreen
///     swift run pictures --replay Recordings/pictures.evemu --speed max   with fingers written for it
@main final class Pictures: Responder, ApplicationDelegate {
    /// In front of the wall, and never behind a picture: another window is another tree of views.
    private let bar = Window(frame: CGRect(x: 0, y: 960, width: 1920, height: 120))

    func application(
        _ application: Application, didFinishLaunchingWithOptions options: [Application.LaunchOptionsKey: Any]?
    ) -> Bool {
        let wall = WallController()
        let window = Window(frame: Screen.main.bounds)
        window.rootViewController = wall
        window.makeKeyAndVisible()

        let tidy = Button(frame: CGRect(x: 860, y: 10, width: 200, height: 100))
        tidy.addHandler(for: .primaryActionTriggered) { _, _ in wall.tidy() }
        bar.windowLevel = .statusBar
        bar.addSubview(tidy)
        bar.isHidden = false
        return true
    }
}
