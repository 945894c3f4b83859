import Evdev

/// A device, with what its units mean and where they come to lie, as the request `devices` answers it.
public nonisolated struct DeviceState: Codable, Equatable, Sendable {
    /// The range of an axis, in the device's units.
    public struct Axis: Codable, Equatable, Sendable {
        /// What the device announces; it may send others.
        public var minimum, maximum: Int32
        /// Units per millimetre; 0 if not known.
        public var resolution: Int32
    }

    /// The number that inspection records know it by.
    public var source: UInt32
    /// Its name and its event node.
    public var name, path: String
    /// `used`, `ignored` or `failed`.
    public var use: String
    /// Why it is not used; nil where it is.
    public var reason: String?
    /// What it is: `touchscreen`, `mouse` and so on.
    public var kind: String
    /// How it reports contacts, in words; nil if it reports none.
    public var touchProtocol: String?
    /// The ranges of the axes that hold a position; nil where it has none.
    public var x, y: Axis?
    /// The first two rows of the matrix that takes a position in the unit square of the device to that of the screen.
    public var matrix: [Double]
    /// The part of the screen that it covers: x, y, width and height in parts of the screen's.
    public var region: [Double]
    /// The screen it lies on, by its name; nil for the first.
    public var screen: String?
}

nonisolated extension DeviceState {
    /// Takes the state of a device.
    public init(_ device: DeviceInfo) {
        let settings = device.settings
        source = device.id.rawValue
        name = device.description.name
        path = device.path
        switch device.use {
        case .used: (use, reason) = ("used", nil)
        case .ignored(let why): (use, reason) = ("ignored", why)
        case .failed(let error): (use, reason) = ("failed", "\(error)")
        }
        kind = device.role.kind.rawValue
        touchProtocol = device.role.touchProtocol?.rawValue
        let axes = device.positionAxes
        (x, y) = (axes?.x.map(Axis.init), axes?.y.map(Axis.init))
        let matrix = settings.calibration
        self.matrix = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f]
        let region = settings.region
        self.region = [region.x, region.y, region.width, region.height]
        screen = settings.target
    }
}

nonisolated extension DeviceState.Axis {
    fileprivate init(_ axis: AxisInfo) {
        self.init(minimum: axis.minimum, maximum: axis.maximum, resolution: axis.resolution)
    }
}
