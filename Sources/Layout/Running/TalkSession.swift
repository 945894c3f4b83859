import ControlProtocol
import Foundation
import TouchKit

/// The talking mode of a scene while it is on: reports what a speaker says, and ends when nobody uses it.
final class TalkSession {
    private unowned let scene: Scene
    private let screen: Screen
    private let idle: TimeInterval
    private var lastUse: TimeInterval
    private var timer: Application.ScheduledAction?
    private(set) lazy var exploring = Exploring(on: screen, of: scene.application) { [unowned self] in report($0) }

    /// Begins with the first element of the page.
    init(_ scene: Scene, on screen: Screen) {
        self.scene = scene
        idle = scene.document.accessibility?.endIdle ?? AccessibilitySpec().endIdle
        lastUse = scene.application.currentTime
        self.screen = screen
    }

    /// Tells that the mode is on, and what is first.
    func begin() {
        tell(.started)
        exploring.setFocus(nil)
        arm()
    }

    func end() {
        timer?.cancel()
        tell(.ended)
    }

    /// A page has appeared: its first element becomes the focus.
    func pageShown(on screen: Screen) {
        if screen === self.screen { exploring.setFocus(nil) }
    }

    private func report(_ report: Exploring.Report) {
        lastUse = scene.application.currentTime
        switch report {
        case .focused(let view): tell(.focus, view)
        case .nothing: tell(.nothing)
        case .activated(let view): tell(.activated, view)
        case .refused(let view): tell(.refused, view)
        case .adjusted(let view): tell(.adjusted, view)
        case .end: tell(.end)
        case .quiet: tell(.quiet)
        }
    }

    private func tell(_ change: AccessibilityRecord.Change, _ view: View? = nil) {
        var record = AccessibilityRecord(time: scene.application.currentTime, change: change)
        if let view { record.describe(view, in: scene.language) }
        scene.tell(record)
    }

    private func arm() {
        timer = scene.application.schedule(at: lastUse + idle) { [weak self] in
            guard let self else { return }
            // Timestamps are rounded to microseconds, their sums are not.
            if scene.application.currentTime < lastUse + idle - 0.000_001 { arm() } else { scene.talk(false) }
        }
    }
}

extension AccessibilityRecord {
    /// Says what an element is; of one in a private view, only that it is a key.
    @MainActor fileprivate mutating func describe(_ view: View, in language: String?) {
        let isPrivate = ReportedView(view.superview).isConcealed
        (self.view, label) = (view.reportedName, isPrivate ? Self.privateLabel : view.accessibilityLabel)
        let traits = view.accessibilityTraits
        let roles: [(AccessibilityTraits, Role)] = [
            (.adjustable, .slider), (.header, .heading), (.link, .link), (.image, .image), (.button, .button),
        ]
        let roleOfTraits = roles.first { traits.contains($0.0) }?.1
        role = view is ToggleButton && !isPrivate ? .toggle : roleOfTraits ?? (view is Control ? .button : .text)
        guard !isPrivate else { return }
        if view.isDimmed { state = .dimmed }
        value = view.accessibilityValue
        self.language = view.layoutSpec?.label?.language(in: language)
        if state == nil, let toggle = view as? ToggleButton { state = toggle.isSelected ? .on : .off }
    }
}
