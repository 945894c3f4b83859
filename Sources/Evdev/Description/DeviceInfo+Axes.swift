/// The axes that say where a device is touched.
extension DeviceInfo {
    /// The ranges of the axes that hold the position of its contacts, or of the pointer it is; nil where it has no position.
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
