import ControlProtocol
import EventLoop
import Evdev
import Handlers
import Logging
import Testing
import TouchKit

@testable import Service

@Suite("The event path") struct EventPathTests {
    private let metrics = Metrics(isLive: false)

    private func path() throws -> EventPath {
        let loop = try EpollRunLoop(), application = Application()
        let logger = Logger(label: "test") { _ in ControlLog() }
        let names = DeviceNames()
        let runner = HandlerRunner(
            registry: HandlerRegistry(), application: application, loop: loop, logger: logger,
            deviceName: { names[$0] })
        return EventPath(
            DaemonOptions(), application: application, loop: loop, logger: logger, metrics: metrics,
            deviceNames: names, runner: runner, journal: nil)
    }

    private func device(_ use: DeviceInfo.Use) -> DeviceInfo {
        let description = DeviceDescription(name: "panel")
        return DeviceInfo(
            id: DeviceID(rawValue: 1), path: "/dev/input/event0", description: description,
            role: DeviceRole(kind: .touchscreen, touchProtocol: .slots), use: use,
            settings: DeviceSettings(description: description, path: "/dev/input/event0", properties: [:]))
    }

    @Test("a device used without a grab is not a device error, but a failed device is")
    func deviceErrors() throws {
        let path = try path()
        let error = DeviceError.failed(path: "/dev/input/event0", call: "ioctl", reason: "busy")
        path.changed(.notGrabbed(device(.used), error))
        #expect(metrics.deviceErrors == 0)
        path.changed(.failed(device(.failed(error))))
        #expect(metrics.deviceErrors == 1)
    }
}
