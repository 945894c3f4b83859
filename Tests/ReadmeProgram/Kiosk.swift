import Service
import TouchKit

@main final class Kiosk: Responder, ApplicationDelegate {
    func application(_: Application, didFinishLaunchingWithOptions _: [Application.LaunchOptionsKey: Any]?) -> Bool {
        let window = Window(frame: Screen.main.bounds)
        let picture = View(frame: CGRect(x: 660, y: 440, width: 600, height: 200))
        picture.addHandler(for: .ended) { touch, _ in print("touched at", touch.location(in: picture)) }
        window.addSubview(picture)
        window.makeKeyAndVisible()
        return true
    }
}
