import ControlProtocol
import Evdev

nonisolated extension DeviceState {
    package init(_ device: DeviceInfo) {
        self.init()
        (use, reason) = (DeviceUse(device.use), device.use.reason)
        let axes = device.positionAxes, settings = device.settings
        let matrix = settings.calibration, region = settings.region
        (source, name, path) = (device.id.rawValue, device.description.name, device.path)
        (kind, touchProtocol) = (device.role.kind.rawValue, device.role.touchProtocol?.rawValue)
        (x, y) = (axes?.x.map(Axis.init), axes?.y.map(Axis.init))
        self.matrix = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f]
        self.region = [region.x, region.y, region.width, region.height]
        screen = settings.target
    }
}

nonisolated extension DeviceState.Axis {
    package init(_ axis: AxisInfo) {
        self.init()
        (minimum, maximum, resolution) = (axis.minimum, axis.maximum, axis.resolution)
    }
}

nonisolated extension DeviceUse {
    package init(_ use: DeviceInfo.Use) {
        self =
            switch use {
            case .used: .used
            case .ignored: .ignored
            case .failed: .failed
            }
    }
}
