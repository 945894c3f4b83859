import CLinux
import Evdev
import EventLoop
import Foundation
import Recordings
import Testing

/// The last minutes after random fingers on public and private views, with pages, palms, pens, replugging and reloads.
@Suite("The last minutes, at random")
struct RandomHistoryTests {
    /// A finger as the views received it.
    private struct Finger: Equatable {
        var isPrivate = false
        var phases: [Contact.Phase] = []
    }

    /// One try. A finger is identified by its y, which no other finger has.
    private final class Try {
        private(set) var fingers: [Int32: Finger] = [:]
        private(set) lazy var panel = KeptPanel { [unowned self] contact, _ in
            let isPrivate = isPrivate(contact)
            if isPrivate { fingers[contact.raw.y, default: Finger()].isPrivate = true }
            return isPrivate
        }
        private var isPadShown = true
        private var random: SplitMix
        private var slots: [Int32?] = Array(repeating: nil, count: 4)
        private var lastY: Int32 = 0
        private var isPenInRange = false

        init(seed: UInt64) { random = SplitMix(seed: seed) }

        private func isPrivate(_ contact: Contact) -> Bool { isPadShown && contact.position.x < 0.3 }

        private func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

        /// Delivers a report's contacts, sometimes after the page has changed.
        func deliver() {
            if chance(20) { isPadShown.toggle() }
            for contact in panel.frames {
                if isPrivate(contact) {
                    fingers[contact.raw.y, default: Finger()].isPrivate = true
                    panel.conceal(contact.id)
                } else if contact.phase == .began {
                    panel.reveal(contact.id)
                }
                // A finger that was down before a reload has no beginning.
                guard contact.phase == .began || fingers[contact.raw.y]?.phases.isEmpty == false else { continue }
                fingers[contact.raw.y, default: Finger()].phases.append(contact.phase)
            }
        }

        func step() {
            let slot = Int32.random(in: 0..<4, using: &random)
            let select = [(code: ABS_MT_SLOT, value: slot)]
            let position = [(code: ABS_MT_POSITION_X, value: Int32.random(in: 0..<100, using: &random))]
            switch (Int.random(in: 0..<40, using: &random), slots[Int(slot)] != nil) {
            case (0, _):
                isPenInRange.toggle()
                panel.report([(BTN_TOOL_PEN, isPenInRange ? 1 : 0)])
            case (1, _):
                panel.unplug()
                deliver()
                (slots, isPenInRange) = (Array(repeating: nil, count: 4), false)
                return panel.open()
            case (2, _) where chance(4):
                fingers = [:]
                return panel.reload()
            // The palm's place is private too.
            case (3...5, true): panel.report(select + position + [(ABS_MT_TOOL_TYPE, 2)])
            case (6...12, true):
                slots[Int(slot)] = nil
                panel.report(select + [(ABS_MT_TRACKING_ID, -1)])
            case (_, true): panel.report(select + position)
            case (_, false):
                guard lastY < 98 else { return }
                lastY += 1
                slots[Int(slot)] = lastY
                // Without x, it is at the slot's last x, which the kernel does not repeat.
                panel.report(
                    select + [(ABS_MT_TRACKING_ID, lastY), (ABS_MT_TOOL_TYPE, chance(8) ? 2 : 0)]
                        + (chance(3) ? [] : position) + [(ABS_MT_POSITION_Y, lastY)])
            }
            deliver()
        }
    }

    /// The fingers in a recording, by y.
    private func replayed(_ text: String) throws -> [Int32: Finger] {
        let file = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).evemu")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        let loop = try EpollRunLoop()
        var fingers: [Int32: Finger] = [:]
        let player = RecordingPlayer(
            try RecordingReader(path: file.path), path: file.path, loop: loop, speed: .maximum,
            onFrame: { frame in
                for contact in frame.contacts {
                    fingers[contact.raw.y, default: Finger()].phases.append(contact.phase)
                }
            },
            onEnd: { _ in loop.stop() })
        player.start()
        loop.run()
        return fingers
    }

    @Test("no private finger is kept, and the others replay as the views received them")
    func random() throws {
        for seed in 0..<100 as Range<UInt64> {
            let attempt = Try(seed: seed)
            for _ in 0..<150 { attempt.step() }
            // The end of the recording cancels what is down.
            attempt.panel.unplug()
            attempt.deliver()
            let kept = try replayed(try attempt.panel.history.text(at: attempt.panel.time))
            #expect(kept == attempt.fingers.filter { !$0.value.isPrivate && !$0.value.phases.isEmpty }, "seed \(seed)")
        }
    }
}
