import Foundation

@testable import TouchKit

/// The identity of a played recognizer.
struct PlayedGesturePart {
    unowned let player: ScenarioPlayer
    let name: String
    let plan: RecognizerPlan
}

/// A recognizer whose calls are logged.
protocol PlayedGesture: GestureRecognizer {
    var gesture: PlayedGesturePart? { get set }
}

extension PlayedGesture {
    func log(_ call: String, _ touches: Set<Touch>? = nil) {
        if let gesture { gesture.player.log("\(gesture.name) \(call)", touches) }
    }
    func has(_ flag: RecognizerPlan.Flag) -> Bool { gesture?.plan.flags.contains(flag) ?? false }
}

/// Answers according to its recognizer's plan.
final class PlayedDelegate: GestureRecognizerDelegate {
    private unowned let player: ScenarioPlayer
    private let name: String
    private let plan: RecognizerPlan

    init(player: ScenarioPlayer, name: String, plan: RecognizerPlan) {
        self.player = player
        self.name = name
        self.plan = plan
    }

    func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
        player.log("\(name) shouldBegin")
        return !plan.flags.contains(.refusesToBegin)
    }
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive event: Event) -> Bool {
        player.log("\(name) shouldReceiveEvent")
        return !plan.flags.contains(.refusesEvents)
    }
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive touch: Touch) -> Bool {
        player.log("\(name) shouldReceive", [touch])
        return !plan.flags.contains(.refusesTouches)
    }
    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
    ) -> Bool { plan.alongside.contains(player.index(of: other)) }
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldRequireFailureOf other: GestureRecognizer) -> Bool {
        plan.waitsFor.contains(player.index(of: other))
    }
    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldBeRequiredToFailBy other: GestureRecognizer
    ) -> Bool { plan.holdsUp.contains(player.index(of: other)) }
}

final class PlayedTap: TapGestureRecognizer, PlayedGesture {
    var gesture: PlayedGesturePart?
    override func canPrevent(_ other: GestureRecognizer) -> Bool { !has(.harmless) && super.canPrevent(other) }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { !has(.unpreventable) }
    override func reset() {
        log("reset")
        super.reset()
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        log("touchesBegan", touches)
        if !has(.swallows) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        log("touchesMoved", touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        log("touchesEnded", touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log("touchesCancelled", touches)
        super.touchesCancelled(touches, with: event)
    }
}

final class PlayedPress: LongPressGestureRecognizer, PlayedGesture {
    var gesture: PlayedGesturePart?
    override func canPrevent(_ other: GestureRecognizer) -> Bool { !has(.harmless) && super.canPrevent(other) }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { !has(.unpreventable) }
    override func reset() {
        log("reset")
        super.reset()
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        log("touchesBegan", touches)
        if !has(.swallows) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        log("touchesMoved", touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        log("touchesEnded", touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log("touchesCancelled", touches)
        super.touchesCancelled(touches, with: event)
    }
}

final class PlayedPan: PanGestureRecognizer, PlayedGesture {
    var gesture: PlayedGesturePart?
    override func canPrevent(_ other: GestureRecognizer) -> Bool { !has(.harmless) && super.canPrevent(other) }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { !has(.unpreventable) }
    override func reset() {
        log("reset")
        super.reset()
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        log("touchesBegan", touches)
        if !has(.swallows) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        log("touchesMoved", touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        log("touchesEnded", touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log("touchesCancelled", touches)
        super.touchesCancelled(touches, with: event)
    }
}

final class PlayedLockedPan: PanGestureRecognizer, PlayedGesture {
    var gesture: PlayedGesturePart?
    override func canPrevent(_ other: GestureRecognizer) -> Bool { !has(.harmless) && super.canPrevent(other) }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { !has(.unpreventable) }
    override func reset() {
        log("reset")
        super.reset()
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        log("touchesBegan", touches)
        if !has(.swallows) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        log("touchesMoved", touches)
        super.touchesMoved(touches, with: event)
        guard let touch = touches.min(by: { $0.id < $1.id }) else { return }
        let (to, from) = (touch.location(in: nil), touch.previousLocation(in: nil))
        if state == .began, abs(to.x - from.x) < abs(to.y - from.y) { state = .cancelled }
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        log("touchesEnded", touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log("touchesCancelled", touches)
        super.touchesCancelled(touches, with: event)
    }
}

final class PlayedSwipe: SwipeGestureRecognizer, PlayedGesture {
    var gesture: PlayedGesturePart?
    override func canPrevent(_ other: GestureRecognizer) -> Bool { !has(.harmless) && super.canPrevent(other) }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { !has(.unpreventable) }
    override func reset() {
        log("reset")
        super.reset()
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        log("touchesBegan", touches)
        if !has(.swallows) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        log("touchesMoved", touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        log("touchesEnded", touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log("touchesCancelled", touches)
        super.touchesCancelled(touches, with: event)
    }
}

final class PlayedPinch: PinchGestureRecognizer, PlayedGesture {
    var gesture: PlayedGesturePart?
    override func canPrevent(_ other: GestureRecognizer) -> Bool { !has(.harmless) && super.canPrevent(other) }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { !has(.unpreventable) }
    override func reset() {
        log("reset")
        super.reset()
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        log("touchesBegan", touches)
        if !has(.swallows) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        log("touchesMoved", touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        log("touchesEnded", touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log("touchesCancelled", touches)
        super.touchesCancelled(touches, with: event)
    }
}

final class PlayedWatcher: GestureRecognizer, PlayedGesture {
    var gesture: PlayedGesturePart?
    override func canPrevent(_ other: GestureRecognizer) -> Bool { !has(.harmless) && super.canPrevent(other) }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { !has(.unpreventable) }
    override func reset() {
        log("reset")
        super.reset()
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        log("touchesBegan", touches)
        if !has(.swallows) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        log("touchesMoved", touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        log("touchesEnded", touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log("touchesCancelled", touches)
        super.touchesCancelled(touches, with: event)
    }
}

final class PlayedHasty: GestureRecognizer, PlayedGesture {
    var gesture: PlayedGesturePart?
    override func canPrevent(_ other: GestureRecognizer) -> Bool { !has(.harmless) && super.canPrevent(other) }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { !has(.unpreventable) }
    override func reset() {
        log("reset")
        super.reset()
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        log("touchesBegan", touches)
        if !has(.swallows) { super.touchesBegan(touches, with: event) }
        if has(.swallows) { return }
        switch (state, numberOfTouches) {
        case (.possible, 1): state = .began
        case (.possible, _):
            state = .began
            state = .cancelled
        default: state = .cancelled
        }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        log("touchesMoved", touches)
        super.touchesMoved(touches, with: event)
        if state == .began || state == .changed { state = .changed }
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        log("touchesEnded", touches)
        super.touchesEnded(touches, with: event)
        if state == .began || state == .changed { state = .ended }
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log("touchesCancelled", touches)
        super.touchesCancelled(touches, with: event)
        if state == .began || state == .changed { state = .cancelled }
    }
}
