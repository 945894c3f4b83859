import ControlProtocol
import Foundation
import TouchKit

/// The talking mode of a scene while it is on: reports what a speaker says, and ends when nobody uses it.
final class TalkSession {
    private unowned let scene: Scene
    private let screen: Screen
    private var timer: Application.ScheduledAction?
    /// The last record of the focus.
    private var told: AccessibilityRecord?
    private(set) lazy var exploring = Exploring(on: screen, of: scene.application) { [unowned self] in report($0) }

    init(_ scene: Scene, on screen: Screen) { (self.scene, self.screen) = (scene, screen) }

    /// Tells that the mode is on, and what is first.
    func begin() {
        tell(.started)
        exploring.setFocus(nil)
        arm()
    }

    func end() {
        // A handler may end it before it has begun.
        guard let timer else { return }
        timer.cancel()
        tell(.ended)
    }

    /// A page has appeared: its first element becomes the focus.
    func pageShown(on screen: Screen) {
        if screen === self.screen { exploring.setFocus(nil) }
    }

    /// A program has published other views: reports what became the focus, and the focus if what is said of it changed.
    func viewsChanged(isNew: (View) -> Bool) {
        exploring.elementsChanged(isNew: isNew)
        guard let focus = exploring.focus, let told else { return }
        let record = record(.adjusted, focus)
        // A clock as a heading would be said all the time.
        let isRead = [.heading, .image, .text].contains(record.role)
        if !isRead, record.isOther(than: told) { tell(.adjusted, focus) }
    }

    private func report(_ report: Exploring.Report) {
        switch report {
        case .focused(let view): tell(.focus, view)
        case .nothing: tell(.nothing)
        case .activated(let view):
            tell(.activated, view)
            guard view is ToggleButton else { return }
            // The touch that presses it is over then.
            _ = scene.application.schedule(at: scene.application.currentTime + 0.1) { [weak self, weak view] in
                guard let self, let view, scene.session === self, let told else { return }
                // Unless its publisher has said so.
                if record(.adjusted, view).isOther(than: told) { tell(.adjusted, view) }
            }
        case .refused(let view): tell(.refused, view)
        case .adjusted(let view): tell(.adjusted, view)
        case .swiped(let view, let isUp):
            guard view.layoutSpec?.role == .slider, !ReportedView(view).isConcealed else { return }
            tell(isUp ? .increment : .decrement, view)
        case .end: tell(.end)
        case .quiet: tell(.quiet)
        }
    }

    private func record(_ change: AccessibilityRecord.Change, _ view: View?) -> AccessibilityRecord {
        var record = AccessibilityRecord(time: scene.application.currentTime, change: change)
        if let view { record.describe(view, in: scene.language) }
        return record
    }

    private func tell(_ change: AccessibilityRecord.Change, _ view: View? = nil) {
        let record = record(change, view)
        if let view, view === exploring.focus { told = record }
        scene.tell(record, of: view)
    }

    /// Warns before it ends the mode, and any finger or key then gives the time again (WCAG 2.2.1).
    private func arm() {
        let idle = scene.document.accessibility.end.idle
        waits(idle - AccessibilitySpec.warningTime) {
            $0.tell(.ending)
            $0.waits(idle) { $0.scene.talk(false) }
        }
    }

    /// Does something when nobody has used the mode for a time.
    private func waits(_ time: TimeInterval, _ action: @escaping (TalkSession) -> Void) {
        let use = exploring.lastUse
        timer = scene.application.schedule(at: use + time) { [weak self] in
            guard let self else { return }
            exploring.lastUse == use ? action(self) : arm()
        }
    }
}

extension AccessibilityRecord {
    /// Says what an element is; of one in a private view, only that it is a key.
    @MainActor fileprivate mutating func describe(_ view: View, in language: String?) {
        let isPrivate = !view.isReported
        (self.view, label) = (view.reportedName, isPrivate ? Self.privateLabel : view.accessibilityLabel)
        let traits = view.accessibilityTraits
        let roles: [(AccessibilityTraits, Role)] = [
            (.adjustable, .slider), (.header, .heading), (.link, .link), (.image, .image), (.button, .button),
        ]
        let roleOfTraits = roles.first { traits.contains($0.0) }?.1
        role = view is ToggleButton && !isPrivate ? .toggle : roleOfTraits ?? (view is Control ? .button : .text)
        // A private element has a name, and nothing that it holds.
        guard !ReportedView(view).isConcealed else { return }
        let spec = view.layoutSpec
        role = spec?.role ?? role
        let own: State? = (view as? ToggleButton).map { $0.isSelected ? .on : .off }
        state = view.isDimmed ? .dimmed : own ?? spec?.state
        value = view.accessibilityValue ?? spec?.value
        self.language = spec?.label?.language(in: language)
    }

    /// Whether somebody who has heard another record of the element does not know this.
    fileprivate func isOther(than other: AccessibilityRecord) -> Bool {
        (label, value, state) != (other.label, other.value, other.state)
    }
}
