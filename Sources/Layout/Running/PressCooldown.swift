import Foundation

/// The pause after a control's press within which it accepts no other press (`cooldown:`).
final class PressCooldown {
    private let duration: TimeInterval
    private let didDrop: () -> Void
    /// The time of the last press that had an effect.
    private(set) var last: TimeInterval?

    /// - Parameter didDrop: Called for each press that is dropped.
    init(_ duration: TimeInterval, didDrop: @escaping () -> Void) {
        self.duration = duration
        self.didDrop = didDrop
    }

    /// Records a press that had an effect.
    func pressed(at time: TimeInterval?) { last = time ?? last }

    /// Continues the pause of the control that this one replaces.
    func resume(_ former: PressCooldown) { last = former.last }

    /// Whether a press that begins now is accepted.
    func permits(_ time: TimeInterval) -> Bool {
        guard let last, time - last < duration else { return true }
        didDrop()
        return false
    }
}
