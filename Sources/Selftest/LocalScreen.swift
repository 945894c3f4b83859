import Evdev
import Foundation

/// A touchscreen in this process: its events enter at the decoder and continue like those of any device, on their own
/// clock.
final class LocalScreen: TestScreen {
    let way = "from the decoder"
    let isReal = false

    private let kiosk: SimulatedKiosk
    private let info: DeviceInfo
    private var pipeline: FramePipeline
    /// The time since an imaginary boot, in microseconds.
    private var clock: Int64 = 60_000_000

    init(_ kiosk: SimulatedKiosk) {
        self.kiosk = kiosk
        let description = TestScreenModel.description
        info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "(none)", description: description, role: DeviceRole(description),
            use: .used,
            settings: DeviceSettings(description: description, path: "", properties: [:]))
        pipeline = FramePipeline(info) { frame in kiosk.application.enqueue(frame) }
        kiosk.device = info.id
    }

    func send(type: UInt16, code: UInt16, value: Int32) {
        let isReport = type == 0
        // A panel's rate: a hundred frames a second.
        if isReport { clock += 10_000 }
        pipeline.feed(
            InputEvent(type: type, code: code, value: value, time: InputTimestamp(microseconds: clock)))
        if isReport { kiosk.application.drainEvents() }
    }

    func wait(until condition: () -> Bool) -> Bool {
        kiosk.application.drainEvents()
        // Recognizers may wait for seconds of the events' clock, which takes no real time.
        for _ in 0..<100 where !condition() { pass(0.1) }
        return condition()
    }

    func pass(_ seconds: Double) {
        clock += Int64(seconds * 1e6)
        kiosk.application.advanceTime(to: InputTimestamp(microseconds: clock))
    }

    func unplug() {
        pipeline.cancelAll(at: InputTimestamp(microseconds: clock))
        kiosk.application.enqueueRemoval(of: info.id, at: InputTimestamp(microseconds: clock))
        kiosk.application.drainEvents()
    }

    func plugIn() { pipeline = FramePipeline(info) { [kiosk] frame in kiosk.application.enqueue(frame) } }
}
