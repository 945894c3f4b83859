/// The axes of one contact that touchd tracks, in device units.
package struct ContactAxes: Sendable, Equatable {
    package var x: Int32 = 0
    package var y: Int32 = 0
    package var tool: Int32 = 0
    package var pressure: Int32 = 0
    package var major: Int32 = 0
    package var minor: Int32 = 0
    package var orientation: Int32 = 0
    package var distance: Int32 = 0

    /// Each tracked axis with its code, in the order of the codes.
    static var codes: [(code: UInt16, value: WritableKeyPath<ContactAxes, Int32>)] {
        [
            (AbsCode.touchMajor, \.major), (AbsCode.touchMinor, \.minor), (AbsCode.orientation, \.orientation),
            (AbsCode.positionX, \.x), (AbsCode.positionY, \.y), (AbsCode.toolType, \.tool),
            (AbsCode.multitouchPressure, \.pressure), (AbsCode.distance, \.distance),
        ]
    }

    /// Creates axes that are all 0.
    package init() {}

    /// Sets the axis of an `ABS_MT_…` code; other axes are ignored.
    mutating func set(_ code: UInt16, to value: Int32) {
        switch code {
        case AbsCode.positionX: x = value
        case AbsCode.positionY: y = value
        case AbsCode.toolType: tool = value
        case AbsCode.multitouchPressure: pressure = value
        case AbsCode.touchMajor: major = value
        case AbsCode.touchMinor: minor = value
        case AbsCode.orientation: orientation = value
        case AbsCode.distance: distance = value
        default: break
        }
    }
}
