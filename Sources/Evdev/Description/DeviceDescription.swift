/// A device's description of itself: its name, ids, port and capabilities.
///
/// It has the same content for an open device and for the header of a recording.
public struct DeviceDescription: Sendable, Equatable {
    /// The driver's name of the device, for users and for matching in rules.
    ///
    /// The name may come from the hardware and appears in terminals and logs, so each control character (C0, DEL and
    /// C1) is replaced by U+FFFD.
    public var name: String {
        didSet { name = name.withoutControls }
    }
    /// `BUS_…` of `linux/input.h`: 3 is USB, 5 Bluetooth, 0x18 I²C.
    public var bus: UInt16
    /// The vendor id on that bus.
    public var vendor: UInt16
    /// The vendor's product id.
    public var product: UInt16
    /// The product's version.
    public var version: UInt16
    /// The port of the device, such as `usb-0000:00:14.0-2/input0`; empty for most virtual devices.
    public var physicalPath: String
    /// A serial number; empty if the device has none.
    public var uniqueName: String
    /// `INPUT_PROP_…`.
    public var properties = CodeSet()
    /// The axes of `EV_ABS` with their ranges.
    public var axes: [UInt16: AxisInfo] = [:]
    /// The content of the slots of protocol B at that moment, from slot 0 on; later slots are empty.
    package var slots: [SlotContent] = []
    /// The keys and buttons that were down then.
    package var pressedKeys = CodeSet()
    private var codes: [UInt16: CodeSet] = [:]

    /// Creates a description of a device without capabilities.
    package init(
        name: String = "", bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0,
        physicalPath: String = "", uniqueName: String = ""
    ) {
        self.name = name.withoutControls
        self.bus = bus
        self.vendor = vendor
        self.product = product
        self.version = version
        self.physicalPath = physicalPath
        self.uniqueName = uniqueName
    }

    /// The codes of an event type (`EV_KEY`, `EV_REL`, …) that the device can send.
    public subscript(type: UInt16) -> CodeSet {
        get { codes[type] ?? CodeSet() }
        set { codes[type] = newValue }
    }

    /// Adds an axis of `EV_ABS`.
    package mutating func insertAxis(_ code: UInt16, _ info: AxisInfo) {
        axes[code] = info
        self[EventType.absolute].insert(code)
    }

    /// The same device with nothing touched or pressed, and every axis at 0.
    var atRest: DeviceDescription {
        var description = self
        for code in axes.keys { description.axes[code]?.value = 0 }
        (description.slots, description.pressedKeys) = ([], CodeSet())
        return description
    }

    /// Whether the description has no capabilities.
    package var isEmpty: Bool { axes.isEmpty && codes.values.allSatisfy(\.isEmpty) }
}

/// What a slot of protocol B holds.
package struct SlotContent: Sendable, Equatable {
    /// The kernel's tracking id; -1 if the slot is empty.
    package var trackingID: Int32 = -1
    /// The axes, which outlive a contact: the next one in the slot inherits them.
    package var axes = ContactAxes()

    /// Creates an empty slot, with all axes at 0.
    package init() {}

    /// The value of an `ABS_MT_…` code; setting one that touchd does not track changes nothing.
    subscript(code: UInt16) -> Int32 {
        get {
            if code == AbsCode.trackingID { return trackingID }
            return ContactAxes.codes.first { $0.code == code }.map { axes[keyPath: $0.value] } ?? 0
        }
        set {
            if code == AbsCode.trackingID { trackingID = newValue } else { axes.set(code, to: newValue) }
        }
    }
}

extension String {
    /// The text with U+FFFD for each control character.
    package var withoutControls: String {
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(scalars)
    }
}
