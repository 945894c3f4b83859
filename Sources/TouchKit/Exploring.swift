import Evdev
import Foundation

/// The talking mode of a screen: a finger finds out what is there without touching it (VoiceOver of iOS).
///
/// - A finger that rests or moves slowly explores: each element under it becomes the focus.
/// - A swipe to the right or left focuses the next or previous element; up or down adjusts an `adjustable` one.
/// - A double tap anywhere activates the focus, as does a second finger that taps while the first explores. Until then
///   nothing reaches the program. If the second tap is held, the finger is passed on at the focus, for a slider.
/// - Each landing silences the speech.
///
/// An element with the trait `allowsDirectInteraction` takes the fingers that land on it itself.
///
/// The states and times are those of ChromeVox, except where a visitor who has never used it would press by accident.
package final class Exploring: InputFilter {
    /// What happened, for somebody who speaks.
    package enum Report {
        /// The element became the focus, or the finger is on it again.
        case focused(View)
        /// No element is under the finger.
        case nothing
        /// The element is activated now.
        case activated(View)
        /// The element cannot be activated, because it is dimmed.
        case refused(View)
        /// The value of the element was adjusted.
        case adjusted(View)
        /// Somebody swiped on an element that is not `adjustable`, but may be a slider of the program that draws it.
        case swiped(View, isUp: Bool)
        /// There is no next or previous element.
        case end
        /// Speech should stop: a finger has landed.
        case quiet
    }

    private enum State {
        /// No finger is down.
        case idle
        /// One finger is down; nothing is decided.
        case landed
        /// It explores.
        case exploring
        /// It was lifted after a tap at this place; a second tap may follow.
        case tapped(CGPoint)
        /// The second tap is down.
        case pressed
        /// The second tap is held: its movements are passed on with a contact that began at the focus, `offset` away.
        case passing(contact: UInt32, finger: Finger.ID, offset: CGAffineTransform)
        /// While one finger explores, a second is down.
        case splitting
        /// Nothing happens until all fingers are lifted.
        case waiting
    }

    private struct Finger {
        /// The contact's number alone is not enough: each panel counts its own.
        struct ID: Equatable {
            let device: DeviceID
            let contact: UInt32
        }

        let id: ID
        let landedAt: TimeInterval
        /// When its movement first was more than none.
        var leftSlopAt: TimeInterval?
        /// Where it landed, or where its movement is counted from.
        var start: CGPoint
        var place: CGPoint

        var movement: CGFloat { place.distance(to: start) }
        /// Whether it explores, because it began to move too late for a swipe.
        var movesSlowly: Bool { leftSlopAt.map { $0 - landedAt >= Exploring.swiftness } ?? false }
    }

    /// The time that decides between a tap, a double tap and exploring, in seconds.
    package nonisolated static let interval = 0.3
    /// A finger that leaves its slop earlier may swipe, in seconds.
    private nonisolated static let swiftness = 0.15
    /// The movement in points that does not count, and that of a swipe.
    private nonisolated static let slop: CGFloat = 15, swipe: CGFloat = 40
    /// The distance from the screen's edge within which a lift is no tap, in points.
    private nonisolated static let edge: CGFloat = 6
    /// How long an activation touches its element, in seconds.
    private nonisolated static let press = 0.05

    /// The screen; contacts of panels on others are let through.
    package let screen: Screen
    /// The element that an activation concerns.
    package private(set) weak var focus: View?
    /// The number of contacts that reached nobody.
    package private(set) var keptCount = 0
    /// When somebody last used the panel or a keypad.
    package private(set) var lastUse: TimeInterval
    private let report: (Report) -> Void
    private unowned let application: Application
    private var state = State.idle
    /// The fingers that are down, in the order in which they landed.
    private var fingers: [Finger] = []
    /// The element that the exploring finger is on; nil if none, or if that has not been told.
    private weak var under: View?
    private var hasToldNothing = false
    /// The place of the focus among the elements, for the one that follows when it disappears.
    private var focusPlace: Int?
    /// The label of the focus when it was told.
    private var focusLabel: String?
    private var timer: Application.ScheduledAction?
    /// The contact of an activation that is not over.
    private var pressing: (device: DeviceID, contact: UInt32, lift: Application.ScheduledAction)?
    /// The panel that activations by keys appear to come from: that of the last finger, or one of the screen.
    private lazy var panel = application.panel(on: screen)

    /// Makes the mode for a screen of an application, which outlives it.
    ///
    /// - Parameter report: Called on the main thread.
    package init(on screen: Screen, of application: Application, report: @escaping (Report) -> Void) {
        (self.screen, self.application, self.report) = (screen, application, report)
        lastUse = application.currentTime
    }

    // MARK: Fingers

    package func keeps(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) -> Bool {
        guard application.screen(for: device) === screen else { return false }
        let place = screen.location(of: contact.position)
        lastUse = timestamp
        if case .idle = state, let element = application.accessibilityElement(at: place, on: screen),
            element.accessibilityTraits.contains(.allowsDirectInteraction)
        {
            return false
        }
        keptCount += 1
        panel = device
        fingers.append(
            Finger(
                id: Finger.ID(device: device, contact: contact.id), landedAt: timestamp, start: place, place: place))
        switch state {
        case .idle:
            state = .landed
            (under, hasToldNothing) = (nil, false)
            report(.quiet)
            wait(from: timestamp)
        case .exploring:
            state = .splitting
            fingers[0].start = fingers[0].place
        case .tapped:
            state = .pressed
            wait(from: timestamp)
        case .passing:
            break
        case .landed, .pressed, .splitting, .waiting:
            enter(.waiting)
        }
        return true
    }

    package func change(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) {
        let id = Finger.ID(device: device, contact: contact.id)
        guard let index = fingers.firstIndex(where: { $0.id == id }) else { return }
        lastUse = timestamp
        switch contact.phase {
        case .began, .moved:
            fingers[index].place = screen.location(of: contact.position)
            if fingers[index].leftSlopAt == nil, fingers[index].movement > Self.slop {
                fingers[index].leftSlopAt = timestamp
            }
            move(fingers[index], contact, at: timestamp)
        case .ended: lift(fingers.remove(at: index), contact, at: timestamp)
        case .cancelled: cancel(fingers.remove(at: index), at: timestamp)
        }
    }

    private func move(_ finger: Finger, _ contact: Contact, at timestamp: TimeInterval) {
        let distance = finger.movement
        switch state {
        case .landed where finger.movesSlowly: explore(finger.place)
        case .exploring: tell(finger.place)
        case .pressed where distance > Self.slop: pass(finger, at: timestamp)
        case .passing(let passed, finger.id, let offset):
            deliver(passed, .moved, at: finger.place.applying(offset), finger.id.device, timestamp, contact)
        case .splitting where distance > 3 * Self.slop: enter(.waiting)
        case .idle, .landed, .tapped, .pressed, .passing, .splitting, .waiting: break
        }
    }

    private func lift(_ finger: Finger, _ contact: Contact, at timestamp: TimeInterval) {
        switch state {
        case .landed: liftUndecided(finger, at: timestamp)
        case .exploring: enter(.idle)
        case .pressed:
            enter(.idle)
            activate(at: timestamp)
        case .passing(let passed, finger.id, let offset):
            deliver(passed, .ended, at: finger.place.applying(offset), finger.id.device, timestamp, contact)
            enter(fingers.isEmpty ? .idle : .waiting)
        case .splitting where fingers.first.map({ $0.landedAt < finger.landedAt }) ?? true:
            // The second finger, or both are lifted.
            enter(fingers.isEmpty ? .idle : .exploring)
            activate(at: timestamp)
        case .waiting where fingers.isEmpty: enter(.idle)
        case .idle, .tapped, .passing, .splitting, .waiting: break
        }
    }

    /// A finger is lifted before it explores.
    private func liftUndecided(_ finger: Finger, at timestamp: TimeInterval) {
        let (start, end) = (finger.start, finger.place)
        if start.distance(to: end) <= Self.slop {
            guard screen.bounds.insetBy(dx: Self.edge, dy: Self.edge).contains(end) else { return enter(.idle) }
            state = .tapped(end)
            return wait(from: timestamp)
        }
        enter(.idle)
        guard start.distance(to: end) >= Self.swipe else { return tell(end) }
        let (right, down) = (end.x - start.x, end.y - start.y)
        if abs(right) >= abs(down) { focusNext(right > 0) } else { adjust(up: down < 0) }
    }

    /// A finger turned out to be a palm, or its device is removed.
    private func cancel(_ finger: Finger, at timestamp: TimeInterval) {
        if case .passing(let passed, let leader, _) = state {
            guard leader == finger.id else { return }
            deliver(passed, .cancelled, at: finger.place, leader.device, timestamp)
        }
        enter(fingers.isEmpty ? .idle : .waiting)
    }

    package func remove(at timestamp: TimeInterval) {
        let (former, pressed) = (state, pressing)
        (fingers, pressing) = ([], nil)
        enter(.idle)
        // Handlers run in these calls.
        if case .passing(let passed, let leader, _) = former {
            deliver(passed, .cancelled, at: .zero, leader.device, timestamp)
        }
        if let pressed {
            pressed.lift.cancel()
            deliver(pressed.contact, .cancelled, at: .zero, pressed.device, timestamp)
        }
    }

    // MARK: Time

    private func enter(_ state: State) {
        self.state = state
        timer?.cancel()
        timer = nil
    }

    private func wait(from timestamp: TimeInterval) {
        timer?.cancel()
        timer = application.schedule(at: timestamp + Self.interval) { [weak self] in self?.timeIsOver() }
    }

    private func timeIsOver() {
        timer = nil
        switch state {
        case .landed: if let finger = fingers.first { explore(finger.place) }
        case .tapped(let place):
            state = .idle
            tell(place)
        case .pressed:
            guard let finger = fingers.first else { return }
            pass(finger, at: application.currentTime)
            application.sendContacts()
        case .idle, .exploring, .passing, .splitting, .waiting: break
        }
    }

    // MARK: The focus

    /// Focuses an element, and tells it; nil for the first of the screen, as when a page appears.
    package func setFocus(_ element: View?) {
        let elements = application.accessibilityElements(on: screen)
        guard let element = element ?? elements.first else { return }
        (focus, focusLabel) = (element, element.accessibilityLabel)
        focusPlace = elements.firstIndex(of: element) ?? focusPlace
        report(.focused(element))
    }

    /// Elements were replaced. For a finger that explores, reports what is under it. If the focus is gone, the first new
    /// element becomes the focus, as when a page appears, otherwise the one at its place; what has its label at its place
    /// is the same, made again.
    package func elementsChanged(isNew: (View) -> Bool) {
        if case .exploring = state, let finger = fingers.first { return tell(finger.place) }
        guard focus?.window == nil else { return }
        let elements = application.accessibilityElements(on: screen)
        let neighbor = focusPlace.flatMap { elements.indices.contains($0) ? elements[$0] : elements.last }
        if let neighbor, let focusLabel, neighbor.accessibilityLabel == focusLabel { return focus = neighbor }
        if let next = elements.first(where: isNew) ?? neighbor { setFocus(next) }
    }

    private func explore(_ place: CGPoint) {
        enter(.exploring)
        tell(place)
    }

    /// Focuses the element at a place, and tells it unless that was the last thing told.
    private func tell(_ place: CGPoint) {
        guard let element = application.accessibilityElement(at: place, on: screen) else {
            if !hasToldNothing { report(.nothing) }
            return (under, hasToldNothing) = (nil, true)
        }
        guard element !== under else { return }
        (under, hasToldNothing) = (element, false)
        setFocus(element)
    }

    /// Focuses the next or previous element; after the focus has disappeared, the one at its place.
    private func focusNext(_ isForward: Bool) {
        let elements = application.accessibilityElements(on: screen)
        let next: Int
        if let focus, let place = elements.firstIndex(of: focus) {
            next = place + (isForward ? 1 : -1)
        } else if let focusPlace {
            next = min(focusPlace, elements.count - 1)
        } else {
            next = isForward ? 0 : elements.count - 1
        }
        guard elements.indices.contains(next) else { return report(.end) }
        setFocus(elements[next])
    }

    private func adjust(up: Bool) {
        guard let focus, !focus.isDimmed else { return }
        guard focus.accessibilityTraits.contains(.adjustable) else { return report(.swiped(focus, isUp: up)) }
        if up { focus.accessibilityIncrement() } else { focus.accessibilityDecrement() }
        report(.adjusted(focus))
    }

    // MARK: Activation

    /// The focus, if it can be activated; tells if it cannot.
    private func activationPlace() -> (element: View, point: CGPoint)? {
        guard let focus, focus.window?.screen === screen else { return nil }
        guard !focus.isDimmed, let point = application.activationPoint(of: focus, on: screen) else {
            report(.refused(focus))
            return nil
        }
        return (focus, point)
    }

    private func activate(at timestamp: TimeInterval) {
        guard pressing == nil, let (element, point) = activationPlace() else { return }
        report(.activated(element))
        if element.accessibilityActivate() { return }
        let (device, contact) = (panel, application.makeContact())
        deliver(contact, .began, at: point, device, timestamp)
        // Retained: what began ends, even if the element has removed the filter.
        let lift = application.schedule(at: timestamp + Self.press) { [self] in
            pressing = nil
            deliver(contact, .ended, at: point, device, application.currentTime)
            application.sendContacts()
        }
        pressing = (device, contact, lift)
    }

    /// Passes a finger on, displaced so that it begins at the focus.
    private func pass(_ finger: Finger, at timestamp: TimeInterval) {
        enter(.waiting)
        guard let (element, point) = activationPlace() else { return }
        let contact = application.makeContact()
        let offset = CGAffineTransform(translationX: point.x - finger.start.x, y: point.y - finger.start.y)
        state = .passing(contact: contact, finger: finger.id, offset: offset)
        report(.activated(element))
        // The report may have removed the filter, which then would not learn of the finger's end.
        guard case .passing = state else { return }
        deliver(contact, .began, at: point, finger.id.device, timestamp)
        // A lift has no location: without this, a finger that lifts now would not have moved.
        if finger.place != finger.start {
            deliver(contact, .moved, at: finger.place.applying(offset), finger.id.device, timestamp)
        }
    }

    private func deliver(
        _ contact: UInt32, _ phase: Contact.Phase, at place: CGPoint, _ device: DeviceID, _ timestamp: TimeInterval,
        _ finger: Contact? = nil
    ) {
        let bounds = screen.bounds
        let position = SurfacePoint(
            x: Surface.clamp((place.x - bounds.minX) / bounds.width),
            y: Surface.clamp((place.y - bounds.minY) / bounds.height))
        let made = Contact(id: contact, phase: phase, position: position, pressure: finger?.pressure)
        application.deliver(made, of: device, at: timestamp, after: self)
    }

    // MARK: Keys

    /// A keypad walks the elements in the same order.
    package func keeps(_ key: KeyChange, of device: DeviceID, at timestamp: TimeInterval) -> Bool {
        lastUse = timestamp
        if KeyCode.nextElement.contains(key.code) {
            focusNext(true)
        } else if KeyCode.previousElement.contains(key.code) {
            focusNext(false)
        } else if KeyCode.activation.contains(key.code) {
            activate(at: timestamp)
        } else {
            return false
        }
        return true
    }
}
