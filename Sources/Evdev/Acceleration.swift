/// The measurement of an accelerometer in units of standard gravity, on the device's axes.
public struct Acceleration: Sendable, Equatable {
    /// Along the device's x axis.
    public var x: Double
    /// Along the device's y axis.
    public var y: Double
    /// Along the device's z axis.
    public var z: Double

    /// Creates a measurement.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}
