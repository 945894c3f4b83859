import CAllocationCounter
import CLinux
import Evdev
import Foundation
import Layout
import TouchKit

/// A panel on which five fingers move while its last minutes are kept; most reports are overwritten.
enum KeptMoves {
    /// The number of reports; the buffer holds a twelfth of their contacts.
    static let count = 40_000

    /// The number of allocations in the second half of the reports; nil if the buffer or the private view did not work.
    ///
    /// - Parameter filtersJumps: Whether jumps are filtered, which holds some of the moves.
    static func allocations(filtersJumps: Bool = false) -> Int? {
        let fingers: Int32 = 5
        var description = DeviceDescription(name: "panel")
        for (code, maximum) in [
            (ABS_MT_SLOT, 9), (ABS_MT_TRACKING_ID, 65535), (ABS_MT_POSITION_X, 999), (ABS_MT_POSITION_Y, 999),
        ] {
            description.insertAxis(UInt16(code), AxisInfo(minimum: 0, maximum: Int32(maximum)))
        }
        var rule = DeviceRule(label: "noisy", match: .init())
        // The fingers jump back once in 700 reports.
        if filtersJumps { rule.filter = ContactFilter(jump: 100) }
        let info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "panel", description: description,
            role: DeviceRole(kind: .touchscreen, touchProtocol: .slots), use: .used,
            settings: DeviceSettings(rules: [rule], description: description, path: "panel", properties: [:]))
        let history = TouchHistory(span: .seconds(300))
        guard let scene = Self.scene() else { return nil }
        let screen = Screen.main
        var inPrivate = 0
        let pipeline = FramePipeline(info) { frame in
            for index in frame.contacts.indices {
                let contact = frame.contacts[index]
                if scene.isPrivate(screen.location(of: contact.position), on: screen) {
                    inPrivate += 1
                    history.conceal(contact.id, of: frame.device)
                } else if contact.phase == .began {
                    history.reveal(contact.id, of: frame.device)
                }
            }
        }
        pipeline.observer = history.opened(info)
        func send(_ reports: Range<Int>) {
            for number in reports {
                func feed(_ type: Int32, _ code: Int32, _ value: Int32) {
                    pipeline.feed(
                        InputEvent(
                            type: UInt16(type), code: UInt16(code), value: value,
                            time: InputTimestamp(microseconds: Int64(number) * 8000)))
                }
                for finger in 0..<fingers {
                    feed(EV_ABS, ABS_MT_SLOT, finger)
                    // The last finger taps, sometimes in the private view.
                    if number == 0 || finger == fingers - 1, number % 100 == 0 {
                        feed(EV_ABS, ABS_MT_TRACKING_ID, Int32(number + Int(finger)))
                    } else if finger == fingers - 1, number % 100 == 50 {
                        feed(EV_ABS, ABS_MT_TRACKING_ID, -1)
                    }
                    feed(EV_ABS, ABS_MT_POSITION_X, Int32(number % 700) + finger)
                    feed(EV_ABS, ABS_MT_POSITION_Y, 150 * finger)
                }
                feed(EV_SYN, SYN_REPORT, 0)
            }
        }
        send(0..<count / 2)
        let before = allocation_count()
        send(count / 2..<count)
        let allocations = Int(allocation_count() - before)
        return inPrivate > 100 && history.sources.count == 1 ? allocations : nil
    }

    /// A running layout with a private view.
    private static func scene() -> Scene? {
        let text = """
            screen: {size: [1000, 1000]}
            views: [{id: pad, frame: [0, 550, 200, 200], private: true}]
            """
        guard let document = try? LayoutDocument(text: text, file: "kiosk.yaml", handlers: [String]()) else {
            return nil
        }
        let scene = Scene(document, application: Application()) { _, _ in }
        scene.activate()
        return scene
    }
}
