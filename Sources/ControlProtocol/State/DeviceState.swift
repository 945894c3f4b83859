import Evdev

/// A device with the units of its axes and its mapping to the screen: the answer to the request `devices`.
package nonisolated struct DeviceState: Codable, Equatable, Sendable {
    /// The range of an axis, in the device's units.
    package struct Axis: Codable, Equatable, Sendable {
        /// The announced range; the device may send values outside it.
        package var minimum, maximum: Int32
        /// Units per millimeter; 0 if unknown.
        package var resolution: Int32
    }

    /// The device's number in inspection records.
    package var source: UInt32
    /// Its name and its event node.
    package var name, path: String
    /// `used`, `ignored` or `failed`.
    package var use: String
    /// Why it is not used; nil if it is used.
    package var reason: String?
    /// The device's kind: `touchscreen`, `mouse` and so on.
    package var kind: String
    /// How it reports contacts, as a readable name; nil if it reports none.
    package var touchProtocol: String?
    /// The ranges of the position axes; nil without them.
    package var x, y: Axis?
    /// The first two rows of the matrix that maps a position in the device's unit square to the screen's.
    package var matrix: [Double]
    /// The covered part of the screen: x, y, width and height as fractions of the screen's size.
    package var region: [Double]
    /// The name of its screen; nil for the first.
    package var screen: String?
    /// The event node of the virtual touchscreen that forwards its touches; nil if nothing is forwarded.
    package var forward: String?
    /// Why its touches are not forwarded although its rule has `forward`; nil otherwise.
    package var forwardRemark: String?
}

nonisolated extension DeviceState {
    /// Creates the state of a device.
    package init(_ device: DeviceInfo) {
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
