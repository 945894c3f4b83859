import CLinux

@testable import Evdev

/// A made-up device of 100 × 100 units; the test writes its events.
struct Feed: ~Copyable {
    enum Device: Sendable {
        case slots, anonymous, anonymousWithIDs, single, pressure, mouse, absolutePointer, accelerometer
    }

    /// One event of `input-event-codes.h`.
    struct Event: Sendable {
        var type: Int32
        var code: Int32
        var value: Int32

        static func absolute(_ code: Int32, _ value: Int32) -> Event { Event(type: EV_ABS, code: code, value: value) }
        static func slot(_ value: Int32) -> Event { absolute(ABS_MT_SLOT, value) }
        static func trackingID(_ value: Int32) -> Event { absolute(ABS_MT_TRACKING_ID, value) }
        static func x(_ value: Int32) -> Event { absolute(ABS_MT_POSITION_X, value) }
        static func y(_ value: Int32) -> Event { absolute(ABS_MT_POSITION_Y, value) }
        static func tool(_ value: Int32) -> Event { absolute(ABS_MT_TOOL_TYPE, value) }
        static func distance(_ value: Int32) -> Event { absolute(ABS_MT_DISTANCE, value) }
        static func singleX(_ value: Int32) -> Event { absolute(ABS_X, value) }
        static func singleY(_ value: Int32) -> Event { absolute(ABS_Y, value) }
        static func key(_ code: Int32, _ value: Int32) -> Event { Event(type: EV_KEY, code: code, value: value) }
        static func relative(_ code: Int32, _ value: Int32) -> Event { Event(type: EV_REL, code: code, value: value) }
        static func major(_ value: Int32) -> Event { absolute(ABS_MT_TOUCH_MAJOR, value) }
        static let endOfContact = Event(type: EV_SYN, code: SYN_MT_REPORT, value: 0)
        static let dropped = Event(type: EV_SYN, code: SYN_DROPPED, value: 0)
    }

    private var decoder: Decoder
    /// The last frame.
    private(set) var frame = InputFrame(device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: 0))
    private(set) var reportedFrames = 0
    private var time: Int64 = 0

    struct Settings: Sendable {
        var range = AxisInfo(minimum: 0, maximum: 99)
        /// Keys besides those of the device's kind.
        var keys: [Int32] = []
        var palms: PalmHandling?
        var pressureThreshold: Double?
        /// The pressure when the device is opened.
        var pressure: Int32 = 0
        var acceleration = PointerAcceleration()
        var calibration = CalibrationMatrix.identity
        var region = SurfaceRegion.whole
    }

    init(_ device: Device, _ given: Settings = Settings()) {
        let axes: [Int32] =
            switch device {
            case .slots:
                [
                    ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID, ABS_MT_TOOL_TYPE, ABS_MT_DISTANCE,
                    ABS_MT_TOUCH_MAJOR,
                ]
            case .anonymous: [ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TOUCH_MAJOR, ABS_PRESSURE]
            case .anonymousWithIDs:
                [ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TOUCH_MAJOR, ABS_MT_TRACKING_ID]
            case .pressure: [ABS_X, ABS_Y, ABS_PRESSURE]
            case .single, .absolutePointer: [ABS_X, ABS_Y]
            case .mouse: []
            case .accelerometer: [ABS_X, ABS_Y, ABS_Z]
            }
        let key: [Int32] =
            switch device {
            case .slots, .pressure, .accelerometer: []
            case .anonymous, .anonymousWithIDs, .single: [BTN_TOUCH]
            case .mouse, .absolutePointer: [BTN_LEFT]
            }
        var description = DeviceDescription.madeUp(
            keys: key + given.keys, axes: axes, range: given.range,
            motion: device == .mouse ? [REL_X, REL_Y, REL_WHEEL, REL_WHEEL_HI_RES, REL_HWHEEL] : [],
            isDirect: device == .slots || device == .pressure)
        if device == .slots { description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9)) }
        description.axes[UInt16(ABS_PRESSURE)]?.value = given.pressure
        if device == .accelerometer {
            for code in axes { description.axes[UInt16(code)]?.resolution = 256 }
        }
        var settings = DeviceSettings()
        if let palms = given.palms { settings.palms = palms }
        settings.pressureThreshold = given.pressureThreshold
        settings.acceleration = given.acceleration
        settings.calibration = given.calibration
        settings.region = given.region
        decoder = Decoder(
            device: DeviceID(rawValue: 1), description: description, role: DeviceRole(description), settings: settings)
    }

    var contacts: [Contact] { frame.contacts }
    var contactBuffer: UnsafeRawPointer? { frame.contacts.withUnsafeBytes { $0.baseAddress } }

    /// Sends events and a SYN_REPORT, of value 1 for a report by the kernel itself; returns the contacts of each frame.
    mutating func report(_ events: [Event], byKernel: Bool = false) -> [[String]] {
        var frames: [[String]] = []
        report(events, byKernel: byKernel) { frames.append(Self.text(of: $0)) }
        return frames
    }

    /// Sends events and a SYN_REPORT, and passes each frame to a closure.
    mutating func report(_ events: [Event], byKernel: Bool = false, _ body: (InputFrame) -> Void) {
        time += 10_000
        for event in events + [Event(type: EV_SYN, code: SYN_REPORT, value: byKernel ? 1 : 0)] {
            decoder.feed(
                InputEvent(
                    type: UInt16(event.type), code: UInt16(event.code), value: event.value,
                    time: InputTimestamp(microseconds: time)))
        }
        collectFrames(body)
    }

    /// Advances the time without a report.
    mutating func wait(milliseconds: Int64) { time += milliseconds * 1000 }

    /// Treats contacts that a device without slots holds as down since before it was opened.
    mutating func adoptContacts(isCertain: Bool = true) {
        decoder.contacts.adoptContacts(at: InputTimestamp(microseconds: time), isCertain: isCertain)
    }

    mutating func cancelAll() -> [[String]] {
        var frames: [[String]] = []
        cancelAll { frames.append(Self.text(of: $0)) }
        return frames
    }

    mutating func cancelAll(_ body: (InputFrame) -> Void) {
        decoder.cancelAll(at: InputTimestamp(microseconds: time))
        collectFrames(body)
    }

    private mutating func collectFrames(_ body: (InputFrame) -> Void) {
        while decoder.nextFrame(into: &frame) {
            reportedFrames += 1
            body(frame)
        }
    }

    private static func text(of frame: InputFrame) -> [String] {
        frame.contacts.map { "\($0.phase) \($0.id) slot \($0.slot) id \($0.trackingID) at \($0.raw.x),\($0.raw.y)" }
    }
}

extension DeviceDescription {
    /// A made-up device with keys, absolute axes of one range, and relative axes.
    static func madeUp(
        keys: [Int32] = [], axes: [Int32] = [], range: AxisInfo = AxisInfo(minimum: 0, maximum: 99),
        motion: [Int32] = [], isDirect: Bool = false
    ) -> DeviceDescription {
        var description = DeviceDescription(name: "made up")
        for key in keys { description[UInt16(EV_KEY)].insert(UInt16(key)) }
        for axis in axes { description.insertAxis(UInt16(axis), range) }
        for axis in motion { description[UInt16(EV_REL)].insert(UInt16(axis)) }
        if isDirect { description.properties.insert(UInt16(INPUT_PROP_DIRECT)) }
        return description
    }
}
