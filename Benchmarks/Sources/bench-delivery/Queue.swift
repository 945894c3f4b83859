import Evdev
import Foundation
import TouchKit
import Workloads

/// A handler that takes 50 ms, with a device of 1,000 frames a second and ten fingers: the clock is the frames'
/// own, and the device continues while the handler runs, so that the result does not depend on the machine.
@MainActor final class SlowHandler {
    /// How long the device sends frames, in milliseconds.
    private static let length = 10_000.0

    private let fingers = Fingers()
    private let slowPhase: Touch.Phase
    /// Milliseconds on the frames' clock.
    private var clock = 0.0
    private var due = 0
    private var contacts: Range<UInt32>
    private(set) var longestWait = 0.0
    private(set) var endedCount = 0
    private(set) var longestQueue = 0

    init(slow phase: Touch.Phase) {
        slowPhase = phase
        contacts = fingers.newContacts(10)
        var lastEvent = -1.0
        fingers.onCall = { [unowned self] touch in
            if touch.phase == .ended {
                longestWait = max(longestWait, clock - (touch.timestamp * 1000 - 1000))
                endedCount += 1
            }
            // One handler is slow, and is called for one of the ten fingers.
            guard touch.phase == slowPhase, touch.timestamp != lastEvent else { return }
            lastEvent = touch.timestamp
            clock += 50
            report()
        }
    }

    /// Plays ten seconds: all fingers come down, move for 237 ms, and lift, again and again.
    func run() {
        while clock < Self.length + 240 {
            clock += 1
            report()
            fingers.application.drainEvents()
        }
    }

    /// Queues what the device has reported by now.
    private func report() {
        while Double(due) <= min(clock, Self.length) {
            let step = due % 240
            if step == 0 { contacts = fingers.newContacts(10) }
            let phase: Contact.Phase = step == 0 ? .began : step == 238 ? .ended : .moved
            if step < 239 { fingers.application.enqueue(fingers.frame(contacts, phase, step: due, after: 1000)) }
            if step == 239 { _ = fingers.frame(contacts, .moved, step: 0, after: 1000) }
            due += 1
        }
        longestQueue = max(longestQueue, fingers.application.queuedFrameCount)
    }
}

@MainActor func printQueue() {
    print("A handler that takes 50 ms, 1,000 frames a second with ten fingers for 10 s of the frames' clock:")
    print()
    print("| the slow handler is for | longest wait of an ended touch | longest queue, frames |")
    print("|---|---:|---:|")
    for (name, phase) in [("began", Touch.Phase.began), ("moved", .moved), ("ended", .ended)] {
        let run = SlowHandler(slow: phase)
        run.run()
        print("| \(name) | \(Int(run.longestWait)) ms | \(run.longestQueue) |")
    }
}
