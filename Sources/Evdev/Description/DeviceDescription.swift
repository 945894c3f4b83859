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
    private var codes: [UInt16: CodeSet] = [:]

    /// Creates a description of a device without capabilities.
    public init(
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
    public mutating func insertAxis(_ code: UInt16, _ info: AxisInfo) {
        axes[code] = info
        self[EventType.absolute].insert(code)
    }

    /// Whether the description has no capabilities.
    public var isEmpty: Bool { axes.isEmpty && codes.values.allSatisfy(\.isEmpty) }
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
