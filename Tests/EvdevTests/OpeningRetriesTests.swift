import EventLoop
import Testing

@testable import Evdev

/// The retry times for a device that could not be opened; `LivePathTests` tests one with a real open.
@Suite("Devices that cannot be opened")
struct OpeningRetriesTests {
    @Test("Retries come after 1, 2, 4 … s and then each minute, for each device alone")
    func delays() {
        var delays = RetryDelays()

        #expect((0..<8).map { _ in delays.next() } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        delays.restart()
        #expect(delays.next() == .seconds(1))
    }

    @Test("An unplugged or flooding device is not retried before it is plugged in again")
    func lasting() {
        #expect(DeviceError.notPermitted(path: "/dev/input/event3", group: nil).mayPass)
        #expect(DeviceError.failed(path: "/dev/input/event3", call: "open", reason: "Too many open files").mayPass)
        #expect(!DeviceError.unplugged(path: "/dev/input/event3").mayPass)
        #expect(!DeviceError.flooding(path: "/dev/input/event3", eventsPerSecond: 300_000).mayPass)
    }
}
