import Testing

@testable import Evdev

/// `LivePathTests` tests one with a real open.
@Suite("Devices that cannot be opened")
struct OpeningRetriesTests {
    @Test("An unplugged or flooding device is not retried before it is plugged in again")
    func lasting() {
        #expect(DeviceError.notPermitted(path: "/dev/input/event3", group: nil).mayPass)
        #expect(DeviceError.failed(path: "/dev/input/event3", call: "open", reason: "Too many open files").mayPass)
        #expect(!DeviceError.unplugged(path: "/dev/input/event3").mayPass)
        #expect(!DeviceError.flooding(path: "/dev/input/event3", eventsPerSecond: 300_000).mayPass)
    }
}
