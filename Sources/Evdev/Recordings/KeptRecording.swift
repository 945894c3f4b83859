/// A device's last minutes as evemu text. It is written piece by piece, because it may be a megabyte.
///
/// Contacts keep their slots, axes and times. Their tracking ids are renumbered, because the kernel's ids would reveal
/// how many contacts are omitted. A report with only omitted contacts is omitted. So an omitted contact is visible only
/// as a pause, or because a contact that began while it was down has a slot above the first.
package struct KeptRecording {
    /// The device.
    package let device: DeviceInfo
    /// Whether all of it was written.
    package var isAtEnd: Bool { hasHeader && position == samples.count }

    private let samples: [ContactSample]
    private var position = 0
    private var hasHeader = false
    private var events: ContactEvents
    private var writer = RecordingWriter()

    /// - Parameters:
    ///   - down: The contacts that were down at the start.
    ///   - samples: The samples since then, in order of time.
    init(_ info: DeviceInfo, down: [ContactSample], samples: [ContactSample]) {
        device = info
        events = ContactEvents(info)
        let time = samples.first?.time ?? down.map(\.time).max() ?? 0
        let first = down.map { sample in
            var sample = sample
            sample.phase = .began
            sample.time = time
            // Differs from the report numbers of all adjacent samples.
            sample.report = (samples.first?.report ?? 0) &+ 128
            return sample
        }
        self.samples = first + samples
    }

    /// Writes until the piece has about `bytes` bytes; returns an empty text at the end.
    package mutating func next(bytes: Int) -> String {
        var text = ""
        if !hasHeader {
            hasHeader = true
            text = writer.header(for: device.description.atRest)
            text +=
                "# Kept by touchd. Contacts in private views, and contacts that were not hit-tested, are left out.\n"
        }
        while position < samples.count, text.utf8.count < bytes {
            let first = samples[position]
            let end =
                samples[position...].firstIndex { $0.report != first.report || $0.time != first.time } ?? samples.count
            for event in events.report(samples[position..<end]) { text += writer.line(for: event) }
            position = end
        }
        return text
    }
}

/// Writes contact changes as events in the device's protocol, as `multi-touch-protocol.rst` defines it.
struct ContactEvents {
    private struct Axis {
        var code: UInt16
        var value: WritableKeyPath<ContactAxes, Int32>
    }

    /// A written contact that is down.
    private struct Down {
        var contact: UInt32
        var trackingID: Int32
        var axes: ContactAxes
    }

    private let touchProtocol: DeviceRole.TouchProtocol
    private let axes: [Axis]
    private let hasTouchKey, hasTrackingIDs: Bool
    /// The pressure at rest of a panel that reports touch by pressure only; nil for other panels.
    private let restingPressure: Int32?

    private var down: [Down] = []
    /// The last written axes of each slot. They outlive the contact, because an unchanged axis is not written again.
    private var written: [Int16: ContactAxes] = [:]
    private var slot: Int16 = 0
    private var trackingID: Int32 = -1
    private var wasTouched = false
    private var events: [InputEvent] = []
    private var time = InputTimestamp(microseconds: 0)

    init(_ info: DeviceInfo) {
        touchProtocol = info.role.touchProtocol ?? .single
        let described = info.description.axes
        let position = info.settings.positionAxes
        let all =
            touchProtocol == .single
            ? [
                Axis(code: position.x, value: \.x), Axis(code: position.y, value: \.y),
                Axis(code: AbsCode.pressure, value: \.pressure),
            ]
            : ContactAxes.codes.map { Axis(code: $0.code, value: $0.value) }
        axes = all.filter { described[$0.code] != nil }
        hasTouchKey = info.description[EventType.key].contains(KeyCode.touch)
        hasTrackingIDs = described[AbsCode.trackingID] != nil
        restingPressure = touchProtocol == .single && !hasTouchKey ? described[AbsCode.pressure]?.minimum : nil
    }

    /// The events of one report, including `SYN_REPORT`; empty if the report writes nothing.
    mutating func report(_ samples: ArraySlice<ContactSample>) -> [InputEvent] {
        events.removeAll(keepingCapacity: true)
        write(samples.filter { $0.phase != .cancelled }, ending: 0)
        // As the kernel ends the report in which it releases what is held: no finger was lifted.
        write(samples.filter { $0.phase == .cancelled }, ending: 1)
        return events
    }

    private mutating func write(_ samples: [ContactSample], ending value: Int32) {
        guard let first = samples.first else { return }
        let start = events.count
        time = InputTimestamp(microseconds: first.time)
        var hasChanges = false
        for sample in samples {
            switch touchProtocol {
            case .slots: writeSlot(sample)
            case .single: writeSingle(sample)
            case .anonymous: hasChanges = follow(sample) != nil || hasChanges
            }
        }
        if hasChanges { writeAll() }
        // Drivers send BTN_TOUCH along with the slots (input_mt_report_pointer_emulation), and some readers use only
        // it.
        if touchProtocol != .single, hasTouchKey, wasTouched != !down.isEmpty {
            wasTouched = !down.isEmpty
            add(EventType.key, KeyCode.touch, wasTouched ? 1 : 0)
        }
        if events.count > start { add(EventType.synchronization, SynCode.report, value) }
    }

    /// Applies a sample; returns the contact's tracking id, or nil if its beginning was not written.
    private mutating func follow(_ sample: ContactSample) -> Int32? {
        let index = down.firstIndex { $0.contact == sample.contact }
        switch sample.phase {
        case .began:
            guard index == nil else { return nil }
            trackingID = (trackingID + 1) & 0xffff
            down.append(Down(contact: sample.contact, trackingID: trackingID, axes: sample.axes))
            return trackingID
        case .moved:
            guard let index else { return nil }
            down[index].axes = sample.axes
            return down[index].trackingID
        case .ended, .cancelled: return index.map { down.remove(at: $0).trackingID }
        }
    }

    // MARK: Protocols

    private mutating func writeSlot(_ sample: ContactSample) {
        guard let id = follow(sample) else { return }
        switch sample.phase {
        case .began:
            select(sample.slot)
            add(EventType.absolute, AbsCode.trackingID, id)
            write(sample.axes, of: sample.slot)
        case .moved: write(sample.axes, of: sample.slot)
        case .ended, .cancelled:
            select(sample.slot)
            add(EventType.absolute, AbsCode.trackingID, -1)
        }
    }

    private mutating func writeSingle(_ sample: ContactSample) {
        guard follow(sample) != nil else { return }
        let isTouched = sample.phase == .began || sample.phase == .moved
        if hasTouchKey, sample.phase != .moved { add(EventType.key, KeyCode.touch, isTouched ? 1 : 0) }
        if isTouched {
            write(sample.axes, of: 0)
        } else if let restingPressure {
            var axes = written[0] ?? ContactAxes()
            axes.pressure = restingPressure
            write(axes, of: 0)
        }
    }

    /// Protocol A lists all contacts in each report.
    private mutating func writeAll() {
        for contact in down {
            for axis in axes { add(EventType.absolute, axis.code, contact.axes[keyPath: axis.value]) }
            if hasTrackingIDs { add(EventType.absolute, AbsCode.trackingID, contact.trackingID) }
            add(EventType.synchronization, SynCode.multitouchReport, 0)
        }
        if down.isEmpty { add(EventType.synchronization, SynCode.multitouchReport, 0) }
    }

    private mutating func write(_ now: ContactAxes, of slot: Int16) {
        var before = written[slot] ?? ContactAxes()
        for axis in axes where before[keyPath: axis.value] != now[keyPath: axis.value] {
            if touchProtocol == .slots { select(slot) }
            add(EventType.absolute, axis.code, now[keyPath: axis.value])
            before[keyPath: axis.value] = now[keyPath: axis.value]
        }
        written[slot] = before
    }

    private mutating func select(_ wanted: Int16) {
        guard slot != wanted else { return }
        slot = wanted
        add(EventType.absolute, AbsCode.slot, Int32(wanted))
    }

    private mutating func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        events.append(InputEvent(type: type, code: code, value: value, time: time))
    }
}

/// The change of a contact in one report.
struct ContactSample {
    var time: Int64
    var axes: ContactAxes
    /// The contact's number, which the device does not reuse.
    var contact: UInt32
    var slot: Int16
    var phase: Contact.Phase
    /// Distinguishes reports with the same time.
    var report: UInt8
}
