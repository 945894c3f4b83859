import CLinux
import Evdev
import Glibc
import Testing

@testable import Service

@Suite("A forwarded panel that another thread can release") struct GuardedPanelTests {
    /// A panel whose forwarded events go to a pipe.
    private struct PipedPanel {
        let guarded: GuardedPanel
        let reader: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0)
            guarded = try GuardedPanel(name: "Panel", panel: ends[0], uinput: ends[1])
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

    @Test("released, its contacts are cancelled once, and the main thread's later changes are dropped")
    func release() throws {
        let panel = try PipedPanel()
        defer { close(panel.reader) }
        panel.guarded.didGrab()
        #expect(panel.write(usedSlots: 0b101))

        #expect(panel.guarded.release())

        #expect(panel.guarded.isReleased)
        #expect(!panel.write(usedSlots: 0))
        #expect(!panel.guarded.release())
        #expect(
            panel.events() == [
                "77 0 0", "3 47 0", "3 55 2", "3 47 2", "3 55 2", "0 0 0", "3 47 0", "3 57 -1", "3 55 0", "3 47 2",
                "3 57 -1", "3 55 0", "1 330 0", "0 0 0",
            ])
    }

    @Test("a panel that is not grabbed is left alone")
    func notGrabbed() throws {
        let panel = try PipedPanel()
        defer { close(panel.reader) }

        #expect(!panel.guarded.release())

        #expect(!panel.guarded.isReleased && panel.events() == [])
    }

    @Test("a panel is grabbed later if no descriptor was left to release it from another thread")
    func withoutDescriptor() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe2(&ends, O_CLOEXEC) == 0)
        // The kernel gives other files the lowest numbers.
        let late: Int32 = 900
        defer { for descriptor in ends + [late] { close(descriptor) } }
        let panel = ForwardedPanel(.panel(), uinput: ends[1]) { _ in }
        panel.lose()
        panel.open(PanelGrab(panel.info, descriptor: late))

        #expect(!panel.tryToGrab() && panel.guarded == nil)
        #expect(panel.grabError?.reason == "fcntl: Bad file descriptor (EBADF)")

        try #require(dup2(ends[0], late) == late)
        #expect(panel.tryToGrab() && panel.guarded != nil && panel.grabError == nil)
    }
}
