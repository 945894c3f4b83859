import CLinux
import Evdev
import Testing

/// The kernel's releases when a device is unplugged or suspended: it releases the keys and ends with `SYN_REPORT` 1.
@Suite("Releases made by the kernel")
struct KernelReleaseTests {
    @Test("A button that is down when its mouse is unplugged is cancelled, not released")
    func unpluggedMouse() {
        var mouse = Feed(.mouse)
        _ = mouse.report([.key(BTN_LEFT, 1)])
        _ = mouse.report([.key(BTN_LEFT, 0)], byKernel: true)
        #expect(mouse.frame.keys == [KeyChange(code: UInt16(BTN_LEFT), action: .cancelled)])
    }

    @Test("A finger on a single-touch panel that is unplugged is cancelled, not lifted")
    func unpluggedPanel() {
        var panel = Feed(.single)
        _ = panel.report([.singleX(5), .singleY(5), .key(BTN_TOUCH, 1)])
        #expect(panel.report([.key(BTN_TOUCH, 0)], byKernel: true) == [["cancelled 1 slot 0 id 0 at 5,5"]])
    }

    @Test("A device whose every report ends with 1 releases normally")
    func alwaysOne() {
        var mouse = Feed(.mouse)
        _ = mouse.report([.key(BTN_LEFT, 1)], byKernel: true)
        _ = mouse.report([.key(BTN_LEFT, 0)], byKernel: true)
        #expect(mouse.frame.keys == [KeyChange(code: UInt16(BTN_LEFT), action: .released)])
    }

    @Test("A repeated key, in reports that end with 1, is still released by the user")
    func repetition() {
        var mouse = Feed(.mouse)
        _ = mouse.report([.key(BTN_LEFT, 1)])
        _ = mouse.report([.key(BTN_LEFT, 2)], byKernel: true)
        #expect(mouse.frame.keys == [KeyChange(code: UInt16(BTN_LEFT), action: .repeated)])
        _ = mouse.report([.key(BTN_LEFT, 0)])
        #expect(mouse.frame.keys == [KeyChange(code: UInt16(BTN_LEFT), action: .released)])
    }
}
