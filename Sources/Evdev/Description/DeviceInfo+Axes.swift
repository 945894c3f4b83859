/// The axes of a device's position.
extension DeviceInfo {
    /// The ranges of the position axes of its contacts or of its pointer; nil if it has no position.
    public var positionAxes: (x: AxisInfo?, y: AxisInfo?)? {
        let single = settings.positionAxes ?? PositionAxes(x: AbsCode.x, y: AbsCode.y)
        switch role.touchProtocol {
        case .slots, .anonymous: return (description.axes[AbsCode.positionX], description.axes[AbsCode.positionY])
        case .single: return (description.axes[single.x], description.axes[single.y])
        case nil where role.kind == .absolutePointer:
            return (description.axes[AbsCode.x], description.axes[AbsCode.y])
        case nil: return nil
        }
    }
}
