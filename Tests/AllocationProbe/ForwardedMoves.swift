import Evdev
import Service
import Foundation
import TouchKit

/// Five fingers whose moves are forwarded.
enum ForwardedMoves {
    /// The number of allocations for the second thousand reports, and the number of events written for all.
    static func count() -> (allocations: Int, events: Int) {
        let application = Application()
        let screen = Screen(bounds: CGRect(x: 0, y: 0, width: 1000, height: 1000))
        let window = Window(frame: screen.bounds, application: application, screen: screen)
        window.makeKeyAndVisible()
        var description = DeviceDescription(name: "Panel")
        for (code, maximum) in [(AbsCode.positionX, 4095), (AbsCode.positionY, 4095), (AbsCode.slot, 9)] {
            description.insertAxis(code, AxisInfo(minimum: 0, maximum: Int32(maximum)))
        }
        let device = DeviceID(rawValue: 1)
        let info = DeviceInfo(
            id: device, path: "", description: description, role: DeviceRole(description), use: .used,
            settings: DeviceSettings(description: description, path: "", properties: [:]))
        application.setScreen(screen, for: device)
        let router = TouchRouter()
        var events = 0
        router.add(ForwardedPanel(info) { events += $0.count })
        application.observers = [router]
        let fingers = FiveFingers(on: application, moves: 2000)
        _ = fingers.allocations(0..<1000, deliver: application.drainEvents)
        let allocations = fingers.allocations(1000..<2000, deliver: application.drainEvents)
        return (allocations, events)
    }
}
