import CLinux
import Foundation
import Glibc

/// Fingers on a test screen, by slot, as a panel reports them (multi-touch protocol B, the kernel's
/// Documentation/input/multi-touch-protocol.rst).
final class Fingers {
    let screen: any TestScreen
    private var down: Set<Int> = []
    private var lastTrackingID: Int32 = 0

    init(_ screen: any TestScreen) { self.screen = screen }

    /// The nearest position that the device can report, for a point on a screen of a size, both in points.
    static func reachable(_ point: CGPoint, of size: CGSize) -> CGPoint {
        let (x, y) = units(point, of: size)
        let span = CGFloat(TestScreenModel.range) + 1
        return CGPoint(x: CGFloat(x) / span * size.width, y: CGFloat(y) / span * size.height)
    }

    /// Puts a finger down at a point of a screen of a size.
    func down(_ slot: Int, _ point: CGPoint, of size: CGSize) throws {
        try send(EV_ABS, ABS_MT_SLOT, Int32(slot))
        lastTrackingID = (lastTrackingID + 1) & 0xffff
        try send(EV_ABS, ABS_MT_TRACKING_ID, lastTrackingID)
        try place(point, of: size, isFirst: down.isEmpty)
        if down.insert(slot).inserted, down.count == 1 { try send(EV_KEY, BTN_TOUCH, 1) }
    }

    /// Moves a finger.
    func move(_ slot: Int, _ point: CGPoint, of size: CGSize) throws {
        try send(EV_ABS, ABS_MT_SLOT, Int32(slot))
        try place(point, of: size, isFirst: down.min() == slot)
    }

    /// Lifts a finger.
    func lift(_ slot: Int) throws {
        try send(EV_ABS, ABS_MT_SLOT, Int32(slot))
        try send(EV_ABS, ABS_MT_TRACKING_ID, -1)
        if down.remove(slot) != nil, down.isEmpty { try send(EV_KEY, BTN_TOUCH, 0) }
    }

    /// Ends a frame: the events since the previous frame happened at once.
    func frame() throws { try send(EV_SYN, SYN_REPORT, 0) }

    /// Unplugs the screen with the fingers on it.
    func unplug() {
        down = []
        screen.unplug()
    }

    private func place(_ point: CGPoint, of size: CGSize, isFirst: Bool) throws {
        let (x, y) = Self.units(point, of: size)
        try send(EV_ABS, ABS_MT_POSITION_X, x)
        try send(EV_ABS, ABS_MT_POSITION_Y, y)
        // The single-touch events, as the kernel's input_mt_report_pointer_emulation sends them.
        guard isFirst else { return }
        try send(EV_ABS, ABS_X, x)
        try send(EV_ABS, ABS_Y, y)
    }

    private func send(_ type: Int32, _ code: Int32, _ value: Int32) throws {
        try screen.send(type: UInt16(type), code: UInt16(code), value: value)
    }

    private static func units(_ point: CGPoint, of size: CGSize) -> (Int32, Int32) {
        func unit(_ value: CGFloat, _ length: CGFloat) -> Int32 {
            let span = CGFloat(TestScreenModel.range) + 1
            return Int32(min(max((value / length * span).rounded(), 0), CGFloat(TestScreenModel.range)))
        }
        return (unit(point.x, size.width), unit(point.y, size.height))
    }
}
