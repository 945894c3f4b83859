import Evdev
import Testing

@testable import Service

@Suite("The input source") struct InputSourceTests {
    private func device(_ use: DeviceInfo.Use) -> DeviceInfo {
        let description = DeviceDescription(name: "panel")
        return DeviceInfo(
            id: DeviceID(rawValue: 1), path: "/dev/input/event0", description: description,
            role: DeviceRole(kind: .touchscreen, touchProtocol: .slots), use: use,
            settings: DeviceSettings(description: description, path: "/dev/input/event0", properties: [:]))
    }

    @Test("a device used without a grab is not a device error, but a failed device is")
    func deviceErrors() throws {
        let stage = try SlotStage("screen: {size: [9, 9]}\n"), input = stage.input
        let error = DeviceError.failed(path: "/dev/input/event0", call: "ioctl", reason: "busy")
        input.changed(.notGrabbed(device(.used), error))
        #expect(stage.counts.deviceErrors == 0)
        input.changed(.failed(device(.failed(error))))
        #expect(stage.counts.deviceErrors == 1)
    }
}
