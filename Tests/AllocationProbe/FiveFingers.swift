import CAllocationCounter
import Evdev
import TouchKit

/// Five fingers that are down and move together. The device allocates the frames, so all are created before a count starts.
struct FiveFingers {
    private let application: Application
    private let moves: [InputFrame]

    init(on application: Application, moves count: Int, every microseconds: Int64 = 8000) {
        func frame(_ phase: Contact.Phase, _ step: Int) -> InputFrame {
            InputFrame(
                device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: Int64(step) * microseconds),
                contacts: (1...5).map { finger in
                    Contact(
                        id: UInt32(finger), phase: phase,
                        position: SurfacePoint(x: Double(step % 100) / 128, y: Double(finger) / 8))
                })
        }
        self.application = application
        moves = (1...count).map { frame(.moved, $0) }
        application.enqueue(frame(.began, 0))
        application.drainEvents()
    }

    /// The number of allocations while the moves are queued and delivered.
    func allocations(_ numbers: Range<Int>, deliver: () -> Void) -> Int {
        let before = allocation_count()
        for move in moves[numbers] {
            application.enqueue(move)
            deliver()
        }
        return Int(allocation_count() - before)
    }
}
