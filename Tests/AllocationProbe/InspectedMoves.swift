import ControlProtocol
import Foundation
import Handlers
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

        let fingers = FiveFingers(on: application, moves: 4000, every: 1000)
        func allocations(_ numbers: Range<Int>) -> Int {
            fingers.allocations(numbers, deliver: application.drainEvents)
        }
        _ = allocations(0..<1000)
        before = allocations(1000..<2000)
        var records = 0
        let recorder = InspectionRecorder(
            application: application, scene: { scene }, movesPerSecond: 60, isLive: true
        ) { _ in records += 1 }
        application.observers = [recorder]
        meanwhile = allocations(2000..<3000)
        application.observers = []
        let told = records
        after = allocations(3000..<4000)
        self.records = told
        isOver = records == told
    }
}
