import CLinux
import Evdev

/// Reads bytes as a device, its settings, and its events.
///
/// The first five bytes select the device. Then each event is a byte for its kind and one for its value, so that a
/// fuzzer's changes stay meaningful. One in sixteen is an arbitrary event, in seven bytes.
struct EventScript {
    static func violation(_ bytes: UnsafeRawBufferPointer) -> String? {
        var script = EventScript(bytes)
        return script.run()
    }

    private var bytes: UnsafeRawBufferPointer.SubSequence
    private var time: Int64 = 0

    private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes[...] }

    private mutating func run() -> String? {
        let description = self.description(Int(next()), axis(Int(next())))
        let settings = self.settings(Int(next()), Int(next()), description)
        let role = DeviceRole(description, isWanted: next() % 2 == 1)
        let info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "", description: description, role: role, use: .used, settings: settings)
        let ledger = Ledger()
        let pipeline = FramePipeline(info) { ledger.frames.record($0) }
        while !bytes.isEmpty { step(pipeline) }
        pipeline.cancelAll(at: InputTimestamp(microseconds: time))
        ledger.frames.close()
        return ledger.frames.violation
    }

    private final class Ledger { var frames = FrameLedger() }

    private mutating func next() -> UInt8 { bytes.popFirst() ?? 0 }

    private mutating func step(_ pipeline: FramePipeline) {
        let what = next()
        let value = Int32(Int8(bitPattern: next()))
        let now = InputTimestamp(microseconds: time)
        func feed(_ type: Int32, _ code: Int32, _ value: Int32) {
            pipeline.feed(InputEvent(type: UInt16(type), code: UInt16(code), value: value, time: now))
        }
        switch what % 16 {
        case 0...1:
            time += Int64(value) &* 1000
            feed(EV_SYN, SYN_REPORT, what >= 0xf0 ? 1 : 0)
        case 2: feed(EV_ABS, ABS_MT_SLOT, value)
        case 3: feed(EV_ABS, ABS_MT_TRACKING_ID, value)
        case 4: feed(EV_ABS, what < 0x80 ? ABS_MT_POSITION_X : ABS_X, value)
        case 5: feed(EV_ABS, what < 0x80 ? ABS_MT_POSITION_Y : ABS_Y, value)
        case 6: feed(EV_ABS, ABS_MT_TOOL_TYPE, value)
        case 7: feed(EV_ABS, what < 0x80 ? ABS_MT_DISTANCE : ABS_MT_PRESSURE, value)
        case 8: feed(EV_ABS, ABS_MT_TOUCH_MAJOR, value)
        case 9: feed(EV_ABS, what < 0x80 ? ABS_PRESSURE : ABS_Z, value)
        case 10: feed(EV_KEY, what < 0x80 ? BTN_TOUCH : BTN_TOOL_PEN, value & 3)
        case 11: feed(EV_KEY, what < 0x80 ? BTN_LEFT : KEY_ENTER, value & 3)
        case 12: feed(EV_SYN, SYN_MT_REPORT, 0)
        case 13: feed(EV_REL, Int32(what >> 4), value)
        case 14:
            switch what >> 6 {
            case 0: feed(EV_SYN, SYN_DROPPED, 0)
            case 1: pipeline.cancelAll(at: now)
            case 2: pipeline.loseContacts(at: now)
            default: pipeline.expire(at: now)
            }
        default:
            let (type, code) = (Int32(next()), Int32(next()) | Int32(next()) << 8)
            let wide = (0..<4).reduce(UInt32(0)) { bits, _ in bits << 8 | UInt32(next()) }
            feed(type, code, Int32(bitPattern: wide))
        }
    }

    /// Ranges as devices announce them, including absurd ones.
    private func axis(_ choice: Int) -> AxisInfo {
        switch choice % 6 {
        case 0, 1: AxisInfo(minimum: 0, maximum: 99)
        case 2: AxisInfo(minimum: 99, maximum: 0)
        case 3: AxisInfo(minimum: -50, maximum: 49)
        case 4: AxisInfo(minimum: .min, maximum: .max)
        default: AxisInfo(minimum: 7, maximum: 7)
        }
    }

    private func description(_ choice: Int, _ axis: AxisInfo) -> DeviceDescription {
        var description = DeviceDescription(name: "made up")
        let axes: [Int32] =
            switch choice % 8 {
            case 0, 1:
                [
                    ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID, ABS_MT_TOOL_TYPE, ABS_MT_DISTANCE,
                    ABS_MT_PRESSURE, ABS_MT_TOUCH_MAJOR, ABS_MT_ORIENTATION,
                ]
            case 2: [ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TOUCH_MAJOR, ABS_PRESSURE]
            case 3: [ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID]
            case 4: [ABS_X, ABS_Y, ABS_PRESSURE]
            case 5: [ABS_X, ABS_Y]
            case 6: [ABS_X, ABS_Y, ABS_Z]
            default: []
            }
        for code in axes { description.insertAxis(UInt16(code), axis) }
        if choice % 8 < 2 { description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9)) }
        if choice & 0x10 != 0 { description.properties.insert(UInt16(INPUT_PROP_DIRECT)) }
        for (bit, key) in [(0x20, BTN_TOUCH), (0x40, BTN_LEFT), (0x80, KEY_ENTER)] where choice & bit != 0 {
            description[UInt16(EV_KEY)].insert(UInt16(key))
        }
        if choice % 8 == 7 {
            for code in [REL_X, REL_Y, REL_WHEEL, REL_WHEEL_HI_RES] {
                description[UInt16(EV_REL)].insert(UInt16(code))
            }
        }
        return description
    }

    private func settings(_ choice: Int, _ mapping: Int, _ description: DeviceDescription) -> DeviceSettings {
        var rule = DeviceRule(label: "", match: .init())
        rule.use = true
        if choice & 1 != 0 { rule.pressureThreshold = 0.3 }
        if choice & 2 != 0 { rule.rotation = .quarter }
        if choice & 4 != 0 { rule.calibration = CalibrationMatrix(3, 0, -1, 0, 0.5, 0.2) }
        if mapping & 1 != 0 { rule.liftDelay = 30_000 }
        if mapping & 2 != 0 { rule.region = SurfaceRegion(x: 0.25, y: 0.5, width: 0.75, height: 0.5) }
        if mapping & 32 != 0 { rule.palms = .cancelAll }
        if mapping & 64 != 0 { rule.allowsTouchWithPen = true }
        if mapping & 4 != 0 {
            let profile: PointerAcceleration.Profile = mapping & 8 != 0 ? .adaptive : .flat
            rule.acceleration = PointerAcceleration(profile: profile, speed: mapping & 16 != 0 ? 1 : -1)
        }
        var filter = ContactFilter()
        if choice & 8 != 0 { filter.debounce = 20_000 }
        if choice & 16 != 0 { filter.jitter = 0.05 }
        if choice & 32 != 0 { filter.edge = 0.1 }
        if choice & 64 != 0 { filter.greatestCount = 2 }
        if choice & 128 != 0 { filter.join = 25_000 }
        if mapping & 128 != 0 { filter.jump = 0.2 }
        rule.filter = filter
        return DeviceSettings(rules: [rule], description: description, path: "", properties: [:])
    }
}
