/// The range of an absolute axis (`struct input_absinfo`), in the device's units.
public struct AxisInfo: Sendable, Equatable {
    /// The value at the time of the description.
    public var value: Int32
    /// The announced minimum; the device may send values outside the range.
    public var minimum: Int32
    /// The announced maximum.
    public var maximum: Int32
    /// The parameter of the kernel's noise filter.
    public var fuzz: Int32
    /// The size of a joystick's dead zone.
    public var flat: Int32
    /// Units per millimeter, per radian or per g; 0 if unknown.
    public var resolution: Int32

    /// The value at a fraction of the range.
    func value(atFraction fraction: Double) -> Int32 {
        let value = Double(minimum) + fraction * (Double(maximum) - Double(minimum))
        // A value that rounding put just above a whole number is that number.
        return Int32(clamping: Int64((value - 1e-6).rounded(.up)))
    }

    /// Creates a range.
    package init(
        minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0, value: Int32 = 0
    ) {
        self.value = value
        self.minimum = minimum
        self.maximum = maximum
        self.fuzz = fuzz
        self.flat = flat
        self.resolution = resolution
    }
}
