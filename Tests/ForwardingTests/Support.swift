import CLinux
import Evdev
import Foundation
import Layout
import TouchKit
import TouchKitTesting

@testable import Service

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

    /// A panel of 1000 × 500 units.
    static func panel(axes: [(UInt16, AxisInfo)] = [], rotation: Rotation = .none) -> DeviceInfo {
        var description = DeviceDescription(name: "Panel", bus: 3, physicalPath: "usb-1/input0")
        description.properties.insert(InputProperty.direct)
        description[EventType.key].insert(KeyCode.touch)
        for (code, maximum) in [
            (AbsCode.x, 999), (AbsCode.y, 499), (AbsCode.positionX, 999), (AbsCode.positionY, 499), (AbsCode.slot, 9),
            (AbsCode.trackingID, 65_535),
        ] as [(UInt16, Int32)] {
            description.insertAxis(code, AxisInfo(minimum: 0, maximum: maximum, resolution: 4))
        }
        for (code, axis) in axes { description.insertAxis(code, axis) }
        var rule = DeviceRule(label: "test", match: .init())
        rule.forwards = true
        rule.rotation = rotation
        return touchscreen(description, rules: [rule])
    }
}

/// A layout with one forwarded panel, and fingers on it.
final class ForwardedKiosk: Stage {
    let router = TouchRouter()
    let panel: ForwardedPanel
    let reader: ForwardedReader
    let info: DeviceInfo
    private let scene: Scene

    init(_ text: String, panel info: DeviceInfo = .panel()) throws {
        let document = try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"])
        let application = Application()
        scene = Scene(document, application: application) { _, _ in }
        scene.activate()
        router.forwardsByDefault = document.forward.isDefault
        router.cooldown = document.forward.cooldown
        self.info = info
        let reader = ForwardedReader(info)
        self.reader = reader
        panel = ForwardedPanel(info) { reader.read($0) }
        router.add(panel)
        application.observers = [router]
        application.setScreen(.main, for: info.id)
        super.init(application)
    }

    isolated deinit { scene.deactivate() }

    /// The decoded changes since the last call, each with its location in points of the screen.
    func received() -> [String] {
        let size = screen.bounds.size
        return reader.take().map {
            let (x, y) = ($0.position.x * size.width, $0.position.y * size.height)
            return "\($0.phase) \(Int(x.rounded())) \(Int(y.rounded()))"
        }
    }
}
