import CLinux
import Evdev
import Glibc

/// A touchscreen that a test plays fingers on, all of ten of them.
protocol TestScreen: AnyObject {
    /// What a finding calls the way that its events take.
    var way: String { get }
    /// Whether delays are those of a real device.
    var isReal: Bool { get }

    /// Sends one event of the kernel's.
    func send(type: UInt16, code: UInt16, value: Int32) throws
    /// Waits until something is so; answers whether it came to that in time.
    func wait(until isSo: () -> Bool) -> Bool
    /// Lets time go by, in seconds.
    func pass(_ seconds: Double)
    /// Takes the screen away, with whatever is on it.
    func unplug()
    /// Puts it back.
    func plugIn() throws
}

/// What the screen says of itself.
enum TestScreenModel {
    static let slots = 10
    /// Positions go from 0 to this: finer than any panel, so that a point of the layout is hit as it is meant.
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
