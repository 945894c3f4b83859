import EventLoop
import Evdev
import Foundation
import Layout
import TouchKit

/// Tests that a finger on a forwarded touchscreen arrives at a reader of the virtual touchscreen, and that one on a view
/// with `forward: false` does not.
///
/// The reader grabs the virtual touchscreen before the first finger comes down, so that the program that draws receives
/// nothing of the test.
final class ForwardingTest {
    private let document: LayoutDocument
    private let findings: Findings
    private let loop: EpollRunLoop
    /// The reader's state: whether it has opened the device, and what it has read.
    private var isOpen = false
    private var failure: DeviceError?
    private var contacts: [Contact] = []

    init(_ document: LayoutDocument, _ findings: Findings, loop: EpollRunLoop) {
        self.document = document
        self.findings = findings
        self.loop = loop
    }

    /// Runs the test if the layout forwards a touchscreen.
    /// - Parameter usesKernel: Whether a touchscreen can be created through uinput.
    func run(usesKernel: Bool) {
        guard document.devices.contains(where: { $0.forwards == true }) else { return }
        guard usesKernel else {
            return findings.skip("forwarding", "not tested, because touches start at the decoder")
        }
        let kiosk = SimulatedKiosk(document)
        do {
            let screen = try KernelScreen(kiosk, loop: loop, forwards: true)
            try test(kiosk, screen)
            screen.unplug()
        } catch {
            findings.fail("forwarding", "\(error)")
        }
        kiosk.close()
    }

    private func test(_ kiosk: SimulatedKiosk, _ screen: KernelScreen) throws {
        if let reason = screen.forwardingFailure { return findings.fail("forwarding", reason) }
        let name = screen.forwardedName
        let reader = DeviceMonitor(
            loop: loop, rules: KernelScreen.rules(for: name), onFrame: { [unowned self] in contacts += $0.contacts },
            onChange: { [unowned self] change in
                switch change {
                case .added(let info) where info.description.name == name: isOpen = true
                case .notGrabbed(let info, let error) where info.description.name == name: failure = error
                default: break
                }
            })
        try reader.start()
        defer { reader.stop() }
        guard screen.wait(until: { isOpen || failure != nil }), failure == nil else {
            return findings.fail(
                "forwarding",
                failure.map { "\($0)" } ?? "udev did not announce '\(name)'; check that systemd-udevd runs")
        }
        try play(kiosk, Fingers(screen))
    }

    private func play(_ kiosk: SimulatedKiosk, _ fingers: Fingers) throws {
        let size = document.screens[0].size
        guard let open = place(in: kiosk.scene, isForwarded: true) else {
            return findings.skip("forwarding", "no place without gestures on the first page forwards touches")
        }
        guard try tap(open, fingers, size) else {
            return findings.fail(
                "forwarding", "a finger at \(text(open)) did not arrive at a reader of the virtual touchscreen")
        }
        var detail = "a finger at \(text(open)) arrives at a reader of the virtual touchscreen"
        if let kept = place(in: kiosk.scene, isForwarded: false) {
            // A finger that arrives proves that the one before it did not.
            try touch(kept, fingers, size)
            guard try tap(open, fingers, size) else {
                return findings.fail(
                    "forwarding", "a finger at \(text(kept)), where forward: false holds, arrived at a reader")
            }
            detail += "; one at \(text(kept)) does not (forward: false)"
        }
        findings.pass("forwarding", detail)
    }

    /// Taps a point; returns whether the reader received exactly this tap, at its place.
    private func tap(_ point: CGPoint, _ fingers: Fingers, _ size: CGSize) throws -> Bool {
        contacts = []
        try touch(point, fingers, size)
        guard fingers.screen.wait(until: { contacts.contains { $0.phase == .ended } }) else { return false }
        let began = contacts.filter { $0.phase == .began }.map(\.position)
        return began.count == 1
            && began.allSatisfy {
                abs($0.x * size.width - point.x) <= 1 && abs($0.y * size.height - point.y) <= 1
            }
    }

    private func touch(_ point: CGPoint, _ fingers: Fingers, _ size: CGSize) throws {
        try fingers.down(0, point, of: size)
        try fingers.frame()
        try fingers.lift(0)
        try fingers.frame()
    }

    /// A place of the first screen where touches are forwarded, or are not, and no gesture can take them back.
    private func place(in scene: Scene, isForwarded: Bool) -> CGPoint? {
        let screen = document.screens[0]
        for row in 0..<Self.grid {
            for column in 0..<Self.grid {
                let point = CGPoint(
                    x: (CGFloat(column) + 0.5) / Self.steps * screen.size.width,
                    y: (CGFloat(row) + 0.5) / Self.steps * screen.size.height)
                guard let report = scene.hit(point, onScreen: screen.name), report.recognizers.isEmpty,
                    report.forwarding?.isForwarded == isForwarded
                else { continue }
                return point
            }
        }
        return nil
    }

    /// Fine enough for a service corner of a twentieth of the screen.
    private static let grid = 40
    private static let steps = CGFloat(grid)

    private func text(_ point: CGPoint) -> String { String(format: "(%g, %g)", Double(point.x), Double(point.y)) }
}
