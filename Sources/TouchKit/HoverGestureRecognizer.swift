import Foundation

/// Recognizes a pointer over its view with no button down (`UIHoverGestureRecognizer`).
///
/// Continuous: began when the pointer enters the view or a subview, changed when it moves there, ended when it leaves
/// or its mouse is removed. It ignores touches and never competes with other recognizers.
///
/// ```swift
/// let hover = HoverGestureRecognizer()
/// hover.addHandler(in: [.began]) { _ in print("pointer over the view") }
/// hover.addHandler(in: [.ended, .cancelled]) { _ in print("pointer gone") }
/// view.addGestureRecognizer(hover)
/// ```
@MainActor @preconcurrency open class HoverGestureRecognizer: GestureRecognizer {
    /// The pointer over the view.
    public internal(set) weak var pointer: Pointer?

    /// Whether the recognizer follows pointers; disabling it cancels a gesture in progress.
    open override var isEnabled: Bool {
        didSet {
            if isEnabled { return }
            pointer?.hovering.removeAll { $0 === self }
            pointer = nil
        }
    }

    /// The pointer's location in a view's coordinates; with nil, in the window's.
    open override func location(in view: View?) -> CGPoint { pointer?.location(in: view) ?? .zero }

    /// Returns false for touches: this recognizer handles only pointers.
    open override func shouldReceive(_ event: Event) -> Bool { event.type != .touches }

    /// Returns false.
    open override func canPrevent(_ other: GestureRecognizer) -> Bool { false }

    /// Returns false.
    open override func canBePrevented(by other: GestureRecognizer) -> Bool { false }

    /// Enters the next state and calls the actions.
    func hover(_ next: State, _ pointer: Pointer, _ event: Event) {
        guard let environment = event.application?.gestures else { return }
        self.pointer = pointer
        self.environment = environment
        // The program may have set a final state (B20).
        if next.isFinal || progress.state.isFinal { environment.move(self, to: .idle) }
        if !next.isFinal { environment.move(self, to: .active(next, next: nil)) }
        act(in: next, event)
        if next.isFinal { reset() }
    }
}

extension Pointer {
    /// Updates the hover recognizers of a view and its superviews, and of the views that the pointer left.
    func notifyRecognizers(over view: View?, _ event: Event) {
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
        end(before.filter { recognizer in !there.contains { $0 === recognizer } }, event)
        for recognizer in there {
            // An earlier action may have removed the view under the pointer, which ends this recognizer's gesture.
            guard hovering.contains(recognizer), recognizer.isEnabled else { continue }
            let state = recognizer.progress.state
            recognizer.hover(state == .began || state == .changed ? .changed : .began, self, event)
        }
    }

    /// Ends the gestures of recognizers that have begun. One may be over already: the action of its end may remove the view.
    func end(_ recognizers: [GestureRecognizer], _ event: Event) {
        for case let recognizer as HoverGestureRecognizer in recognizers {
            let state = recognizer.progress.state
            if state == .began || state == .changed { recognizer.hover(.ended, self, event) }
            recognizer.pointer = nil
        }
    }
}
