import ControlProtocol
import Evdev

nonisolated extension DeviceState {
    /// Creates the state of a device.
    package init(_ device: DeviceInfo) {
        let (use, reason): (String, String?) =
            switch device.use {
            case .used: ("used", nil)
            case .ignored(let why): ("ignored", why)
            case .failed(let error): ("failed", "\(error)")
            }
        let axes = device.positionAxes, settings = device.settings
        let matrix = settings.calibration, region = settings.region
        self.init(
            source: device.id.rawValue, name: device.description.name, path: device.path, use: use, reason: reason,
            kind: device.role.kind.rawValue, touchProtocol: device.role.touchProtocol?.rawValue,
            x: axes?.x.map(Axis.init), y: axes?.y.map(Axis.init),
            matrix: [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f],
            region: [region.x, region.y, region.width, region.height], screen: settings.target)
    }
}

nonisolated extension DeviceState.Axis {
    fileprivate init(_ axis: AxisInfo) {
        self.init(minimum: axis.minimum, maximum: axis.maximum, resolution: axis.resolution)
    }
}
