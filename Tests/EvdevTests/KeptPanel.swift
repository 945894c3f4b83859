import CLinux
import Testing

@testable import Evdev

/// A panel of 100 × 100 units with a recorded history.
final class KeptPanel {
    private(set) var history: TouchHistory
    let info: DeviceInfo
    /// All changes of contacts, each with its time in milliseconds.
    private(set) var told: [String] = []
    private(set) var pipeline: FramePipeline?
    private(set) var time: Int64 = 0
    private var began: [UInt32] = []
    private let span: Duration
    private let isPrivate: ((Contact, DeviceID) -> Bool)?

    init(
        _ touchProtocol: DeviceRole.TouchProtocol = .slots, hasTouchKey: Bool = true, liftDelay: Int64? = nil,
        span: Duration = .seconds(60), filter: ContactFilter = ContactFilter(),
        isPrivate: ((Contact, DeviceID) -> Bool)? = nil
    ) {
        let axes: [Int32] =
            switch touchProtocol {
            case .slots: [ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID, ABS_MT_TOOL_TYPE]
            case .anonymous: [ABS_MT_POSITION_X, ABS_MT_POSITION_Y]
            case .single: [ABS_X, ABS_Y]
            }
        var description = DeviceDescription.madeUp(keys: hasTouchKey ? [BTN_TOUCH] : [], axes: axes, isDirect: true)
        if touchProtocol == .slots {
            description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9))
        }
        var settings = DeviceSettings()
        settings.filter = filter
        settings.liftDelay = liftDelay.map { $0 * 1000 }
        info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "made up", description: description,
            role: DeviceRole(kind: .touchscreen, touchProtocol: touchProtocol), use: .used, settings: settings)
        (self.span, self.isPrivate) = (span, isPrivate)
        history = TouchHistory(span: span, isPrivate: isPrivate)
        open()
    }

    /// Opens or reopens the panel.
    func open() {
        pipeline = FramePipeline(info) { [unowned self] frame in
            for contact in frame.contacts {
                let (time, place) = (frame.timestamp.microseconds / 1000, contact.raw)
                told.append("\(time) \(contact.phase) \(contact.id) at \(place.x),\(place.y)")
                if contact.phase == .began { began.append(contact.id) }
            }
        }
        pipeline?.observer = history.opened(info)
    }

    /// Cancels what is down.
    func unplug() { pipeline?.cancelAll(at: InputTimestamp(microseconds: time)) }

    /// Starts another history, as a reload does.
    func reload() {
        history = TouchHistory(span: span, isPrivate: isPrivate)
        pipeline?.observer = history.opened(info)
    }

    /// Sends a report; returns the numbers of the contacts that began in it.
    @discardableResult
    func report(_ events: [(code: Int32, value: Int32)], after milliseconds: Int64 = 10) -> [UInt32] {
        began = []
        time += milliseconds * 1000
        for (code, value) in events {
            let type = code >= BTN_TOOL_PEN ? EV_KEY : code == -1 ? EV_SYN : EV_ABS
            feed(type, code == -1 ? SYN_MT_REPORT : code, value)
        }
        feed(EV_SYN, SYN_REPORT, 0)
        return began
    }

    private func feed(_ type: Int32, _ code: Int32, _ value: Int32) {
        pipeline?.feed(
            InputEvent(
                type: UInt16(type), code: UInt16(code), value: value, time: InputTimestamp(microseconds: time)))
    }

    /// A finger comes down in a slot.
    func began(_ slot: Int32, _ id: Int32, x: Int32? = nil, y: Int32? = nil) -> UInt32 {
        let position = [x.map { (ABS_MT_POSITION_X, $0) }, y.map { (ABS_MT_POSITION_Y, $0) }].compactMap { $0 }
        return report([(ABS_MT_SLOT, slot), (ABS_MT_TRACKING_ID, id)] + position)[0]
    }

    func ended(_ slot: Int32) { report([(ABS_MT_SLOT, slot), (ABS_MT_TRACKING_ID, -1)]) }

    func reveal(_ contact: UInt32) { history.reveal(contact, of: info.id) }
    func conceal(_ contact: UInt32) { history.conceal(contact, of: info.id) }
}

extension TouchHistory {
    /// The whole recording of device 1 at a time, read in pieces of `bytes` bytes.
    func text(at now: Int64, bytes: Int = 1000) throws -> String {
        let given = recording(of: DeviceID(rawValue: 1), at: InputTimestamp(microseconds: now))
        var recording = try #require(given)
        var text = ""
        while !recording.isAtEnd { text += recording.next(bytes: bytes) }
        return text
    }
}
