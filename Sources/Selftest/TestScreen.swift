import CLinux
import Evdev
import Glibc

/// A touchscreen for up to ten fingers that a test plays.
protocol TestScreen: AnyObject {
    /// The path of its events, as findings name it.
    var way: String { get }
    /// Whether its delays are those of a real device.
    var isReal: Bool { get }

    /// Sends one input event.
    func send(type: UInt16, code: UInt16, value: Int32) throws
    /// Waits until a condition holds; returns false after the timeout.
    func wait(until condition: () -> Bool) -> Bool
    /// Waits for a time in seconds.
    func pass(_ seconds: Double)
    /// Unplugs the screen with the fingers on it.
    func unplug()
    /// Plugs the screen in again.
    func plugIn() throws
}

/// The properties that the screen reports.
enum TestScreenModel {
    static let slots = 10
    /// The range of positions, from 0: finer than any panel, so that points of the layout are hit exactly.
    static let range: Int32 = 65_535

    static let description: DeviceDescription = {
        var description = DeviceDescription(name: VirtualDevice.namePrefix + "touchscreen", bus: UInt16(BUS_VIRTUAL))
        description.properties.insert(UInt16(INPUT_PROP_DIRECT))
        description[UInt16(EV_KEY)].insert(UInt16(BTN_TOUCH))
        let position = AxisInfo(minimum: 0, maximum: range)
        for axis in [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y] {
            description.insertAxis(UInt16(axis), position)
        }
        description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: Int32(slots - 1)))
        description.insertAxis(UInt16(ABS_MT_TRACKING_ID), AxisInfo(minimum: 0, maximum: 65_535))
        return description
    }()
}
