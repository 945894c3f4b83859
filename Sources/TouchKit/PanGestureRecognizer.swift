import Foundation

/// Recognizes fingers that move (`UIPanGestureRecognizer`).
///
/// Continuous: began when the fingers' center has moved `minimumMovement` points, then changed with every move while enough fingers
/// are down, ended when the last finger lifts. The translation counts from where the fingers landed (B10).
///
/// ```swift
/// let pan = PanGestureRecognizer()
/// pan.addHandler(in: [.changed]) { [unowned pan] _ in
///     let way = pan.translation(in: view.superview)
///     view.center = CGPoint(x: view.center.x + way.x, y: view.center.y + way.y)
///     pan.setTranslation(.zero, in: view.superview)
/// }
/// view.addGestureRecognizer(pan)
/// ```
@MainActor @preconcurrency open class PanGestureRecognizer: GestureRecognizer {
    /// The minimum number of fingers; 1 by default.
    public var minimumNumberOfTouches = 1
    /// The maximum number of fingers; unlimited by default.
    public var maximumNumberOfTouches = Int.max

    /// touchd's default, in points; it equals the movement that a long press allows.
    package nonisolated static let defaultMovement: CGFloat = 10

    /// How far the fingers' center must move before the pan begins, in points; 10 by default. An addition: UIKit neither
    /// documents nor lets change its value.
    public var minimumMovement = defaultMovement

    /// The fingers' center at the last change, in the screen's coordinates; reset when the number of fingers changes.
    private var lastMiddle: CGPoint?
    /// The distance moved, in points of the screen.
    private var distance = CGPoint.zero
    private var offset = CGPoint.zero
    private var track = MotionTrack()

    /// The fingers' movement since they landed, in a view's coordinates: when the gesture begins, and while the delegate
    /// is asked whether it should, it is the movement that began it.
    open func translation(in view: View?) -> CGPoint {
        vector(CGPoint(x: distance.x - offset.x, y: distance.y - offset.y), in: view)
    }

    /// Sets the translation; later moves add to it.
    ///
    /// UIKit's reference says that this resets the velocity. Here it does not: most handlers reset the translation at
    /// every change, and would read no velocity at the end.
    open func setTranslation(_ translation: CGPoint, in view: View?) {
        let onScreen = screenVector(translation, in: view)
        offset = CGPoint(x: distance.x - onScreen.x, y: distance.y - onScreen.y)
    }

    /// The fingers' velocity, in points of a view's coordinates per second.
    ///
    /// It is that of the last tenth of a second, and zero when the fingers have rested for 40 milliseconds, also if they
    /// lift then.
    open func velocity(in view: View?) -> CGPoint { vector(track.velocity(at: velocityTime), in: view) }

    /// The number of fingers that are down: 0 when the last one lifts, as observed in UIKit.
    open override var numberOfTouches: Int { activeTouches.count { !$0.isOver } }

    /// Adds fingers; too many fingers before the pan begins make it fail.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        if activeTouches.count > maximumNumberOfTouches {
            if state == .possible { return state = .failed }
            for touch in touches { ignore(touch, for: event) }
        }
        rebase(event.timestamp)
    }

    /// Tracks the fingers' center.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        let middle = activeTouches.middle
        guard let before = lastMiddle else { return rebase(event.timestamp) }
        guard activeTouches.count >= minimumNumberOfTouches else { return lastMiddle = middle }
        distance.x += middle.x - before.x
        distance.y += middle.y - before.y
        lastMiddle = middle
        track.append(distance, at: event.timestamp)
        if state == .began || state == .changed { return state = .changed }
        if hasBegun(distance) { state = .began }
    }

    /// Ends when no finger is left; before the pan begins, fails when too few are left.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) { finish(.ended) }

    /// Enters cancelled when no finger is left; before the pan begins, fails when too few are left.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { finish(.cancelled) }

    override var isResetWhenPossible: Bool { true }

    /// Clears the movement.
    open override func reset() {
        super.reset()
        lastMiddle = nil
        distance = .zero
        offset = .zero
        track.removeAll()
    }

    /// Whether the fingers moved far enough.
    func hasBegun(_ distance: CGPoint) -> Bool { distance.distance(to: .zero) >= minimumMovement }

    private func finish(_ end: State) {
        let left = activeTouches.filter { !$0.isOver }
        if state == .possible && left.count < minimumNumberOfTouches { return state = .failed }
        if left.isEmpty { state = end } else { lastMiddle = left.middle }
    }

    private func rebase(_ timestamp: TimeInterval) {
        lastMiddle = activeTouches.middle
        if track.isEmpty { track.append(distance, at: timestamp) }
    }

    private func screenVector(_ vector: CGPoint, in view: View?) -> CGPoint {
        guard let view = view ?? attachedView?.window else { return vector }
        let (end, start) = (view.convertToScreen(vector), view.convertToScreen(.zero))
        return CGPoint(x: end.x - start.x, y: end.y - start.y)
    }

    private func vector(_ vector: CGPoint, in view: View?) -> CGPoint {
        guard let view = view ?? attachedView?.window else { return vector }
        let (end, start) = (view.convertFromScreen(vector), view.convertFromScreen(.zero))
        return CGPoint(x: end.x - start.x, y: end.y - start.y)
    }
}
