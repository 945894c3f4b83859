import Service
import TouchKit

@main final class Museum: Responder, ApplicationDelegate {
    func application(
        _ application: Application, didFinishLaunchingWithOptions options: [Application.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = Window(frame: Screen.main.bounds)
        window.rootViewController = WallController()
        window.makeKeyAndVisible()
        return true
    }
}
