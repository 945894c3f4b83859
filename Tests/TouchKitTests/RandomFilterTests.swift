import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

/// Programs whose handlers switch accommodations and the talking mode in the middle of touches, while fingers are on
/// two panels of one screen and on one of another.
@Suite("Random programs that change the filters")
struct RandomFilterTests {
    /// 300 programs from seed 1 by default; `make test-reference` sets others.
    private static let runs = number("TOUCHD_FILTER_RUNS") ?? 300
    private static let seed = number("TOUCHD_FILTER_SEED") ?? 1

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    @Test("each touch ends once, only activations begin on the screen that is explored, and the counts fit")
    func randomFilters() {
        var (touches, activations) = (0, 0)
        for seed in Self.seed..<(Self.seed + Self.runs) {
            let program = FilterProgram(seed: UInt64(seed))
            program.run()
            touches += program.touchCount
            activations += program.activationCount
            guard program.failures.isEmpty else {
                Issue.record("seed \(seed): \(program.failures.joined(separator: "\n"))")
                return
            }
        }
        // The programs do something; of a few seeds, some do not.
        guard Self.runs >= 100 else { return }
        #expect(
            touches > 5 * Self.runs && activations > Self.runs / 2, "\(touches) touches, \(activations) activations")
    }
}

/// Notes the contacts that come to its place in the list of filters, and keeps none.
private final class ContactSpy: InputFilter {
    struct Key: Hashable { let device: DeviceID, contact: UInt32 }
    private(set) var seen: Set<Key> = []
    private let onBeginning: (Contact, DeviceID) -> Void

    init(_ onBeginning: @escaping (Contact, DeviceID) -> Void = { _, _ in }) { self.onBeginning = onBeginning }

    func keeps(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) -> Bool {
        seen.insert(Key(device: device, contact: contact.id))
        onBeginning(contact, device)
        return false
    }
    func change(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) {}
    func remove(at timestamp: TimeInterval) {}
}

/// A filter between two spies.
private struct WatchedFilter<Filter: InputFilter> {
    let filter: Filter
    let before = ContactSpy(), after = ContactSpy()

    var list: [any InputFilter] { [before, filter, after] }
    /// The number of contacts that it kept and did not deliver.
    var missing: Int { before.seen.subtracting(after.seen).count }
}

private final class FilterProgram: Stage {
    private static let panels = [1, 7, 8].map { DeviceID(rawValue: $0) }

    private(set) var failures: [String] = []
    private(set) var (touchCount, activationCount) = (0, 0)
    private var random: SeededGenerator
    private let other = Screen(bounds: CGRect(x: 0, y: 0, width: 512, height: 512))
    private var buttons: [Button] = []
    /// The contacts that are down on each panel; two panels number theirs alike.
    private var contacts: [DeviceID: [UInt32: SurfacePoint]] = [:]
    private var lastContacts: [DeviceID: UInt32] = [:]

    private var accommodations: WatchedFilter<Accommodations>?
    private var exploring: WatchedFilter<Exploring>?
    private var isExploringFirst = false
    private var former: (accommodations: [WatchedFilter<Accommodations>], exploring: [WatchedFilter<Exploring>]) =
        ([], [])
    /// Sees what becomes a touch.
    private lazy var gate = ContactSpy { [unowned self] contact, device in pass(contact, device) }
    /// The activations that were reported and have not begun.
    private var announced = 0
    /// The last phase of each touch, as it is reported and as views get it.
    private var (reported, received): ([Int: Touch.Phase], [Int: Touch.Phase]) = ([:], [:])
    /// How many operations are in progress, each in a handler of the one before.
    private var depth = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        super.init()
        let otherWindow = Window(frame: other.bounds, application: application, screen: other)
        otherWindow.makeKeyAndVisible()
        window.makeKeyAndVisible()
        window.isMultipleTouchEnabled = true
        for (device, screen) in zip(Self.panels, [screen, screen, other]) { application.setScreen(screen, for: device) }
        application.panels = Set(Self.panels)
        application.onDelivery { [unowned self] in
            touchCount += $0.phase == .began ? 1 : 0
            note($0.phase, of: $0.touch, in: &reported, "reported")
        }
        for index in 0..<6 {
            let button = ProgramButton(frame: CGRect(x: 0, y: 170 * Double(index % 4), width: 500, height: 150))
            button.onActivate = { [unowned self] in
                handle()
                return random.chance(20)
            }
            button.isMultipleTouchEnabled = index != 1
            if index == 3 { button.accessibilityTraits = .adjustable }
            (index < 4 ? window : otherWindow).addSubview(button)
            buttons.append(button)
        }
        for view in [window, otherWindow] + buttons {
            for phase in [Touch.Phase.began, .moved, .ended, .cancelled] {
                view.addHandler(for: phase) { [unowned self, unowned view] touch, _ in
                    if touch.view === view { note(phase, of: touch, in: &received, "received") }
                    handle()
                }
            }
        }
        setFilters()
    }

    func run() {
        for _ in 0..<60 where failures.isEmpty { step() }
        liftAll()
        // No handler changes anything after the last finger.
        depth = 100
        advanceTime(by: 2)
        advanceTime(by: 2)
        finish()
    }

    private func expect(_ isTrue: Bool, _ failure: @autoclosure () -> String) {
        if !isTrue { failures.append(failure()) }
    }

    private func note(_ phase: Touch.Phase, of touch: Touch, in phases: inout [Int: Touch.Phase], _ how: String) {
        let before = phases.updateValue(phase, forKey: touch.id)
        let isOver = before == .ended || before == .cancelled
        expect(
            (before == nil) == (phase == .began) && !isOver,
            "touch \(touch.id) is \(how) \(phase) after \(before as Any)")
    }

    // MARK: Input

    private func step() {
        let panel = Self.panels[Int.random(in: 0..<3, using: &random)]
        let down = contacts[panel, default: [:]].keys.sorted()
        let some = down.filter { _ in random.chance(60) }
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: advanceTime(by: [0.02, 0.1, 0.2, 0.35, 1][Int.random(in: 0..<5, using: &random)])
        case 2: handle(chance: 100)
        case 3 where !some.isEmpty: change(some, to: .cancelled, on: panel)
        case 4:
            let keys: [UInt16] = [106, 105, 28, 2]
            let key = keys[Int.random(in: 0..<4, using: &random)]
            keyboard.presses(key)
            keyboard.releases(key)
        case 5, 13: doubleTap(on: Self.panels[Int.random(in: 0..<2, using: &random)])
        case 6...9 where down.count < 4: land(on: panel)
        case 10...11 where !some.isEmpty: change(some, to: .moved, on: panel)
        case 12 where down.count > 1:
            // An end, a move and a beginning in one frame.
            let contact = newContact(on: panel)
            send(
                change(down[0], .ended, on: panel), change(down[1], .moved, on: panel),
                change(contact, .began, on: panel), device: panel)
        default: if !some.isEmpty { change(some, to: .ended, on: panel) }
        }
        let isIdle = !application.touches.isBusy && application.touches.shownAsCancelled.isEmpty
        expect(isIdle, "a call lasts")
        for touch in application.touches.active { expect(!touch.isDone, "touch \(touch.id) is done and active") }
    }

    /// A double tap that activates an element, or a second tap that is held, and passed on.
    private func doubleTap(on panel: DeviceID) {
        liftAll()
        advanceTime(by: 0.4)
        exploring?.filter.setFocus(buttons[Int.random(in: 0..<4, using: &random)])
        for _ in 0..<2 {
            let contact = land(on: panel)
            let isHeld = contacts[panel]?[contact] == nil || random.chance(20)
            if !isHeld { change([contact], to: .ended, on: panel) }
        }
        advanceTime(by: random.chance(50) ? 0.02 : 0.3)
    }

    private func liftAll() {
        for panel in Self.panels { change(contacts[panel, default: [:]].keys.sorted(), to: .ended, on: panel) }
    }

    private func newContact(on panel: DeviceID) -> UInt32 {
        lastContacts[panel, default: 0] += 1
        application.panels.insert(panel)
        return lastContacts[panel, default: 0]
    }

    @discardableResult
    private func land(on panel: DeviceID) -> UInt32 {
        let contact = newContact(on: panel)
        change([contact], to: .began, on: panel)
        return contact
    }

    private func change(_ list: [UInt32], to phase: Contact.Phase, on panel: DeviceID) {
        if list.isEmpty { return }
        enqueue(list.map { change($0, phase, on: panel) }, device: panel)
        application.drainEvents()
    }

    private func change(_ contact: UInt32, _ phase: Contact.Phase, on panel: DeviceID) -> Contact {
        let former = contacts[panel]?[contact]
        var place = SurfacePoint(x: .random(in: 0..<1, using: &random), y: .random(in: 0..<1, using: &random))
        // Most movements are small.
        if let former, random.chance(60) { place = SurfacePoint(x: former.x + 0.005, y: former.y) }
        let isOver = phase == .ended || phase == .cancelled
        contacts[panel, default: [:]][contact] = isOver ? nil : place
        return Contact(id: contact, phase: phase, position: isOver ? former ?? place : place)
    }

    // MARK: Operations

    /// What a handler does: sometimes something that matters to the touches in progress.
    private func handle(chance: Int = 10) {
        guard depth < 3, random.chance(chance) else { return }
        depth += 1
        perform(Int.random(in: 0..<12, using: &random))
        depth -= 1
    }

    private func perform(_ operation: Int) {
        let button = buttons[Int.random(in: 0..<buttons.count, using: &random)]
        switch operation {
        case 0, 1: setFilters(exploring: exploring == nil)
        case 2: setFilters(accommodating: accommodations == nil)
        case 3, 4:
            // Others of the same kinds, also in the other order.
            isExploringFirst = operation == 4
            setFilters(accommodating: accommodations != nil, exploring: exploring != nil)
        case 5: setFilters(accommodating: false, exploring: false)
        case 6: button.isHidden.toggle()
        case 7: button.isEnabled.toggle()
        case 8: application.cancelAllTouches()
        case 9:
            let panel = Self.panels[Int.random(in: 0..<3, using: &random)]
            contacts[panel] = [:]
            unplug(panel)
        case 10: exploring?.filter.setFocus(button)
        default:
            if button.superview == nil { window.addSubview(button) } else { button.removeFromSuperview() }
        }
    }

    /// Turns filters on, also in place of others of the same kind, or off; without a value they stay what they are.
    private func setFilters(accommodating: Bool? = nil, exploring isExploring: Bool? = nil) {
        if let accommodating {
            former.accommodations += [accommodations].compactMap(\.self)
            let settings = Accommodations.Settings(
                hold: random.chance(50) ? 0.2 : 0, ignoreRepeat: random.chance(50) ? 0.3 : 0,
                steady: random.chance(50) ? 40 : 0)
            accommodations =
                accommodating ? WatchedFilter(filter: Accommodations(settings, application: application)) : nil
        }
        if let isExploring {
            former.exploring += [exploring].compactMap(\.self)
            exploring = isExploring ? WatchedFilter(filter: makeExploring()) : nil
        }
        let (first, second) = (accommodations?.list ?? [], exploring?.list ?? [])
        application.inputFilters = (isExploringFirst ? second + first : first + second) + [gate]
    }

    private func makeExploring() -> Exploring {
        Exploring(on: screen, of: application) { [unowned self] report in
            if case .activated = report { announced += 1 }
            handle()
        }
    }

    // MARK: Rules

    /// A contact begins that no filter keeps.
    private func pass(_ contact: Contact, _ device: DeviceID) {
        let isMade = contact.id > UInt32.max / 2
        activationCount += isMade ? 1 : 0
        expect(!isMade || announced > 0, "contact \(contact.id) is no activation that was reported")
        // A contact that accommodations kept before the mode began does not come to an earlier filter.
        let key = ContactSpy.Key(device: device, contact: contact.id)
        let isAsked = !isExploringFirst || exploring?.before.seen.contains(key) == true
        let isExplored = exploring != nil && isAsked && application.screen(for: device) === screen
        expect(isMade || !isExplored, "contact \(contact.id) passes while its screen is explored")
    }

    private func finish() {
        expect(application.touches.active.isEmpty, "active touches are left: \(application.touches.active)")
        for (how, phases) in [("reported", reported), ("received", received)] {
            let unfinished = phases.filter { $0.value != .ended && $0.value != .cancelled }.keys
            expect(unfinished.isEmpty, "the ends of touches \(unfinished.sorted()) are not \(how)")
        }
        for watched in former.exploring + [exploring].compactMap(\.self) {
            expect(
                watched.filter.keptCount == watched.missing,
                "exploring kept \(watched.missing) contacts and counts \(watched.filter.keptCount)")
        }
        for watched in former.accommodations {
            // Those that waited when it was removed are not counted.
            expect(
                watched.filter.ignoredCount <= watched.missing,
                "\(watched.missing) contacts did not count, not \(watched.filter.ignoredCount)")
        }
        if let accommodations {
            expect(
                accommodations.filter.ignoredCount == accommodations.missing,
                "\(accommodations.missing) contacts did not count, not \(accommodations.filter.ignoredCount)")
        }
        expect(application.timers.next == nil, "a timer is left")
        checkUsable()
    }

    /// A finger touches a fresh view, and explores it in the talking mode.
    private func checkUsable() {
        let view = Button(frame: window.bounds)
        window.addSubview(view)
        var presses = 0
        view.addHandler(for: .ended) { _, _ in presses += 1 }
        setFilters(accommodating: false, exploring: false)
        finger().taps(at: 500, 500)
        expect(presses == 1, "a touch has no effect any more")
        var focus: View?
        let exploring = Exploring(on: screen, of: application) { if case .focused(let view) = $0 { focus = view } }
        application.inputFilters = [exploring]
        finger().lands(at: 500, 500)
        advanceTime(by: 0.5)
        expect(focus === view && presses == 1, "a finger does not explore any more")
    }
}

private final class ProgramButton: Button {
    var onActivate: () -> Bool = { false }

    override func accessibilityActivate() -> Bool { onActivate() }
    override func accessibilityIncrement() { _ = onActivate() }
    override func accessibilityDecrement() { _ = onActivate() }
}
