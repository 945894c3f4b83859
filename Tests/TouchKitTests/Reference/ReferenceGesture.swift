import Foundation

/// A recognizer of the reference: B5's state machine, and B10's gestures.
final class ReferenceGesture: ReferenceObject {
    enum State { case possible, began, changed, ended, cancelled, failed }

    let index: Int
    let name: String
    let plan: RecognizerPlan
    weak var view: ReferenceView?
    var isOn: Bool
    var state = State.possible
    /// The state that its class set in this event; the state that it is ready for while it waits for others (B7).
    var wish: State?
    var waiting: State?
    /// Every touch of its gesture.
    var touches: [ReferenceTouch] = []
    /// Its place in the order of delivery in the last event.
    var turn = 0
    /// The event about which it was asked last.
    var askedIn = 0
    /// It has been given a touch at some time.
    var isUsed = false
    /// It is a program's class and stayed possible, so it may remember something.
    var remembers = false
    /// When it gives up, or begins, in milliseconds.
    var deadline = Int.max
    /// The gestures' memory: the fingers of the tap or press, the number of taps, the path, the fingers' middle.
    private var fingersOfTap: [ReferenceTouch] = []
    private var tapsSoFar = 0
    private var way = CGPoint.zero
    private var lastMiddle: CGPoint?

    init(_ index: Int, _ plan: RecognizerPlan, on view: ReferenceView) {
        self.index = index
        self.plan = plan
        self.view = view
        name = "r\(index)"
        isOn = !plan.flags.contains(.off)
    }

    func has(_ flag: RecognizerPlan.Flag) -> Bool { plan.flags.contains(flag) }
    var delaysBegan: Bool { has(.delaysBegan) }
    var delaysEnded: Bool { !has(.endsAtOnce) }
    var isOver: Bool { state == .ended || state == .cancelled || state == .failed }
    var hasRecognized: Bool { state == .began || state == .changed || state == .ended }
    var awaitsMoreTouches: Bool { tapsSoFar > 0 && state == .possible }
    func continues(with touch: ReferenceTouch) -> Bool {
        touches.first.map { distance($0.origin, touch.place) <= 45 } ?? true
    }
    var taps: Int { plan.kind == .doubleTap ? 2 : plan.kind == .tap || plan.kind == .twoFingerTap ? 1 : 0 }
    var fingers: Int { plan.kind == .twoFingerTap ? 2 : 1 }
    func shares(_ other: ReferenceGesture) -> Bool { touches.contains { other.touches.contains($0) } }
    private var down: [ReferenceTouch] { touches.filter { !$0.isGone } }
    /// With those that end in this event, as they were there when the others moved.
    var here: [ReferenceTouch] { touches.filter { !$0.isGone || $0.isEnding } }
    /// The state that its class reads.
    private var read: State { wish ?? state }
    /// Its gesture is over, or will be when the event is.
    var hasEnded: Bool { read == .ended || read == .cancelled || read == .failed }

    /// B5: possible goes to began, ended or failed; began and changed to changed, ended or cancelled.
    private func set(_ state: State) {
        switch (self.state, read, state) {
        case (_, .ended, _), (_, .cancelled, _), (_, .failed, _): return
        // The state at the end of the event counts: what began and was taken back in the same event has failed.
        case (.possible, _, .cancelled), (.possible, _, .failed): wish = .failed
        case (_, _, .failed): wish = .cancelled
        case (.possible, .began, .changed): return
        default: wish = state
        }
        if wish == .failed || wish == .ended || wish == .cancelled { deadline = .max }
    }

    /// B5: it did not recognize, or too late.
    func fail() { (state, wish, waiting, deadline) = (.failed, nil, nil, .max) }

    /// B5: back to possible; the class clears its memory. A program's class is reset only after its gesture was over,
    /// or when it is turned off or moved.
    func reset(_ reference: Reference) {
        if isOver && plan.kind.logsCalls { reference.log("\(name) reset") }
        remembers = !isOver && plan.kind.logsCalls
        (state, wish, waiting, deadline) = (.possible, nil, nil, .max)
        touches = []
        (fingersOfTap, tapsSoFar) = ([], 0)
        (way, lastMiddle) = (.zero, nil)
    }

    func receive(_ phase: ReferenceTouch.Phase, _ touches: [ReferenceTouch], _ reference: Reference) {
        if plan.kind.logsCalls { reference.log("\(name) touches\("\(phase)".capitalized)", touches) }
        let clock = reference.clock
        switch plan.kind {
        case .tap, .doubleTap, .twoFingerTap: tap(phase, touches, clock)
        case .press: press(phase, touches, clock)
        case .pan: pan(phase, touches)
        case .swipe: swipe(phase, touches, clock)
        case .watcher: break
        case .hasty: hasty(phase)
        }
    }

    // MARK: B10

    /// At most 0.75 s down, 0.35 s from the last lift to the next finger, and 45 points astray; no finger too many.
    private func tap(_ phase: ReferenceTouch.Phase, _ touches: [ReferenceTouch], _ clock: Int) {
        switch phase {
        case .began:
            if fingersOfTap.isEmpty { deadline = clock + 750 }
            fingersOfTap += touches
            let first = self.touches[0].origin
            let isFar = tapsSoFar > 0 && touches.contains { distance(first, $0.place) > 45 }
            if fingersOfTap.count > fingers || isFar { set(.failed) }
        case .ended:
            if fingersOfTap.count < fingers { return set(.failed) }
            if fingersOfTap.contains(where: { !$0.isGone }) { return }
            fingersOfTap = []
            tapsSoFar += 1
            if tapsSoFar == taps { return set(.ended) }
            deadline = clock + 350
        case .cancelled: set(.failed)
        default: if fingersOfTap.contains(where: { distance($0.origin, $0.place) > 45 }) { set(.failed) }
        }
    }

    /// One finger that stays within 10 points for 0.5 s; then changed with its moves, and ended when it lifts.
    private func press(_ phase: ReferenceTouch.Phase, _ touches: [ReferenceTouch], _ clock: Int) {
        let isMine = touches.contains { fingersOfTap.isEmpty || $0 === fingersOfTap[0] }
        switch (phase, read) {
        case (.began, .possible):
            if self.touches.count > 1 { set(.failed) } else { deadline = clock + 500 }
        case (.began, _): break
        case (.moved, .possible): if touches.contains(where: { distance($0.origin, $0.place) > 10 }) { set(.failed) }
        case (.moved, _): set(.changed)
        case (.ended, .possible): set(.failed)
        case (.ended, _): if isMine { set(.ended) }
        default: if isMine { set(.cancelled) }
        }
    }

    /// Began when the fingers' middle has gone 10 points; then changed with every move; ended when the last finger lifts.
    private func pan(_ phase: ReferenceTouch.Phase, _ touches: [ReferenceTouch]) {
        if phase == .moved, let from = lastMiddle, let to = middle(here) {
            way = CGPoint(x: way.x + to.x - from.x, y: way.y + to.y - from.y)
            if read != .possible { set(.changed) } else if hypot(way.x, way.y) >= 10 { set(.began) }
        }
        lastMiddle = middle(phase == .moved || phase == .began ? here : down)
        if lastMiddle == nil { set(read == .possible ? .failed : phase == .ended ? .ended : .cancelled) }
    }

    private func middle(_ touches: [ReferenceTouch]) -> CGPoint? {
        if touches.isEmpty { return nil }
        let count = CGFloat(touches.count)
        return CGPoint(x: touches.map(\.place.x).reduce(0, +) / count, y: touches.map(\.place.y).reduce(0, +) / count)
    }

    /// One finger that goes 50 points to the right within 0.5 s, at most 50 points astray.
    private func swipe(_ phase: ReferenceTouch.Phase, _ touches: [ReferenceTouch], _ clock: Int) {
        switch phase {
        case .began: if self.touches.count > 1 { set(.failed) } else { deadline = clock + 500 }
        case .ended, .cancelled: set(.failed)
        default:
            guard let touch = touches.first else { return }
            let (x, y) = (touch.place.x - touch.origin.x, touch.place.y - touch.origin.y)
            if abs(y) > 50 { set(.failed) } else if x >= 50 { set(.ended) }
        }
    }

    /// Not UIKit's: began with the first finger, cancelled with a second, and at once where both come together.
    private func hasty(_ phase: ReferenceTouch.Phase) {
        switch (phase, read) {
        case (.began, .possible): set(here.count > 1 ? .failed : .began)
        case (.moved, .possible), (.ended, .possible), (.cancelled, .possible): break
        case (.moved, _): set(.changed)
        case (.ended, _): set(.ended)
        default: set(.cancelled)
        }
    }

    /// A press begins; all others have failed.
    func timeIsOver() {
        if plan.kind == .press { fingersOfTap = down }
        set(plan.kind == .press ? .began : .failed)
    }

    private func distance(_ one: CGPoint, _ other: CGPoint) -> CGFloat { hypot(other.x - one.x, other.y - one.y) }
}
