import CLinux
import Evdev
import Foundation
import Layout
import TouchKit

@testable import Forwarding

/// Decodes the forwarded touchscreen with the project's own decoder.
final class ForwardedReader {
    private(set) var contacts: [Contact] = []
    /// The raw events, for checks of the single-touch axes and of the order.
    private(set) var events: [InputEvent] = []
    private var pipeline: FramePipeline?
    private var time: Int64 = 0

    init(_ panel: DeviceInfo) {
        let description = panel.forwardedDescription
        let info = DeviceInfo.touchscreen(description, id: 99)
        pipeline = FramePipeline(info) { [unowned self] frame in contacts += frame.contacts }
    }

    func read(_ events: UnsafeBufferPointer<input_event>) {
        time += 1000
        for raw in events {
            let event = InputEvent(
                type: raw.type, code: raw.code, value: raw.value, time: InputTimestamp(microseconds: time))
            self.events.append(event)
            pipeline?.feed(event)
        }
    }

    /// Returns and forgets what was decoded.
    func take() -> [Contact] {
        defer { contacts = [] }
        return contacts
    }
}

extension DeviceInfo {
    /// A protocol-B touchscreen as touchd would use it.
    static func touchscreen(
        _ description: DeviceDescription, id: UInt32 = 1, rules: [DeviceRule] = []
    ) -> DeviceInfo {
        DeviceInfo(
            id: DeviceID(rawValue: id), path: "/dev/input/event\(id)", description: description,
            role: DeviceRole(description), use: .used,
            settings: DeviceSettings(rules: rules, description: description, path: "", properties: [:]))
    }

    /// A panel of 1000 × 500 units, unless others are given.
    static func panel(
        _ width: Int32 = 1000, _ height: Int32 = 500, axes: [(UInt16, AxisInfo)] = [],
        _ change: (inout DeviceRule) -> Void = { _ in }
    ) -> DeviceInfo {
        var description = DeviceDescription(name: "Panel", bus: 3, physicalPath: "usb-1/input0")
        description.properties.insert(InputProperty.direct)
        description[EventType.key].insert(KeyCode.touch)
        for (code, maximum) in [
            (AbsCode.x, width - 1), (AbsCode.y, height - 1), (AbsCode.positionX, width - 1),
            (AbsCode.positionY, height - 1), (AbsCode.slot, 9),
            (AbsCode.trackingID, 65_535),
        ] as [(UInt16, Int32)] {
            description.insertAxis(code, AxisInfo(minimum: 0, maximum: maximum, resolution: 4))
        }
        for (code, axis) in axes { description.insertAxis(code, axis) }
        var rule = DeviceRule(label: "test", match: .init())
        rule.forwards = true
        change(&rule)
        return touchscreen(description, rules: [rule])
    }
}

/// A layout with one forwarded panel, whose fingers the tests move in points of the screen.
final class ForwardedKiosk {
    let application = Application()
    let scene: Scene
    let router = TouchRouter()
    let panel: ForwardedPanel
    let reader: ForwardedReader
    let info: DeviceInfo
    private(set) var time: Double = 100
    private let size: CGSize

    init(_ text: String, panel info: DeviceInfo = .panel()) throws {
        let document = try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"])
        scene = Scene(document, application: application) { _, _ in }
        scene.activate()
        size = document.screens[0].size
        router.forwardsByDefault = document.forward.isDefault
        router.cooldown = document.forward.cooldown
        self.info = info
        let reader = ForwardedReader(info)
        self.reader = reader
        panel = ForwardedPanel(info) { reader.read($0) }
        router.add(panel)
        application.forwarder = router
        application.setScreen(.main, for: info.id)
    }

    isolated deinit { scene.deactivate() }

    func send(_ changes: [(finger: UInt32, phase: Contact.Phase, x: Double, y: Double)], after seconds: Double = 0.01) {
        pass(seconds)
        application.enqueue(
            InputFrame(
                device: info.id, timestamp: InputTimestamp(microseconds: Int64((time * 1e6).rounded())),
                contacts: changes.map {
                    Contact(
                        id: $0.finger, phase: $0.phase,
                        position: SurfacePoint(x: $0.x / size.width, y: $0.y / size.height))
                }))
        application.drainEvents()
    }

    func down(_ finger: UInt32 = 1, _ x: Double, _ y: Double, after seconds: Double = 0.01) {
        send([(finger, .began, x, y)], after: seconds)
    }

    func move(_ finger: UInt32 = 1, _ x: Double, _ y: Double, after seconds: Double = 0.01) {
        send([(finger, .moved, x, y)], after: seconds)
    }

    func up(_ finger: UInt32 = 1, _ x: Double, _ y: Double, after seconds: Double = 0.01) {
        send([(finger, .ended, x, y)], after: seconds)
    }

    func pass(_ seconds: Double) {
        time += seconds
        application.advanceTime(to: InputTimestamp(microseconds: Int64((time * 1e6).rounded())))
    }

    /// The decoded changes since the last call, each with its location in points of the screen.
    func received() -> [String] {
        reader.take().map {
            let (x, y) = ($0.position.x * size.width, $0.position.y * size.height)
            return "\($0.phase) \(Int(x.rounded())) \(Int(y.rounded()))"
        }
    }
}
