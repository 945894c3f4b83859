import Foundation

/// Recognizes a pointer over its view with no button down (`UIHoverGestureRecognizer`).
///
/// Continuous: began when the pointer comes over the view or a view in it, changed while it moves there, ended when it
/// leaves or is gone. It has nothing to do with touches, and prevents nobody.
open class HoverGestureRecognizer: GestureRecognizer {
    /// The pointer over the view.
    public internal(set) weak var pointer: Pointer?

    /// Where the pointer is, in a view's coordinates; with nil, in the window's.
    open override func location(in view: View?) -> CGPoint { pointer?.location(in: view) ?? .zero }

    /// It is about pointers: a touch is none of its business.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        for touch in touches { ignore(touch, for: event) }
    }

    /// It prevents nobody.
    open override func canPrevent(_ other: GestureRecognizer) -> Bool { false }

    /// Nobody prevents it.
    open override func canBePrevented(by other: GestureRecognizer) -> Bool { false }

    /// Takes the next state and calls the action.
    func hover(_ next: State, _ pointer: Pointer, _ event: Event) {
        self.pointer = pointer
        setState(next.isFinal ? .possible : next)
        act(in: next, event)
        if next.isFinal { reset() }
    }
}

extension Pointer {
    /// Tells the hover recognizers of a view and its superviews that the pointer is there, and those it left.
    func tellRecognizers(over view: View?, _ event: Event) {
        var there: [HoverGestureRecognizer] = []
        var current = view
        while let view = current {
            for case let recognizer as HoverGestureRecognizer in view.gestureRecognizers ?? []
            where recognizer.isEnabled && (recognizer.pointer == nil || recognizer.pointer === self) {
                there.append(recognizer)
            }
            current = view.superview
        }
        let before = hovering
        hovering = there
        for recognizer in before where !there.contains(recognizer) {
            recognizer.hover(.ended, self, event)
            recognizer.pointer = nil
        }
        for recognizer in there {
            // An action before this one may have moved the pointer's view away, and ended this one's hovering.
            guard hovering.contains(recognizer) else { continue }
            recognizer.hover(before.contains(recognizer) ? .changed : .began, self, event)
        }
    }
}
