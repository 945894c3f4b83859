/// Tracks the three axes of an accelerometer.
///
/// With `INPUT_PROP_ACCELEROMETER` the resolution of an axis is in units per g (`event-codes.rst`). If a device leaves
/// it at 0, the axis' maximum is taken as 2 g, the default range of such sensors.
struct AccelerometerTracker: Sendable {
    private var values: (x: Int32, y: Int32, z: Int32)
    private let unitsPerG: (x: Double, y: Double, z: Double)
    private(set) var hasChanges = false

    init(_ description: DeviceDescription) {
        func axis(_ code: UInt16) -> AxisInfo { description.axes[code] ?? AxisInfo(minimum: -2, maximum: 2) }
        func scale(_ axis: AxisInfo) -> Double {
            axis.resolution > 0 ? Double(axis.resolution) : max(Double(axis.maximum) / 2, 1)
        }
        let (x, y, z) = (axis(AbsCode.x), axis(AbsCode.y), axis(AbsCode.z))
        values = (x.value, y.value, z.value)
        unitsPerG = (scale(x), scale(y), scale(z))
    }

    mutating func feed(_ event: InputEvent) {
        switch event.code {
        case AbsCode.x: values.x = event.value
        case AbsCode.y: values.y = event.value
        case AbsCode.z: values.z = event.value
        default: return
        }
        hasChanges = true
    }

    mutating func collect() -> Acceleration? {
        guard hasChanges else { return nil }
        hasChanges = false
        return Acceleration(
            x: Double(values.x) / unitsPerG.x, y: Double(values.y) / unitsPerG.y, z: Double(values.z) / unitsPerG.z)
    }
}
