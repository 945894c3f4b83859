import ControlProtocol
import CAllocationCounter
import Evdev
import Foundation
import Layout
import Service
import TouchKit

/// Five fingers that move a thousand times before, during and after an inspection.
struct InspectedMoves {
    /// The number of allocations for each thousand.
    let before, meanwhile, after: Int
    /// The number of records during the inspection, and whether none followed it.
    let records: Int
    let isOver: Bool

    init() throws {
        let document = try LayoutDocument(
            text: """
                screen: {size: [1000, 1000]}
                views:
                  - id: wall
                    frame: [0, 0, 1000, 1000]
                    multiple-touch: true
                    gestures: [{pan: {}}]
                """, file: "probe.yaml", handlers: [])
        let application = Application()
        let scene = Scene(document, application: application) { _, _ in }
        scene.activate()
        var recorder: InspectionRecorder?
        // As in the daemon.
        application.didDeliver = { recorder?.note($0) }

        let fingers = 5
        func frame(_ phase: Contact.Phase, _ step: Int) -> InputFrame {
            InputFrame(
                device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: Int64(step) * 1000),
                contacts: (1...fingers).map { finger in
                    Contact(
                        id: UInt32(finger), phase: phase,
                        position: SurfacePoint(x: Double(step % 100) / 128, y: Double(finger) / 8))
                })
        }
        // The device allocates the frames, so all are created before the count starts.
        let moves = (1...4000).map { frame(.moved, $0) }
        application.enqueue(frame(.began, 0))
        application.drainEvents()
        func allocations(_ moves: ArraySlice<InputFrame>) -> Int {
            let before = allocation_count()
            for move in moves {
                application.enqueue(move)
                application.drainEvents()
            }
            return Int(allocation_count() - before)
        }
        _ = allocations(moves[..<1000])
        before = allocations(moves[1000..<2000])
        var records = 0
        recorder = InspectionRecorder(
            application: application, scene: { scene }, movesPerSecond: 60, isLive: true
        ) { _ in records += 1 }
        recorder?.start()
        meanwhile = allocations(moves[2000..<3000])
        recorder?.stop()
        recorder = nil
        let told = records
        after = allocations(moves[3000...])
        self.records = told
        isOver = records == told
    }
}
