import Foundation
import TouchKit

/// Everything that fingers do except tapping, once on each screen.
extension TouchScript {
    private static let steps = 10

    /// A finger moves from a zone across the screen, and its touch stays with the zone.
    func drag(_ zones: [TouchZones.Zone]) throws {
        // A zone without gestures is the stronger test, because its view keeps the touch.
        guard let zone = zones.first(where: { !$0.hasGestures }) ?? zones.first else { return }
        let target = Fingers.reachable(
            CGPoint(x: size.width - zone.point.x, y: size.height - zone.point.y), of: size)
        kiosk.clear()
        try fingers.down(0, zone.point, of: size)
        try fingers.frame()
        for step in 1...Self.steps {
            let part = CGFloat(step) / CGFloat(Self.steps)
            let point = CGPoint(
                x: zone.point.x + (target.x - zone.point.x) * part, y: zone.point.y + (target.y - zone.point.y) * part)
            try fingers.move(0, point, of: size)
            try fingers.frame()
        }
        try fingers.lift(0)
        try fingers.frame()
        let hasEnded = fingers.screen.wait(until: { kiosk.endCount > 0 })
        let what = "drag from \(zone.name) to \(text(target))"
        if !hasEnded {
            findings.fail(subject, "\(what): the touch did not end")
        } else if let problem = problem(of: zone, at: zone.point) {
            findings.fail(subject, "\(what): \(problem)")
        } else if kiosk.touchEvents.contains(where: { $0.view !== zone.view }) {
            findings.fail(subject, "\(what): the touch did not stay with its view")
        } else if kiosk.touchEvents.last?.phase == .cancelled {
            findings.pass(subject, "\(what): a gesture was recognized and cancelled it once")
        } else if let last = kiosk.touchEvents.last,
            abs(last.location.x - target.x) > 1 || abs(last.location.y - target.y) > 1
        {
            findings.fail(subject, "\(what): it ended at \(text(last.location))")
        } else {
            let moves = kiosk.touchEvents.count { $0.phase == .moved }
            findings.pass(
                subject, "\(what): moved \(moves) time\(moves == 1 ? "" : "s"), with no events of another finger")
        }
    }

    /// Several fingers come down at once, each on its own zone, and are lifted one by one.
    func playSeveralFingers(_ zones: [TouchZones.Zone]) throws {
        let zones = Array(zones.filter { !$0.isExclusive }.prefix(5))
        guard zones.count > 1 else {
            return findings.skip(subject, "several fingers: the page has no two views that can be touched at once")
        }
        kiosk.clear()
        for (slot, zone) in zones.enumerated() { try fingers.down(slot, zone.point, of: size) }
        try fingers.frame()
        for slot in zones.indices {
            try fingers.lift(slot)
            try fingers.frame()
        }
        let hasEnded = fingers.screen.wait(until: { kiosk.endCount >= zones.count })
        let began = kiosk.touchEvents.filter { $0.phase == .began }
        let missing = zones.filter { zone in began.count { $0.view === zone.view } != 1 }.map(\.name)
        if !missing.isEmpty {
            findings.fail(
                subject, "\(zones.count) fingers at once: not exactly one touch on \(missing.joined(separator: ", "))")
        } else if !hasEnded {
            findings.fail(subject, "\(zones.count) fingers at once: only \(kiosk.endCount) touches ended")
        } else {
            findings.pass(subject, "\(zones.count) fingers at once: each view received its touch")
        }
    }

    /// A finger rests, its touch is cancelled as on a reload, and its lift is not delivered.
    func hold(_ zones: [TouchZones.Zone]) throws {
        guard let zone = zones.first else { return }
        kiosk.clear()
        try fingers.down(0, zone.point, of: size)
        try fingers.frame()
        let hasBegun = fingers.screen.wait(until: { !kiosk.touchEvents.isEmpty })
        // Longer than a long press, which takes half a second by default.
        fingers.screen.pass(0.7)
        kiosk.application.cancelAllTouches()
        try fingers.lift(0)
        try fingers.frame()
        fingers.screen.pass(0.05)
        let phases = kiosk.touchEvents.map(\.phase).filter { $0 != .moved }
        if !hasBegun {
            findings.fail(subject, "hold on \(zone.name): no touch arrived")
        } else if phases != [.began, .cancelled] {
            findings.fail(
                subject,
                "hold on \(zone.name), then cancelled: expected began, cancelled (got \(names(phases)))")
        } else {
            findings.pass(subject, "hold on \(zone.name): cancelled once, as expected; lifting the finger did nothing")
        }
    }

    /// The screen is unplugged while a finger is down, and works again after it is plugged in.
    func unplug(_ zones: [TouchZones.Zone]) throws {
        guard let zone = zones.first else { return }
        kiosk.clear()
        try fingers.down(0, zone.point, of: size)
        try fingers.frame()
        let hasBegun = fingers.screen.wait(until: { !kiosk.touchEvents.isEmpty })
        fingers.unplug()
        let phases = kiosk.touchEvents.map(\.phase)
        try fingers.screen.plugIn()
        let again = try tap(zone)
        if !hasBegun || phases != [.began, .cancelled] {
            findings.fail(
                subject,
                "unplugged with a finger down: expected began, cancelled (got \(names(phases)))")
        } else if let again {
            findings.fail(subject, "after plugging in again: tap on \(zone.name): \(again)")
        } else {
            findings.pass(subject, "unplugged with a finger down: cancelled once; used again after plugging in")
        }
    }
}
