import Service
import TouchKit

/// Prints everything that comes of a screen: touches and their phases, presses, pointers, and the state of a recognizer of
/// every kind.
///
///     swift run testbench                                                  this machine's touchscreens and mice
///     swift run testbench --replay ../config/recordings/quanta-optical.evemu   a recording of one
@main final class TestBench: Responder, ApplicationDelegate {
    func application(
        _ application: Application, didFinishLaunchingWithOptions options: [Application.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = BenchWindow(frame: Screen.main.bounds)
        window.rootViewController = RecognizersController()
        window.makeKeyAndVisible()
        return true
    }

    func applicationWillTerminate(_ application: Application) { print("end") }
}
