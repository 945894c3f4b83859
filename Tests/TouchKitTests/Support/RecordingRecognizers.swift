import TouchKit

/// A tap recognizer that logs its calls.
final class LoggingTap: TapGestureRecognizer, GestureRecognizerDelegate {
    let log: CallLog
    /// Run in touchesBegan, before and after super.
    var beforeBegan: (() -> Void)?
    var afterBegan: ((Set<Touch>, Event) -> Void)?
    var swallowsBegan = false

    init(_ name: String, log: CallLog = CallLog()) {
        self.log = log
        super.init(target: nil, action: nil)
        self.name = name
        delegate = self
        addHandler { [unowned self] _ in add("action") }
    }

    private func add(_ line: String) { log.add("\(name ?? "").\(line)") }

    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive touch: Touch) -> Bool {
        add("shouldReceive")
        return true
    }

    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        add("began")
        beforeBegan?()
        if !swallowsBegan { super.touchesBegan(touches, with: event) }
        afterBegan?(touches, event)
    }

    override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        add("ended")
        super.touchesEnded(touches, with: event)
    }
}

/// A recognizer that the test controls and that logs its calls.
final class Puppet: GestureRecognizer {
    let log: CallLog
    var awaits = false
    var prevents = true
    var isPreventable = true
    /// Run in touchesBegan, touchesMoved, touchesEnded and touchesCancelled.
    var onBegan: ((Set<Touch>, Event) -> Void)?
    var onMoved: (() -> Void)?
    var onEnded: (() -> Void)?
    var onCancelled: (() -> Void)?

    init(_ name: String, log: CallLog = CallLog()) {
        self.log = log
        super.init(target: nil, action: nil)
        self.name = name
        addHandler { [unowned self] _ in log.add("\(name) \(state)") }
    }

    override var awaitsMoreTouches: Bool { awaits }
    override func canPrevent(_ other: GestureRecognizer) -> Bool { prevents }
    override func canBePrevented(by other: GestureRecognizer) -> Bool { isPreventable }
    override func reset() { log.add("\(name ?? "") reset") }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) { onBegan?(touches, event) }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) { onMoved?() }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) { onEnded?() }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        log.add("\(name ?? "") touchesCancelled")
        onCancelled?()
        state = .cancelled
    }
}

/// A delegate whose answers a test sets.
final class Answers: GestureRecognizerDelegate {
    var shouldBegin: (GestureRecognizer) -> Bool = { _ in true }
    var shouldReceiveEvent: (Event) -> Bool = { _ in true }
    var shouldReceive: (GestureRecognizer, Touch) -> Bool = { _, _ in true }
    var simultaneously: (GestureRecognizer, GestureRecognizer) -> Bool = { _, _ in false }
    var requireFailure: (GestureRecognizer, GestureRecognizer) -> Bool = { _, _ in false }
    var requiredToFail: (GestureRecognizer, GestureRecognizer) -> Bool = { _, _ in false }

    func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool { shouldBegin(recognizer) }
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive event: Event) -> Bool {
        shouldReceiveEvent(event)
    }
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive touch: Touch) -> Bool {
        shouldReceive(recognizer, touch)
    }
    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
    ) -> Bool { simultaneously(recognizer, other) }
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldRequireFailureOf other: GestureRecognizer) -> Bool {
        requireFailure(recognizer, other)
    }
    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldBeRequiredToFailBy other: GestureRecognizer
    ) -> Bool { requiredToFail(recognizer, other) }
}
