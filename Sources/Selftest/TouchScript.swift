import Foundation
import Layout
import TouchKit

/// The sequence of touches: a tap on each zone of each page, and on each screen a drag, several fingers, a finger that
/// is held and cancelled, and an unplugged screen.
final class TouchScript {
    let kiosk: SimulatedKiosk
    let fingers: Fingers
    let findings: Findings
    private let isVerbose: Bool
    private let namedViews: NamedViews
    /// The size of the tested screen and its name in findings.
    private(set) var size = CGSize.zero
    private(set) var subject = ""
    /// The number of missing touches in a row after which the test stops.
    private static let maximumLostTouches = 3

    init(_ kiosk: SimulatedKiosk, _ fingers: Fingers, _ findings: Findings, isVerbose: Bool) {
        self.kiosk = kiosk
        self.fingers = fingers
        self.findings = findings
        self.isVerbose = isVerbose
        namedViews = NamedViews(kiosk.document)
    }

    /// Plays the whole sequence.
    func run() {
        do {
            for number in kiosk.document.screens.indices { try play(screen: number) }
        } catch {
            findings.fail("touches", "cannot send events to the test screen: \(error)")
        }
        checkEnds()
        reportDelays()
    }

    private func play(screen number: Int) throws {
        let screen = kiosk.document.screens[number]
        size = screen.size
        kiosk.select(at: number)
        let pages = kiosk.document.pages.filter { ($0.screen ?? kiosk.document.screens[0].name) == screen.name }
        var mostZones: (page: String?, zones: [TouchZones.Zone]) = (nil, [])
        for page in pages.isEmpty ? [nil] : pages.map({ Optional($0.name) }) {
            try show(page, on: screen)
            let zones = TouchZones(kiosk.scene, namedViews, screen: number)
            try tap(zones)
            if zones.zones.count > mostZones.zones.count { mostZones = (page, zones.zones) }
        }
        guard !mostZones.zones.isEmpty else { return }
        try show(mostZones.page, on: screen)
        try drag(mostZones.zones)
        try playSeveralFingers(mostZones.zones)
        try hold(mostZones.zones)
        try unplug(mostZones.zones)
    }

    private func show(_ page: String?, on screen: ScreenSpec) throws {
        if let page { try kiosk.scene.go(to: page) }
        let names = [screen.name.map { "screen \($0)" }, page.map { "page \($0)" }].compactMap { $0 }
        subject = names.isEmpty ? "touches" : names.joined(separator: ", ")
    }

    // MARK: Taps

    private func tap(_ zones: TouchZones) throws {
        var (good, lost) = (0, 0)
        for zone in zones.zones {
            if let problem = try tap(zone) {
                findings.fail(subject, "tap on \(zone.name): \(problem)")
                lost = kiosk.touchEvents.isEmpty ? lost + 1 : 0
                guard lost < Self.maximumLostTouches else {
                    return findings.fail(
                        subject, "stopped, because \(Self.maximumLostTouches) touches in a row did not arrive")
                }
            } else {
                good += 1
                lost = 0
                if isVerbose { findings.pass(subject, "tap on \(zone.name) at \(text(zone.point))\(handlerSummary)") }
            }
        }
        if zones.zones.isEmpty {
            findings.skip(subject, "no view receives touches")
        } else if good > 0 {
            findings.pass(
                subject, "\(good) view\(good == 1 ? "" : "s") tapped \(fingers.screen.way); each received its touch")
        }
        skip("hidden or disabled", zones.asleep)
        skip("covered by other views", zones.covered)
    }

    private func skip(_ why: String, _ names: [String]) {
        guard !names.isEmpty else { return }
        let shown = isVerbose ? names : Array(names.prefix(8))
        let more = shown.count < names.count ? " and \(names.count - shown.count) more" : ""
        findings.skip(subject, "not tried (\(why)): \(shown.joined(separator: ", "))\(more)")
    }

    /// Taps a zone; returns the problem, or nil.
    func tap(_ zone: TouchZones.Zone) throws -> String? {
        kiosk.clear()
        try fingers.down(0, zone.point, of: size)
        try fingers.frame()
        try fingers.lift(0)
        try fingers.frame()
        guard fingers.screen.wait(until: { kiosk.endCount > 0 }) else {
            return kiosk.touchEvents.isEmpty ? "no touch arrived" : "the touch did not end"
        }
        if let problem = problem(of: zone, at: zone.point) { return problem }
        // The layout may let a gesture take the touch from a control.
        guard zone.view is Control, !zone.hasGestures, let id = zone.view.identifier, namedViews.pressed.contains(id)
        else {
            return nil
        }
        return kiosk.steps.contains { $0.trigger == .pressed } ? nil : "the control was not pressed"
    }

    /// The problem of the only touch since `clear()`, which should have begun on a zone at a point; nil without a
    /// problem.
    func problem(of zone: TouchZones.Zone, at point: CGPoint) -> String? {
        let beginnings = kiosk.touchEvents.filter { $0.phase == .began }
        guard let first = beginnings.first, beginnings.count == 1 else {
            return "expected one touch for one finger (got \(beginnings.count))"
        }
        guard first.view === zone.view else {
            return "the touch went to \(first.view.map { kiosk.scene.name(of: $0) } ?? "no view")"
        }
        guard abs(first.location.x - point.x) < 1, abs(first.location.y - point.y) < 1 else {
            return "expected at \(text(point)) (got \(text(first.location)))"
        }
        return nil
    }

    private var handlerSummary: String {
        let names = kiosk.steps.map { "\($0.name) (\($0.trigger.rawValue))" }
        return names.isEmpty ? "" : ", would run " + names.joined(separator: ", ")
    }

    func text(_ point: CGPoint) -> String { String(format: "(%.0f, %.0f)", point.x, point.y) }

    func names(_ phases: [Touch.Phase]) -> String {
        phases.isEmpty ? "nothing" : phases.map { "\($0)" }.joined(separator: ", ")
    }

    // MARK: Checks for all touches

    private func checkEnds() {
        let open = kiosk.ends.filter { $0.value != 1 }.keys.sorted()
        if !open.isEmpty {
            findings.fail("ends", "touches \(open.prefix(8)) did not end exactly once")
        } else if !kiosk.ends.isEmpty {
            findings.pass("ends", "all \(kiosk.ends.count) touches ended or were cancelled exactly once")
        }
    }

    private func reportDelays() {
        let delays = kiosk.delays.sorted()
        guard fingers.screen.isReal, let longest = delays.last else { return }
        let half = delays[delays.count / 2]
        findings.pass(
            "delay",
            String(
                format: "kernel timestamp to view: median %.1f ms, longest %.1f ms",
                half * 1000, longest * 1000))
    }
}
