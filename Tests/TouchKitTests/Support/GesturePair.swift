import Testing

@testable import TouchKit

/// UIKit's built-in recognizers with their defaults, apart from the settings that distinguish their kinds.
nonisolated enum GestureKind: String, CaseIterable, Sendable {
    case tap, doubleTap, press, pan, swipe, pinch, rotation, edgePan

    var isDiscrete: Bool { self == .tap || self == .doubleTap || self == .swipe }

    @MainActor func make(_ log: CallLog) -> GestureRecognizer {
        let recognizer: GestureRecognizer
        switch self {
        case .tap: recognizer = TapGestureRecognizer()
        case .doubleTap:
            let tap = TapGestureRecognizer()
            tap.numberOfTapsRequired = 2
            recognizer = tap
        case .press: recognizer = LongPressGestureRecognizer()
        case .pan: recognizer = PanGestureRecognizer()
        case .swipe: recognizer = SwipeGestureRecognizer()
        case .pinch: recognizer = PinchGestureRecognizer()
        case .rotation: recognizer = RotationGestureRecognizer()
        case .edgePan:
            let pan = ScreenEdgePanGestureRecognizer()
            pan.edges = .left
            recognizer = pan
        }
        recognizer.addHandler { [log, rawValue, recognizing = isDiscrete ? GestureRecognizer.State.ended : .began] in
            if $0.state == recognizing { log.add(rawValue) }
        }
        return recognizer
    }
}

/// Two recognizers of the same touches, the finger movements, and which of them recognizes.
nonisolated struct GesturePair: Sendable, CustomTestStringConvertible {
    var first: GestureKind
    var second: GestureKind
    var play: FingerPlay
    /// The recognizers that recognize, in order.
    var winners: [GestureKind]
    /// The winners if the second receives touches before the first; nil if they are the same.
    var winnersReversed: [GestureKind]?

    init(
        _ first: GestureKind, _ second: GestureKind, _ play: FingerPlay, _ winners: [GestureKind],
        reversed: [GestureKind]? = nil
    ) {
        self.first = first
        self.second = second
        self.play = play
        self.winners = winners
        winnersReversed = reversed
    }

    var testDescription: String { "\(first) and \(second): \(play)" }

    /// Every pair of built-in recognizers with defaults, with one's own gesture, the other's, and one that fits both.
    static let byDefault: [Self] = [
        // Apple, "Preferring one gesture over another": the single tap is always recognized before the double tap. A
        // double tap prevents the single tap for its second tap if it receives the touch first, but not the reverse.
        Self(.tap, .doubleTap, .tap, [.tap]),
        Self(.tap, .doubleTap, .doubleTap, [.tap, .tap, .doubleTap], reversed: [.tap, .doubleTap]),
        Self(.tap, .press, .tap, [.tap]), Self(.tap, .press, .hold, [.press]),
        Self(.tap, .pan, .tap, [.tap]), Self(.tap, .pan, .drag, [.pan]),
        Self(.tap, .swipe, .tap, [.tap]), Self(.tap, .swipe, .drag, [.swipe]), Self(.tap, .swipe, .slowDrag, []),
        Self(.tap, .pinch, .tap, [.tap]), Self(.tap, .pinch, .spread, [.pinch]),
        Self(.tap, .rotation, .tap, [.tap]), Self(.tap, .rotation, .turn, [.rotation]),
        Self(.tap, .edgePan, .tap, [.tap]), Self(.tap, .edgePan, .edgeDrag, [.edgePan]),
        Self(.doubleTap, .press, .doubleTap, [.doubleTap]), Self(.doubleTap, .press, .hold, [.press]),
        Self(.doubleTap, .pan, .doubleTap, [.doubleTap]), Self(.doubleTap, .pan, .drag, [.pan]),
        Self(.doubleTap, .swipe, .doubleTap, [.doubleTap]), Self(.doubleTap, .swipe, .drag, [.swipe]),
        Self(.doubleTap, .pinch, .doubleTap, [.doubleTap]), Self(.doubleTap, .pinch, .spread, [.pinch]),
        Self(.doubleTap, .rotation, .doubleTap, [.doubleTap]), Self(.doubleTap, .rotation, .turn, [.rotation]),
        Self(.doubleTap, .edgePan, .doubleTap, [.doubleTap]), Self(.doubleTap, .edgePan, .edgeDrag, [.edgePan]),
        Self(.press, .pan, .drag, [.pan]), Self(.press, .pan, .holdAndDrag, [.press]),
        Self(.press, .swipe, .drag, [.swipe]), Self(.press, .swipe, .holdAndDrag, [.press]),
        Self(.press, .pinch, .hold, [.press]), Self(.press, .pinch, .spread, [.pinch]),
        Self(.press, .rotation, .hold, [.press]), Self(.press, .rotation, .turn, [.rotation]),
        Self(.press, .edgePan, .hold, [.press]), Self(.press, .edgePan, .edgeDrag, [.edgePan]),
        // Apple, "Coordinating multiple gesture recognizers": a swipe beside a pan is never recognized, because the pan
        // is continuous and always recognizes first, even if both could recognize in the same frame.
        Self(.pan, .swipe, .drag, [.pan]), Self(.pan, .swipe, .flick, [.pan]),
        Self(.pan, .pinch, .drag, [.pan]), Self(.pan, .pinch, .dragOfTwo, [.pan]),
        Self(.pan, .pinch, .spread, [.pinch]),
        Self(.pan, .rotation, .dragOfTwo, [.pan]), Self(.pan, .rotation, .turn, [.rotation]),
        // Both begin in the same frame. The documents do not specify the order; here the first to receive the touch
        // wins.
        Self(.pan, .edgePan, .edgeDrag, [.pan], reversed: [.edgePan]), Self(.pan, .edgePan, .drag, [.pan]),
        Self(.swipe, .pinch, .drag, [.swipe]), Self(.swipe, .pinch, .spread, [.pinch]),
        Self(.swipe, .rotation, .drag, [.swipe]), Self(.swipe, .rotation, .turn, [.rotation]),
        Self(.swipe, .edgePan, .drag, [.swipe]), Self(.swipe, .edgePan, .edgeDrag, [.edgePan]),
        Self(.swipe, .edgePan, .edgeFlick, [.edgePan]),
        Self(.pinch, .rotation, .spread, [.pinch]), Self(.pinch, .rotation, .turn, [.rotation]),
        Self(.pinch, .edgePan, .spread, [.pinch]), Self(.pinch, .edgePan, .edgeDrag, [.edgePan]),
        Self(.rotation, .edgePan, .turn, [.rotation]), Self(.rotation, .edgePan, .edgeDrag, [.edgePan]),
    ]

    /// The first waits until the second has failed.
    static let firstRequiresSecondToFail: [Self] = [
        Self(.tap, .doubleTap, .tap, [.tap]), Self(.tap, .doubleTap, .doubleTap, [.doubleTap]),
        Self(.tap, .press, .tap, [.tap]), Self(.tap, .press, .hold, [.press]),
        Self(.pan, .swipe, .drag, [.swipe]), Self(.pan, .swipe, .flick, [.swipe]),
        Self(.pan, .swipe, .slowDrag, [.pan]),
        Self(.pan, .press, .drag, [.pan]), Self(.pan, .press, .holdAndDrag, [.press]),
        Self(.pan, .edgePan, .edgeDrag, [.edgePan]), Self(.pan, .edgePan, .drag, [.pan]),
        Self(.pinch, .rotation, .turn, [.rotation]), Self(.swipe, .pan, .drag, [.pan]),
    ]

    /// The first's delegate allows simultaneous recognition.
    static let simultaneous: [Self] = [
        Self(.tap, .doubleTap, .doubleTap, [.tap, .tap, .doubleTap], reversed: [.tap, .doubleTap, .tap]),
        Self(.press, .pan, .holdAndDrag, [.press, .pan]),
        Self(.pan, .swipe, .drag, [.pan, .swipe]), Self(.pan, .pinch, .spread, [.pinch]),
        Self(.pan, .edgePan, .edgeDrag, [.pan, .edgePan], reversed: [.edgePan, .pan]),
        Self(.pinch, .rotation, .turn, [.rotation]),
    ]
}
