/// A device with the units of its axes and its mapping to the screen: the answer to the request `devices`.
package struct DeviceState: Codable, Equatable, Sendable {
    /// The range of an axis, in the device's units.
    package struct Axis: Codable, Equatable, Sendable {
        /// The announced range; the device may send values outside it.
        package var minimum, maximum: Int32
        /// Units per millimeter; 0 if unknown.
        package var resolution: Int32

        /// Creates the range of an axis.
        package init(minimum: Int32, maximum: Int32, resolution: Int32) {
            (self.minimum, self.maximum, self.resolution) = (minimum, maximum, resolution)
        }
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

    /// Creates the state of a device whose touches are not forwarded.
    package init(
        source: UInt32, name: String, path: String, use: String, reason: String?, kind: String, touchProtocol: String?,
        x: Axis?, y: Axis?, matrix: [Double], region: [Double], screen: String?
    ) {
        (self.source, self.name, self.path, self.use, self.reason) = (source, name, path, use, reason)
        (self.kind, self.touchProtocol, self.x, self.y) = (kind, touchProtocol, x, y)
        (self.matrix, self.region, self.screen) = (matrix, region, screen)
    }
}
