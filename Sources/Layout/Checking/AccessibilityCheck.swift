import Basics
import Foundation
import TouchKit

/// Judges the accessibility of a layout, as far as its text shows it, by clauses of EN 301 549 V3.2.1 and criteria of WCAG 2.2.
package nonisolated struct AccessibilityCheck {
    /// A view and where it is.
    private struct Place {
        let view: ViewSpec
        let screen: ScreenSpec
        /// The box around it, in points of the screen.
        let frame: CGRect
    }

    /// The edition whose clauses the findings name.
    package static let edition = "EN 301 549 V3.2.1"
    /// Matters that the text of a layout does not show.
    package static func unknown(_ document: LayoutDocument) -> [String] {
        let isMeasured = document.screens.allSatisfy { $0.millimeters != nil }
        let isMounted = isMeasured && document.screens.allSatisfy { $0.aboveFloor != nil }
        return always
            + (isMeasured ? [] : ["targets in millimeters: add millimeters: [WIDTH, HEIGHT] to screen"])
            + (isMounted ? [] : ["the height of what is touched (8.3.2): add above-floor: MILLIMETERS to screen"])
    }
    private static let always = [
        "contrast and the size of characters (5.1.4, WCAG 1.4.3): look at the screen",
        "the level and the privacy of speech (5.1.3.8, 5.1.3.10 to 5.1.3.13): listen, with and without headphones",
        "the space in front of the screen (8.3.4): measure",
        "keypads, card readers, receipts and tickets (5.1.3.16, 8.4): try each without looking",
        "what the program that draws does by itself: try it with the talking mode",
    ]
    /// The size in CSS pixels below which a target is small (WCAG 2.5.8): points, if the screen's size is not known.
    private static let smallTarget: CGFloat = 24
    private static let millimetersOfPixel: CGFloat = 25.4 / 96
    /// The heights above the floor that people in a wheelchair reach, in millimeters (8.3.2.1, 8.3.2.2).
    private static let reach = 380.0...1220

    private let document: LayoutDocument
    /// Each for one view, or for the cells of a grid.
    private var findings: [(first: LayoutFinding, others: Int)] = []
    /// The index of a finding by its clause and place.
    private var indices: [String: Int] = [:]
    /// Steps that one finger can set off without a path: by a control, or by a tap.
    private var simpleSteps: Set<String> = []

    /// The findings of a layout without errors; those of the cells of a grid are one.
    package static func findings(_ document: LayoutDocument) -> [LayoutFinding] {
        var check = AccessibilityCheck(document: document)
        check.run()
        return check.findings.prefix(LayoutLimit.findings).map { first, others in
            others == 0
                ? first : LayoutFinding(.warning, at: first.location, "\(first.message) (and for \(others) more)")
        }
    }

    private mutating func run() {
        let places = self.places
        let views = places.map(\.view)
        let languages = Set(views.flatMap { $0.label?.texts.keys.filter { !$0.isEmpty } ?? [] })
        for view in views {
            simpleSteps.formUnion(view.on.filter { $0.trigger.isOfControl }.map(\.step.effect))
            for gesture in view.gestures where gesture.kind.isSimple {
                simpleSteps.formUnion(gesture.on.map(\.step.effect))
            }
        }
        checkStart(views)
        for place in places { check(place, languages) }
        checkReach(places)
        checkKeyboard(views)
        checkIdle()
    }

    /// All views, in the order of the file.
    private var places: [Place] {
        var places: [Place] = []
        func visit(_ views: [ViewSpec], _ screen: ScreenSpec, _ transform: CGAffineTransform) {
            for view in views {
                let toScreen = view.toSuperview.concatenating(transform)
                let area = CGRect(origin: .zero, size: view.frame.size).outset(by: view.slop)
                places.append(Place(view: view, screen: screen, frame: area.applying(toScreen)))
                visit(view.views, screen, toScreen)
            }
        }
        func screen(_ name: String?) -> ScreenSpec { document.screens[document.number(ofScreen: name) ?? 0] }
        for view in document.views { visit([view], screen(view.screen), .identity) }
        for page in document.pages { visit(page.views, screen(page.screen), .identity) }
        return places
    }

    private mutating func add(_ clause: String, at location: SourceLocation, _ text: String) {
        let key = "\(clause) \(location)"
        if let index = indices[key] { return findings[index].others += 1 }
        indices[key] = findings.count
        findings.append((LayoutFinding(.warning, at: location, "\(clause): \(text)"), 0))
    }

    private mutating func check(_ place: Place, _ languages: Set<String>) {
        let view = place.view
        if view.hasEffect, view.label == nil, !view.hasElementsInside {
            add(
                "5.1.3.1", at: view.location, "\(view.name) has no label, so nothing can be said of it; add label: TEXT"
            )
        }
        if let label = view.label, label.texts[""] == nil,
            case let missing = languages.subtracting(label.texts.keys), !missing.isEmpty
        {
            let tags = missing.sorted().joined(separator: ", ")
            add("5.1.3.14", at: view.location, "the label of \(view.name) is missing in \(tags); add it")
        }
        if view.control != nil, view.slot == nil {
            checkSize(place)
        }
        if case .repeating(let times)? = view.control, min(times.delay, times.interval) < 2 {
            add(
                "5.7", at: view.location,
                "\(view.name) repeats sooner than each 2 s, which some people need; write repeat: {after: 2, every: 2}, or a "
                    + "button")
        }
        for binding in view.on where binding.trigger == .began && view.control == nil {
            add(
                "WCAG 2.5.2", at: binding.step.location,
                "\(view.name) acts when a finger lands, so nobody can change their mind; use ended, or control: button")
        }
        for gesture in view.gestures where !gesture.kind.isSimple {
            if gesture.on.allSatisfy({ simpleSteps.contains($0.step.effect) }) { continue }
            add(
                gesture.kind.fingers > 1 ? "5.9, WCAG 2.5.1" : "WCAG 2.5.1, 2.5.7", at: gesture.location,
                "only \(gesture.kind.name) on \(view.name) does this, which some people cannot; give a button the same handlers"
            )
        }
    }

    private mutating func checkSize(_ place: Place) {
        let points = place.screen.size, size = place.frame.size
        let isSmall: Bool, limit: String
        if let screen = place.screen.millimeters {
            let least = Self.smallTarget * Self.millimetersOfPixel
            isSmall = min(size.width * screen.width / points.width, size.height * screen.height / points.height) < least
            limit = "6.35 mm"
        } else {
            isSmall = min(size.width, size.height) < Self.smallTarget
            limit = "\(Int(Self.smallTarget)) points"
        }
        guard isSmall else { return }
        add(
            "WCAG 2.5.8", at: place.view.location,
            "\(place.view.name) is smaller than \(limit); make it larger, or add slop: 12")
    }

    /// Finds handlers that run only where some people do not reach.
    private mutating func checkReach(_ places: [Place]) {
        var reached: Set<String> = [], others: [(place: Place, heights: ClosedRange<Double>)] = []
        for place in places where place.view.hasEffect {
            guard let size = place.screen.millimeters, let edge = place.screen.aboveFloor else { continue }
            let heights = [place.frame.maxY, place.frame.minY].map {
                edge + size.height * (1 - $0 / place.screen.size.height)
            }
            let range = heights[0]...heights[1]
            if range.overlaps(Self.reach) {
                reached.formUnion(place.view.effects)
            } else {
                others.append((place, range))
            }
        }
        for (place, heights) in others where !place.view.effects.isSubset(of: reached) {
            let isHigh = heights.lowerBound > Self.reach.upperBound
            let height = Int(isHigh ? heights.lowerBound : heights.upperBound)
            add(
                isHigh ? "8.3.2.1" : "8.3.2.2", at: place.view.location,
                "\(place.view.name) is \(height) mm above the floor, and some people reach only from 380 to 1220 mm; move it, or "
                    + "give a button there the same handlers")
        }
    }

    /// Somebody who does not see the screen must be able to start the mode.
    private mutating func checkStart(_ views: [ViewSpec]) {
        guard document.accessibility.start == AccessibilitySpec.Start(), let first = views.first else { return }
        add(
            "5.2, 8.5", at: SourceLocation(file: first.location.file),
            "who does not see the screen cannot start the talking mode; add accessibility: {start: {hold: 5 s}}")
    }

    /// A keypad on the screen: bounces press a key twice.
    private mutating func checkKeyboard(_ views: [ViewSpec]) {
        let canHelp =
            document.accommodations?.isEnabled == true
            || document.actions.contains { $0.action == .command(.turned(.accommodate, on: true)) }
        guard (document.accommodations?.settings.ignoreRepeat ?? 0) < 0.5 || !canHelp else { return }
        let keyboard = views.first { $0.views.count { $0.control != nil } >= 10 }
        guard let keyboard else { return }
        add(
            "5.8", at: keyboard.location,
            "a hand that trembles presses the keys of \(keyboard.name) twice; add accommodations: {enabled: false, ignore-repeat: "
                + "500 ms} and a view with accommodate: on")
    }

    /// The first idle time that changes what is shown comes after one that can warn of it.
    private mutating func checkIdle() {
        func act(_ binding: HandlerBinding) -> Bool { binding.trigger == .idle && changesScreen(binding.step) }
        guard let acting = document.idle.first(where: { $0.on.contains(where: act) }),
            let step = acting.on.first(where: act)?.step
        else { return }
        let isWarned = document.idle.contains {
            $0.delay <= acting.delay - AccessibilitySpec.warningTime && $0.on.contains { $0.trigger == .idle }
        }
        guard !isWarned else { return }
        add(
            "WCAG 2.2.1", at: step.location,
            "after \(Duration.seconds(acting.delay).timeText) the screen changes without a warning; give it at least 40 s, and add an "
                + "entry \(Int(AccessibilitySpec.warningTime)) s before it that warns: any touch then gives the time again"
        )
    }

    /// Whether a step shows something else, by itself or in the handlers that it runs.
    private func changesScreen(_ step: HandlerStep) -> Bool {
        switch step.kind {
        // The checker refuses handlers that run each other without end.
        case .run(let name, _):
            document.handlers.first { $0.name == name }?.allSteps.contains(where: changesScreen) == true
        case .action(.command(.named(let kind, _))): kind.operand == .page || kind.operand == .view
        case .action: false
        }
    }
}

nonisolated extension HandlerBinding.Trigger {
    /// Whether it is the activation of a control, or a finger that is lifted.
    fileprivate var isOfControl: Bool { [.pressed, .switchedOn, .switchedOff, .ended].contains(self) }
}

nonisolated extension ViewSpec {
    /// Its handlers and those of its gestures; of a control without them itself, which a program may know.
    fileprivate var effects: Set<String> {
        let steps = on.map(\.step) + gestures.flatMap { $0.on.map(\.step) }
        return steps.isEmpty ? ["\(location)"] : Set(steps.map(\.effect))
    }
}

nonisolated extension HandlerStep {
    /// The effect of the step, without its place.
    fileprivate var effect: String { "\(kind)" }
}

nonisolated extension GestureSpec.Kind {
    /// The number of fingers that it needs.
    fileprivate var fingers: Int {
        switch self {
        case .tap(_, let touches, _), .longPress(_, _, _, let touches), .swipe(_, let touches), .chord(let touches, _),
            .pan(let touches, _, _):
            touches
        case .pinch, .rotation: 2
        case .edgePan, .hover, .sequence: 1
        }
    }

    /// Whether one finger does it without moving: also a long press, and hovering, which needs no finger.
    fileprivate var isSimple: Bool { fingers == 1 && [.tap, .longPress, .hover, .sequence].contains(name) }
}
