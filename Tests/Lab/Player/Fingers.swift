import CLibevdev
import Evdev

/// The fingers on a device, and the events of multi-touch protocol B for what they do.
final class Fingers {
    private let name: String
    private let axes: [UInt16: AxisInfo]
    private let hasTouchButton: Bool
    private let slots: Int32
    private var fingers: [Int32: Finger] = [:]
    private var nextTrackingID: Int32 = 0

    private struct Finger {
        var trackingID: Int32
        var x: Int32
        var y: Int32
    }

    init(device name: String, _ description: DeviceDescription) {
        self.name = name
        axes = description.axes
        hasTouchButton = description[UInt16(EV_KEY)].contains(UInt16(BTN_TOUCH))
        slots = axes[UInt16(ABS_MT_SLOT)].map { $0.maximum + 1 } ?? 0
    }

    /// Puts a finger down in a free slot, at a position in the device's own units.
    func down(slot: Int32, x: Int32, y: Int32, on device: some PlayedDevice) throws(PlayError) {
        guard 0..<slots ~= slot, fingers[slot] == nil else { throw noFinger(slot) }
        fingers[slot] = Finger(trackingID: nextTrackingID, x: x, y: y)
        try select(slot, on: device)
        try device.send(type: EV_ABS, code: ABS_MT_TRACKING_ID, value: nextTrackingID)
        nextTrackingID = (nextTrackingID + 1) & 0xffff
        try place(x: x, y: y, on: device)
    }

    /// Moves the finger in a slot.
    func move(slot: Int32, x: Int32, y: Int32, on device: some PlayedDevice) throws(PlayError) {
        guard fingers[slot] != nil else { throw noFinger(slot) }
        fingers[slot]?.x = x
        fingers[slot]?.y = y
        try select(slot, on: device)
        try place(x: x, y: y, on: device)
    }

    /// Lifts the finger in a slot.
    func up(slot: Int32, on device: some PlayedDevice) throws(PlayError) {
        guard fingers.removeValue(forKey: slot) != nil else { throw noFinger(slot) }
        try select(slot, on: device)
        try device.send(type: EV_ABS, code: ABS_MT_TRACKING_ID, value: -1)
    }

    /// Moves the finger in a slot back and forth, one frame each, as fast as the kernel accepts it.
    func flood(slot: Int32, frames: Int32, on device: some PlayedDevice) throws(PlayError) {
        guard let finger = fingers[slot] else { throw noFinger(slot) }
        for step in 0..<frames {
            try move(slot: slot, x: finger.x + step % 2, y: finger.y, on: device)
            try frame(on: device)
        }
    }

    /// Ends a frame.
    ///
    /// Before it, a multi-touch device sends the single-touch events of its oldest finger, like the kernel's
    /// `input_mt_report_pointer_emulation` for real devices.
    func frame(on device: some PlayedDevice) throws(PlayError) {
        if slots > 0 {
            if hasTouchButton { try device.send(type: EV_KEY, code: BTN_TOUCH, value: fingers.isEmpty ? 0 : 1) }
            if let oldest = fingers.values.min(by: { $0.trackingID < $1.trackingID }) {
                if axes[UInt16(ABS_X)] != nil { try device.send(type: EV_ABS, code: ABS_X, value: oldest.x) }
                if axes[UInt16(ABS_Y)] != nil { try device.send(type: EV_ABS, code: ABS_Y, value: oldest.y) }
            }
        }
        try device.send(type: EV_SYN, code: SYN_REPORT, value: 0)
    }

    private func noFinger(_ slot: Int32) -> PlayError {
        PlayError("\(name) has no slot \(slot) with a finger in the state that this needs")
    }

    private func select(_ slot: Int32, on device: some PlayedDevice) throws(PlayError) {
        try device.send(type: EV_ABS, code: ABS_MT_SLOT, value: slot)
    }

    private func place(x: Int32, y: Int32, on device: some PlayedDevice) throws(PlayError) {
        try device.send(type: EV_ABS, code: ABS_MT_POSITION_X, value: x)
        try device.send(type: EV_ABS, code: ABS_MT_POSITION_Y, value: y)
    }
}
