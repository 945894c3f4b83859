import CLinux
import Evdev
import Glibc
import Testing

@testable import Forwarding

@Suite("The guardian of forwarded panels") struct GuardianTests {
    /// A panel whose forwarded events go to a pipe.
    private struct PipedPanel {
        let guarded: GuardedPanel
        let reader: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0)
            guarded = try #require(GuardedPanel(name: "Panel", panel: ends[0], uinput: ends[1]))
            reader = ends[0]
            close(ends[1])
        }

        func write(usedSlots: UInt32) -> Bool {
            var event = input_event()
            event.type = 77
            return withUnsafePointer(to: &event) {
                guarded.write(UnsafeBufferPointer(start: $0, count: 1), usedSlots: usedSlots)
            }
        }

        func events() -> [String] {
            var events: [String] = []
            var event = input_event()
            while read(reader, &event, MemoryLayout<input_event>.stride) > 0 {
                events.append("\(event.type) \(event.code) \(event.value)")
            }
            return events
        }
    }

    @Test("it cancels the contacts of a busy main thread once, and the main thread's later changes are dropped")
    func release() async throws {
        let panel = try PipedPanel()
        defer { close(panel.reader) }
        panel.guarded.didGrab()
        #expect(panel.write(usedSlots: 0b101))
        let (released, continuation) = AsyncStream.makeStream(of: String.self)
        let guardian = try Guardian(timeout: .milliseconds(20)) { continuation.yield($0.name) }
        defer { guardian.end() }
        guardian.add(panel.guarded)

        guardian.mark(pass: 1, isBusy: true)

        var names = released.makeAsyncIterator()
        #expect(await names.next() == "Panel")
        #expect(panel.guarded.isReleased)
        #expect(!panel.write(usedSlots: 0))
        #expect(!panel.guarded.release())
        #expect(
            panel.events() == [
                "77 0 0", "3 47 0", "3 55 2", "3 47 2", "3 55 2", "0 0 0", "3 47 0", "3 57 -1", "3 55 0", "3 47 2",
                "3 57 -1", "3 55 0", "1 330 0", "0 0 0",
            ])
    }

    @Test("it wakes up for a run loop that has been idle, and leaves a panel that is not grabbed alone")
    func idleness() async throws {
        let panel = try PipedPanel()
        defer { close(panel.reader) }
        let other = try PipedPanel()
        defer { close(other.reader) }
        other.guarded.didGrab()
        let (released, continuation) = AsyncStream.makeStream(of: ObjectIdentifier.self)
        let guardian = try Guardian(timeout: .milliseconds(20)) { continuation.yield(ObjectIdentifier($0)) }
        defer { guardian.end() }
        guardian.add(panel.guarded)
        guardian.add(other.guarded)
        for pass in 1...50 { guardian.mark(pass: UInt64(pass), isBusy: false) }
        await guardian.waitUntilSleeping()

        guardian.mark(pass: 51, isBusy: true)

        var panels = released.makeAsyncIterator()
        #expect(await panels.next() == ObjectIdentifier(other.guarded))
        #expect(!panel.guarded.isReleased && panel.events() == [])
    }
}

extension Guardian {
    /// Returns when it sleeps without a timeout.
    fileprivate nonisolated func waitUntilSleeping() async {
        while !isSleeping { await Task.yield() }
    }
}
