import CLinux
import Evdev
import Service
import Foundation
import Glibc
import TouchKit

/// A finger that moves on a forwarded panel: from the panel's events, as read, to the return of the call that writes the
/// frame. `Benchmarks/Forward/copy-touches.c` is the floor.
enum ForwardedMove {
    static let workload = Workload(name: "forwarded, 1 finger, from read to write", make: make)

    private static func make() -> @MainActor (Int) -> Void {
        let application = Application()
        let screen = Screen(bounds: CGRect(x: 0, y: 0, width: 1920, height: 1080))
        let window = Window(frame: screen.bounds, application: application, screen: screen)
        window.addSubview(View(frame: screen.bounds))
        window.makeKeyAndVisible()
        let panel = Panel(application)
        application.setScreen(screen, for: panel.info.id)
        let router = TouchRouter()
        let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
        router.add(
            ForwardedPanel(panel.info) {
                _ = write(output, $0.baseAddress, $0.count * MemoryLayout<input_event>.stride)
            }
        )
        application.observers = [router]
        panel.feed([(ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, 1), (ABS_MT_POSITION_Y, 32_768), (ABS_X, 1)])
        return { step in panel.feed([(ABS_MT_POSITION_X, Int32(step + 2)), (ABS_X, Int32(step + 2))]) }
    }
}

/// A touchscreen whose events are decoded, queued and delivered, frame by frame.
final class Panel {
    /// The device.
    let info: DeviceInfo
    private var pipeline: FramePipeline
    private let application: Application
    private var time: Int64 = 1_000_000

    init(_ application: Application) {
        self.application = application
        var description = DeviceDescription(name: "bench panel")
        for (code, maximum) in [
            (ABS_X, 65_535), (ABS_MT_POSITION_X, 65_535), (ABS_MT_POSITION_Y, 65_535), (ABS_MT_SLOT, 9),
        ] as [(Int32, Int32)] {
            description.insertAxis(UInt16(code), AxisInfo(minimum: 0, maximum: maximum))
        }
        info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "", description: description, role: DeviceRole(description), use: .used,
            settings: DeviceSettings(description: description, path: "", properties: [:]))
        pipeline = FramePipeline(info) { application.enqueue($0) }
    }

    /// Delivers a frame of these events, 8 ms after the one before.
    func feed(_ values: [(code: Int32, value: Int32)]) {
        time += 8000
        for (code, value) in values { feed(EventType.absolute, UInt16(code), value) }
        feed(EventType.synchronization, SynCode.report, 0)
        application.drainEvents()
    }

    private func feed(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        pipeline.feed(InputEvent(type: type, code: code, value: value, time: InputTimestamp(microseconds: time)))
    }
}
