import CAllocationCounter
import Evdev
import Forwarding
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
        application.forwarder = router
        func frame(_ phase: Contact.Phase, _ step: Int) -> InputFrame {
            InputFrame(
                device: device, timestamp: InputTimestamp(microseconds: Int64(step) * 8000),
                contacts: (1...5).map { finger in
                    Contact(
                        id: UInt32(finger), phase: phase,
                        position: SurfacePoint(x: Double(step % 100) / 128, y: Double(finger) / 8))
                })
        }
        // The device allocates the frames, so all are created before the count starts.
        let moves = (1...2000).map { frame(.moved, $0) }
        application.enqueue(frame(.began, 0))
        application.drainEvents()
        func send(_ moves: ArraySlice<InputFrame>) {
            for move in moves {
                application.enqueue(move)
                application.drainEvents()
            }
        }
        send(moves[..<1000])
        let before = allocation_count()
        send(moves[1000...])
        return (Int(allocation_count() - before), events)
    }
}
