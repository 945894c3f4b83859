import Evdev
import Foundation

@testable import TouchKit

/// An application whose trees, touches and handlers follow a seeded generator, and the rules it must keep.
final class Chaos {
    let application = ChaosApplication()
    let screen = Screen(bounds: CGRect(x: 0, y: 0, width: 1024, height: 1024))
    var random: SeededGenerator
    var violations: [String] = []
    var beganCount = 0
    var endedCount = 0
    var cancelledCount = 0

    private var windows: [Window] = []
    private var views: [ChaosView] = []
    /// The view on which each unfinished touch began.
    var open: [Int: (touch: Touch, view: ChaosView)] = [:]
    var closed: Set<Int> = []
    /// The touches whose views were compared with the reference's.
    var checked: Set<Int> = []
    /// The last phase of each touch that the observer of deliveries received.
    var reported: [Int: Touch.Phase] = [:]
    /// The contacts that are down, as the devices report them.
    private var down: [DeviceID: [UInt32: CGPoint]] = [:]
    private var lastContact: UInt32 = 0
    private var clock: Int64 = 0
    private var ignoring = 0
    private var recognizers: [GestureRecognizer] = []
    /// The last state in which each recognizer acted.
    private var acted: [GestureRecognizer: GestureRecognizer.State] = [:]
    private(set) var actionCount = 0
    /// The depth of nested handler calls; at some depth handlers stop making changes, so that a run ends.
    private var depth = 0

    private static let devices = (1...3).map { DeviceID(rawValue: $0) }
    private static let mouse = DeviceID(rawValue: 4)

    init(seed: UInt64, recognizers count: Int = 0) {
        random = SeededGenerator(seed: seed)
        application.chaos = self
        for device in Self.devices + [Self.mouse] { application.setScreen(screen, for: device) }
        for number in 0..<3 {
            let window = Window(
                frame: number == 0 ? screen.bounds : rect(), application: application, screen: screen)
            window.identifier = "window \(number)"
            window.isMultipleTouchEnabled = true
            window.isHidden = false
            windows.append(window)
        }
        for number in 0..<40 {
            let view = ChaosView(number: number, chaos: self)
            views.append(view)
            attach(view)
        }
        for _ in 0..<count { addRecognizer() }
        application.didDeliver = { [unowned self] in note($0) }
    }

    private func addRecognizer() {
        let recognizer: GestureRecognizer
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
            let tap = TapGestureRecognizer()
            tap.numberOfTapsRequired = Int.random(in: 1...2, using: &random)
            tap.numberOfTouchesRequired = Int.random(in: 1...2, using: &random)
            recognizer = tap
        case 2:
            let press = LongPressGestureRecognizer()
            press.minimumPressDuration = 0.05
            recognizer = press
        case 3: recognizer = SwipeGestureRecognizer()
        case 4: recognizer = PinchGestureRecognizer()
        case 5: recognizer = RotationGestureRecognizer()
        case 6: recognizer = ChordGestureRecognizer(touches: 2, duration: 0.03)
        case 7: recognizer = SequenceGestureRecognizer(places: [rect(), screen.bounds], within: 1)
        default: recognizer = PanGestureRecognizer()
        }
        recognizer.delaysTouchesBegan = random.chance(20)
        recognizer.delaysTouchesEnded = random.chance(70)
        recognizer.cancelsTouchesInView = random.chance(70)
        if let other = recognizers.randomElement(using: &random), random.chance(20) {
            recognizer.require(toFail: other)
        }
        recognizer.addHandler { [unowned self] in note($0) }
        recognizers.append(recognizer)
        views.randomElement(using: &random)?.addGestureRecognizer(recognizer)
    }

    /// A recognizer acts only in valid state sequences.
    private func note(_ recognizer: GestureRecognizer) {
        actionCount += 1
        let before = acted[recognizer] ?? .possible
        let isGoingOn = before == .began || before == .changed
        switch recognizer.state {
        case .began where isGoingOn, .possible, .failed:
            violate("\(recognizer) acts \(recognizer.state) after \(before)")
        case .changed where !isGoingOn, .cancelled where !isGoingOn:
            violate("\(recognizer) acts \(recognizer.state) after \(before)")
        default: break
        }
        acted[recognizer] = recognizer.state
        actInHandler(application.touches.event)
    }

    // MARK: One step

    func step() {
        if ignoring > 0, random.chance(20) {
            ignoring -= 1
            application.endIgnoringInteractionEvents()
        }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: enqueueFrame()
        case 60..<70: enqueueMouse()
        case 70..<95: mutate()
        case 95..<97: compareHitTest()
        case 97: loseDevice()
        case 98: application.cancelAllTouches()
        default: toggleIgnoring()
        }
        if random.chance(70) {
            application.drainEvents()
            checkIdle()
        }
    }

    /// Ends a run: cancels all touches and checks that nothing is left over.
    func finish() {
        application.drainEvents()
        application.cancelAllTouches()
        for recognizer in recognizers where recognizer.state != .possible {
            violate("\(recognizer) is left \(recognizer.state)")
        }
        if !open.isEmpty { violate("touches \(open.keys.sorted()) never ended") }
        for (touch, phase) in reported where phase != .ended && phase != .cancelled {
            violate("touch \(touch) was reported \(phase) last")
        }
        if !application.touches.active.isEmpty { violate("touches are active after all were cancelled") }
    }

    private func checkIdle() {
        let known = application.touches.active.filter { $0.contact != nil && !$0.isOver }
        for touch in known where down[touch.device]?[touch.contact ?? 0] == nil {
            violate("touch \(touch.id) is active, but its contact was lifted")
        }
    }

    func violate(_ text: String) {
        if violations.count < 20 { violations.append(text) }
    }

    // MARK: Device events

    private func enqueueFrame() {
        guard let device = Self.devices.randomElement(using: &random) else { return }
        var contacts: [Contact] = []
        for (id, place) in (down[device] ?? [:]).sorted(by: { $0.key < $1.key }) where random.chance(60) {
            let phase: Contact.Phase = random.chance(70) ? .moved : random.chance(80) ? .ended : .cancelled
            let place = phase == .moved ? point() : place
            contacts.append(contact(id, phase, place))
            down[device]?[id] = phase == .moved ? place : nil
        }
        while down[device]?.count ?? 0 < 5, random.chance(40) {
            lastContact += 1
            let place = point()
            contacts.append(contact(lastContact, .began, place))
            down[device, default: [:]][lastContact] = place
        }
        contacts.shuffle(using: &random)
        application.enqueue(InputFrame(device: device, timestamp: tick(), contacts: contacts))
    }

    private func enqueueMouse() {
        var frame = InputFrame(device: Self.mouse, timestamp: tick())
        if random.chance(80) {
            frame.pointer = .by(
                x: Double(Int.random(in: -200...200, using: &random)),
                y: Double(Int.random(in: -200...200, using: &random)))
        }
        if random.chance(30) {
            frame.keys = [KeyChange(code: 0x110, action: random.chance(50) ? .pressed : .released)]
        }
        application.enqueue(frame)
    }

    private func loseDevice() {
        guard let device = (Self.devices + [Self.mouse]).randomElement(using: &random) else { return }
        application.enqueueRemoval(of: device, at: tick())
        down[device] = nil
    }

    private func contact(_ id: UInt32, _ phase: Contact.Phase, _ place: CGPoint) -> Contact {
        Contact(id: id, phase: phase, position: SurfacePoint(x: place.x / 1024, y: place.y / 1024))
    }

    private func tick() -> InputTimestamp {
        clock += Int64.random(in: 1...20, using: &random) * 1000
        return InputTimestamp(microseconds: clock)
    }

    func point() -> CGPoint {
        CGPoint(x: Int.random(in: 0..<1024, using: &random), y: Int.random(in: 0..<1024, using: &random))
    }

    private func rect() -> CGRect {
        CGRect(
            x: Int.random(in: -100..<600, using: &random), y: Int.random(in: -100..<600, using: &random),
            width: Int.random(in: 0..<900, using: &random), height: Int.random(in: 0..<900, using: &random))
    }

    // MARK: Program changes

    func mutate() {
        guard let view = views.randomElement(using: &random), let window = windows.randomElement(using: &random) else {
            return
        }
        if let recognizer = recognizers.randomElement(using: &random), random.chance(15) {
            if random.chance(50) { recognizer.isEnabled.toggle() } else { view.addGestureRecognizer(recognizer) }
            return
        }
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: view.removeFromSuperview()
        case 2, 3, 4: attach(view)
        case 5: view.isHidden = random.chance(20)
        case 6: view.isUserInteractionEnabled = random.chance(80)
        case 7: view.alpha = random.chance(80) ? 1 : 0.005
        case 8, 9: view.frame = rect()
        case 10: view.bounds.origin = CGPoint(x: Int.random(in: -50...50, using: &random), y: 0)
        case 11: view.superview?.bringSubviewToFront(view)
        case 12: view.superview?.sendSubviewToBack(view)
        case 13: window.isHidden = random.chance(10)
        case 14: window.windowLevel = random.chance(50) ? .normal : .alert
        default: window.makeKeyAndVisible()
        }
    }

    private func attach(_ view: ChaosView) {
        let parent = random.chance(30) ? windows.randomElement(using: &random) : views.randomElement(using: &random)
        guard let parent, !parent.isDescendant(of: view) else { return }
        if random.chance(50) {
            parent.addSubview(view)
        } else {
            parent.insertSubview(view, at: Int.random(in: 0...parent.subviews.count, using: &random))
        }
    }

    private func toggleIgnoring() {
        ignoring += 1
        application.beginIgnoringInteractionEvents()
    }

    func actInHandler(_ event: Event?) {
        guard depth < 4 else { return }
        depth += 1
        defer { depth -= 1 }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<15: mutate()
        case 15..<17: application.cancelAllTouches()
        case 17..<20: enqueueFrame()
        case 20..<22: application.drainEvents()
        case 22..<25: if let event { application.sendEvent(event) }
        case 25: toggleIgnoring()
        default: break
        }
    }
}
