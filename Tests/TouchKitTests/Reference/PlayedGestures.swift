import Foundation

@testable import TouchKit

extension RecognizerPlan {
    func makeRecognizer(player: ReferencePlayer, name: String) -> GestureRecognizer {
        switch kind {
        case .tap: Gesture.tap().makeRecognizer()
        case .doubleTap: Gesture.tap(taps: 2).makeRecognizer()
        case .twoFingerTap: Gesture.tap(touches: 2).makeRecognizer()
        case .press: LongPressGestureRecognizer()
        case .pan: PanGestureRecognizer()
        case .swipe: SwipeGestureRecognizer()
        case .watcher, .hasty: PlayedRecognizer(player: player, name: name, plan: self)
        }
    }
}

/// Answers according to its recognizer's plan, and sets the recognizer up.
final class PlayedDelegate: GestureRecognizerDelegate {
    private unowned let player: ReferencePlayer
    private let name: String
    private let plan: RecognizerPlan

    init(of recognizer: GestureRecognizer, player: ReferencePlayer, name: String, plan: RecognizerPlan) {
        self.player = player
        self.name = name
        self.plan = plan
        recognizer.delegate = self
        recognizer.name = name
        recognizer.cancelsTouchesInView = !plan.flags.contains(.leavesTouches)
        recognizer.delaysTouchesBegan = plan.flags.contains(.delaysBegan)
        recognizer.delaysTouchesEnded = !plan.flags.contains(.endsAtOnce)
        recognizer.isEnabled = !plan.flags.contains(.off)
        recognizer.addHandler { [unowned player] in player.log("\(name) \($0.state)") }
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

/// The recognizer that logs its calls: a watcher or a hasty one.
final class PlayedRecognizer: GestureRecognizer {
    private unowned let player: ReferencePlayer
    private let plan: RecognizerPlan

    init(player: ReferencePlayer, name: String, plan: RecognizerPlan) {
        self.player = player
        self.plan = plan
        super.init(target: nil, action: nil)
        self.name = name
    }

    private func log(_ call: String, _ touches: Set<Touch>? = nil) { player.log("\(name ?? "") \(call)", touches) }

    /// Continues the gesture of a hasty recognizer.
    private func go(to next: State) {
        if plan.kind == .hasty && (state == .began || state == .changed) { state = next }
    }

    override func canPrevent(_ other: GestureRecognizer) -> Bool { !plan.flags.contains(.harmless) }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { !plan.flags.contains(.unpreventable) }
    override func reset() { log("reset") }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        log("touchesBegan", touches)
        guard plan.kind == .hasty else { return }
        let isPossible = state == .possible
        if isPossible { state = .began }
        if !isPossible || numberOfTouches > 1 { state = .cancelled }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        log("touchesMoved", touches)
        go(to: .changed)
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        log("touchesEnded", touches)
        go(to: .ended)
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log("touchesCancelled", touches)
        go(to: .cancelled)
    }
}
