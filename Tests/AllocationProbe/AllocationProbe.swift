import CAllocationCounter
import Evdev
import EventLoop
import Foundation
import TouchKit

/// Counts memory allocations while fingers move: from queueing a frame to the return of the last handler, while decoded
/// reports are kept for a recording, and during inspection.
@main
enum AllocationProbe {
    static func main() throws {
        let application = Application()
        let screen = Screen(bounds: CGRect(x: 0, y: 0, width: 1024, height: 1024))
        let device = DeviceID(rawValue: 1)
        application.setScreen(screen, for: device)
        let window = Window(frame: screen.bounds, application: application, screen: screen)
        var parent: View = window
        for _ in 0..<10 {
            let view = View(frame: screen.bounds)
            view.isMultipleTouchEnabled = true
            parent.addSubview(view)
            parent = view
        }
        var distance: CGFloat = 0
        var calls = 0
        window.addHandler(for: .moved) { touch, _ in
            calls += 1
            distance += touch.location(in: touch.view).x - touch.previousLocation(in: touch.view).x
        }
        var changes = 0
        let pan = PanGestureRecognizer { recognizer in
            changes += recognizer.state == .changed ? 1 : 0
        }
        pan.cancelsTouchesInView = false
        parent.addGestureRecognizer(pan)
        window.makeKeyAndVisible()
        let loop = EpollRunLoop.main
        application.attach(to: loop)

        let fingers = 5
        func frame(_ phase: Contact.Phase, _ step: Int) -> InputFrame {
            let contacts = (1...fingers).map { finger in
                Contact(
                    id: UInt32(finger), phase: phase,
                    position: SurfacePoint(x: Double(step % 100) / 128, y: Double(finger) / 8))
            }
            return InputFrame(
                device: device, timestamp: InputTimestamp(microseconds: Int64(step) * 8000), contacts: contacts)
        }
        // The device allocates the frames, so all are created before the count starts.
        let moves = (1...2000).map { frame(.moved, $0) }
        application.enqueue(frame(.began, 0))
        application.drainEvents()
        func send(_ moves: ArraySlice<InputFrame>) {
            for move in moves {
                application.enqueue(move)
                loop.run(mode: .tracking, until: .now, returnAfterSourceHandled: true)
            }
        }
        send(moves[..<1000])

        let before = allocation_count()
        send(moves[1000...])
        let allocations = allocation_count() - before
        print(
            "\(calls) moved touches and \(changes > 1000) pan delivered, \(allocations) allocations in the second half")
        let kept = KeptMoves.allocations()
        print("\(KeptMoves.count) reports decoded and kept for a recording, \(kept) allocations in the second half")
        let forwarded = ForwardedMoves.count()
        print("\(forwarded.events) events forwarded, \(forwarded.allocations) allocations in the second half")
        let inspected = try InspectedMoves()
        print(
            "\(inspected.before) allocations before somebody looks on, some meanwhile: \(inspected.meanwhile > 0),",
            "\(inspected.after) afterwards, more than 50 records told: \(inspected.records > 50 && inspected.isOver)")
    }
}
