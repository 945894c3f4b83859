import Service
import TouchKit

/// A gate that opens when its number is entered.
///
///     swift run gate                                            with this machine's touchscreen
///     swift run gate --replay Recordings/gate.evemu --speed max   with fingers written for it
///
/// Another program draws the gate; it reads the lines that this one prints.
@main final class Gate: Responder, ApplicationDelegate {
    func application(
        _ application: Application, didFinishLaunchingWithOptions options: [Application.LaunchOptionsKey: Any]?
    ) -> Bool {
        Screen.main.bounds = CGRect(x: 0, y: 0, width: 800, height: 1280)
        let window = Window(frame: Screen.main.bounds)
        window.rootViewController = GateController(number: "2580")
        window.makeKeyAndVisible()
        return true
    }

    func applicationWillTerminate(_ application: Application) { print("out of service") }
}
