import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

/// Programs that do in their callbacks whatever the API permits, while fingers touch two screens. No second
/// implementation says what must happen: the rules say what holds after each step and at the end.
@Suite("Random programs")
struct RandomProgramTests {
    @Test("the rules hold whatever a program does in its callbacks")
    func randomPrograms() {
        var (steps, seed, found) = (0, UInt64(ReferenceTests.seed), 0)
        while steps < ReferenceTests.steps {
            // A long program shows a list that grows.
            let program = RandomProgram(seed: seed, steps: seed % 100 == 0 ? 1000 : 25)
            steps += program.steps.count
            if let failure = ProgramRun.failures(of: program).first {
                let short = program.shrunk(whileItBreaks: failure)
                Issue.record("seed \(seed): \(ProgramRun.failures(of: short).joined(separator: "\n"))\n\(short.text)")
                found += 1
                if found == 3 { return }
            }
            seed += 1
        }
    }
}

/// Runs a program on TouchKit, and collects the rules that it breaks.
final class ProgramRun: ReferencePlayer {
    /// The phases that a receiver of touches or presses has received: the beginning first, and one end.
    private struct Sequence {
        var last: [AnyHashable: String] = [:]

        mutating func fits(_ phase: String, of id: AnyHashable) -> Bool {
            let before = last.updateValue(phase, forKey: id)
            if before == "ended" || before == "cancelled" { return false }
            return (before == nil) == (phase == "began")
        }
        var unfinished: [AnyHashable] { last.filter { $0.value != "ended" && $0.value != "cancelled" }.map(\.key) }
    }
    private struct Weak { weak var object: AnyObject? }

    private let program: RandomProgram
    private var callbacks: [RandomProgram.Callback]
    private var (reported, received) = (Sequence(), Sequence())
    /// The last action of each recognizer; those whose state the program sets.
    private var acted: [String: String] = [:]
    private var forced: Set<Int> = []
    /// The controls between `touchDown` and the end, and the views that a pointer is over.
    private var (pressed, hovered): (Set<String>, Set<String>) = ([], [])
    private var failures: [String] = []

    static func failures(of program: RandomProgram) -> [String] {
        var failures: [String] = []
        var objects: [Weak] = []
        var application: Application?
        do {
            let run = ProgramRun(program)
            application = run.application
            for step in program.steps where run.failures.isEmpty {
                run.take(step)
                run.checkBetweenEvents()
            }
            if run.failures.isEmpty { run.finish() }
            failures = run.failures
            objects = run.views.map { Weak(object: $0) } + run.recognizers.map { Weak(object: $0) }
        }
        withExtendedLifetime(application) {
            for object in objects.compactMap(\.object) { failures.append("released: \(object) is still referenced") }
        }
        return failures
    }

    private init(_ program: RandomProgram) {
        self.program = program
        callbacks = program.callbacks
        super.init(devices: RandomProgram.screens)
        application.setScreen(screens[0], for: .mouse)
        application.onDelivery { [unowned self] in
            expect(reported.fits("\($0.phase)", of: $0.touch.id), "A3.2: touch \($0.touch.id) is reported \($0.phase)")
        }
        application.onStateChange { [unowned self] recognizer, former in
            let isLegal =
                switch (former, recognizer.progress.state) {
                case (.possible, .began), (.possible, .ended), (.possible, .failed): true
                case (.began, .changed), (.began, .ended), (.began, .cancelled): true
                case (.changed, .changed), (.changed, .ended), (.changed, .cancelled): true
                case (.ended, .possible), (.cancelled, .possible), (.failed, .possible): true
                default: recognizer is HoverGestureRecognizer
                }
            expect(isLegal, "B5: \(recognizer.name ?? "") goes from \(former) to \(recognizer.progress.state)")
        }
        makeScene(program.views, program.recognizers)
        application.makeKey(application.windows.last)
    }

    override func makeWindow(frame: CGRect, on screen: Screen) -> any View & Played {
        ProgramWindow(frame: frame, application: application, screen: screen)
    }

    override func makeView(_ plan: ViewPlan) -> any View & Played {
        plan.kind == .button ? ProgramButton(frame: plan.frame) : ProgramView(frame: plan.frame)
    }

    override func makeRecognizer(_ plan: RecognizerPlan, _ index: Int) -> GestureRecognizer {
        switch program.kinds[index] {
        case .pinch: return PinchGestureRecognizer()
        case .rotation: return RotationGestureRecognizer()
        case .edge: return Gesture.edgePan(.all).makeRecognizer()
        case .hover: return HoverGestureRecognizer()
        case .sequence:
            let bounds = views[plan.view].bounds
            return SequenceGestureRecognizer(places: [bounds, bounds], within: 2)
        case .chord: return ChordGestureRecognizer(touches: 2, duration: 0.3)
        case nil: return super.makeRecognizer(plan, index)
        }
    }

    private func expect(_ isTrue: Bool, _ failure: @autoclosure () -> String) {
        if !isTrue { failures.append(failure()) }
    }

    // MARK: Input

    private func take(_ step: RandomProgram.Input) {
        switch step {
        case .fingers(let screen, let fingers): send(fingers, screen: screen)
        case .wait(let seconds): stage.advanceTime(by: seconds)
        case .unplug(let device): stage.unplug(device)
        case .key(.pressed): stage.keyboard.presses(28)
        case .key(.repeated): stage.keyboard.repeats(28)
        case .key: stage.keyboard.releases(28)
        case .pointer(let x, let y): stage.mouse.moves(to: x, y)
        case .button(.pressed): stage.mouse.presses()
        case .button: stage.mouse.releases()
        case .operation(let operation): perform(operation)
        }
    }

    private func perform(_ operation: RandomProgram.Operation) {
        switch operation {
        case .change(let change): make(change)
        case .set(let recognizer, let state):
            // Before its first touch a recognizer has no application, so a state is stored without an action.
            let isIdle = recognizers[recognizer].state == .possible && state.isFinal
            if recognizers[recognizer].environment == nil, !isIdle { return }
            forced.insert(recognizer)
            recognizers[recognizer].state = state
        case .require(let recognizer, let other): recognizers[recognizer].require(toFail: recognizers[other])
        case .ignoreTouches(let recognizer):
            let event = application.touches.event
            for touch in recognizers[recognizer].activeTouches { recognizers[recognizer].ignore(touch, for: event) }
        case .cancelTracking(let view): (views[view] as? Control)?.cancelTracking(with: nil)
        case .firstResponder(let view, true): views[view].becomeFirstResponder()
        case .firstResponder(let view, false): views[view].resignFirstResponder()
        case .layout(let view): views[view].setNeedsLayout()
        case .passEvents(let window, let times): (views[window] as? ProgramWindow)?.times = times
        case .show(let window): (views[window] as? Window)?.makeKeyAndVisible()
        case .move(let window, let screen): (views[window] as? Window)?.screen = screens[screen]
        case .setActive(true): application.becomeActive()
        case .setActive(false): application.resignActive()
        case .sendAgain: application.sendEvent(application.touches.event)
        case .drain: application.drainEvents()
        case .removeDevice(let device): stage.unplug(device)
        case .finger(let screen, let finger): send([finger], screen: screen)
        }
    }

    // MARK: Rules

    override func log(_ call: String, _ touches: Set<Touch>?) {
        let words = call.split(separator: " ")
        let (name, method) = (String(words[0]), String(words[1]))
        if name.hasPrefix("r"), touches == nil {
            check(action: method, of: name)
        } else {
            for touch in touches ?? [] where touch.view?.accessibilityIdentifier == name {
                expect(received.fits(method, of: touch.id), "A3.2: \(call) of touch \(touch.id) after \(received)")
            }
        }
        switch method {
        case "touchDown": expect(pressed.insert(name).inserted, "B11: \(call) while it tracks a touch")
        case "touchUpInside", "touchUpOutside", "touchCancel":
            expect(pressed.remove(name) != nil, "B11: \(call) without touchDown")
        case "hoverBegan": expect(hovered.insert(name).inserted, "hover: \(call) twice")
        case "hoverEnded": expect(hovered.remove(name) != nil, "hover: \(call) without a beginning")
        case "pressesBegan", "pressesEnded", "pressesCancelled":
            let phase = method.dropFirst("presses".count).lowercased()
            let isFirst = received.last[name] == nil
            expect((phase == "began") == isFirst, "B18: \(call)")
            received.last[name] = phase == "began" ? phase : nil
        default: break
        }
        guard let index = callbacks.firstIndex(where: { $0.call == call }) else { return }
        perform(callbacks.remove(at: index).operation)
    }

    /// B5: began, any number of changed, then ended or cancelled; or ended alone.
    private func check(action: String, of name: String) {
        guard ["possible", "began", "changed", "ended", "cancelled", "failed"].contains(action) else { return }
        let isActive = acted[name] == "began" || acted[name] == "changed"
        let isLegal =
            switch action {
            case "began": !isActive
            case "changed", "cancelled": isActive
            case "ended": true
            default: false
            }
        expect(isLegal, "B5: action \(action) of \(name) after \(acted[name] ?? "none")")
        let recognizer = recognizers[Int(name.dropFirst()) ?? 0]
        let isDiscrete =
            recognizer is TapGestureRecognizer || recognizer is SwipeGestureRecognizer
            || recognizer is SequenceGestureRecognizer || recognizer is ChordGestureRecognizer
        let isForced = forced.contains(Int(name.dropFirst()) ?? 0)
        expect(!isDiscrete || action == "ended" || isForced, "B5: action \(action) of the discrete \(name)")
        acted[name] = action
    }

    /// Nothing is in progress between two events, and no list grows.
    private func checkBetweenEvents() {
        let (touches, gestures) = (application.touches, application.gestures)
        expect(
            !touches.isBusy && !touches.isReleasing && gestures.depth == 0 && !gestures.isSettling, "idle: a call lasts"
        )
        expect(gestures.acting.isEmpty && gestures.requesting.isEmpty, "idle: an action is late")
        expect(gestures.touchesToCancel.isEmpty && touches.shownAsCancelled.isEmpty, "idle: a touch is being cancelled")
        expect(touches.aboutToBeCancelled.isEmpty, "idle: a touch is about to be cancelled")
        for touch in touches.active { expect(!touch.isDone, "A4.4: touch \(touch.id) is done and active") }
        for recognizer in recognizers {
            let name = recognizer.name ?? ""
            expect(recognizer.progress.next == nil, "B5: \(name) has a state to enter")
            expect(
                recognizer.sequenceTouches.count < 50, "memory: \(name) has \(recognizer.sequenceTouches.count) touches"
            )
            let isDown = recognizer.activeTouches.allSatisfy { touches.active.contains($0) && !$0.isOver }
            expect(isDown, "A4.4: \(name) has a touch that is up")
        }
        for case let control as Control in views where control.isTracking {
            let isDown = control.trackedTouch.map { touches.active.contains($0) } == true
            expect(isDown, "B20: \(control.logName) tracks a touch that is up")
        }
    }

    /// After the last finger everything is as before the first, and can be used again (B20).
    private func finish() {
        callbacks = []
        application.becomeActive()
        while application.isIgnoringInteractionEvents { application.endIgnoringInteractionEvents() }
        for view in views {
            (view as? Control)?.isEnabled = true
            (view as? ProgramWindow)?.times = 1
        }
        for recognizer in recognizers { recognizer.isEnabled = true }
        // This cancels touches, presses and hovering.
        application.beginIgnoringInteractionEvents()
        application.endIgnoringInteractionEvents()
        for (index, plan) in program.recognizers.enumerated() where forced.contains(index) || plan.kind == .hasty {
            // Nothing else ends a gesture that began without a touch.
            make(.flip(recognizer: index))
        }
        checkBetweenEvents()
        expect(application.touches.active.isEmpty, "A3.2: active touches are left")
        expect(reported.unfinished.isEmpty, "A3.2: the ends of touches \(reported.unfinished) are not reported")
        expect(received.unfinished.isEmpty, "A3.2: the ends of \(received.unfinished) are not delivered")
        expect(application.gestures.waiting.isEmpty, "B21: a recognizer waits")
        expect(application.timers.next == nil, "B26: a timer is left")
        expect(pressed.isEmpty, "B11: \(pressed) got touchDown last")
        expect(hovered.isEmpty, "hover: the pointer is still over \(hovered)")
        for recognizer in recognizers {
            // A state that the program sets before the first touch lasts until a touch begins.
            let mayStay = recognizer.environment == nil
            expect(
                recognizer.state == .possible || mayStay, "B20: \(recognizer.name ?? "") is left \(recognizer.state)")
            recognizer.view?.removeGestureRecognizer(recognizer)
        }
        for case let control as Control in views {
            expect(!control.isTracking && !control.isHighlighted, "B20: \(control.logName) tracks")
        }
        checkUsable()
        for case let window as Window in views { window.isHidden = true }
        application.observers = []
    }

    /// A tap on a fresh view of the front-most window reaches a fresh recognizer, and each one that was used (B20).
    private func checkUsable() {
        if application.windows.isEmpty { views[0].isHidden = false }
        guard let window = application.windows.last else { return expect(false, "B17: no window can be shown") }
        window.isUserInteractionEnabled = true
        let view = View(frame: window.bounds)
        window.addSubview(view)
        let finger = stage.finger(on: RandomProgram.screens[window.screen === screens[0] ? 0 : 1])
        let used = zip(program.recognizers, recognizers).filter { $0.0.kind == .tap && $0.1 is TapGestureRecognizer }
        for tap in [TapGestureRecognizer()] + used.map(\.1) {
            var taps = 0
            tap.delegate = nil
            tap.addHandler { _ in taps += 1 }
            view.gestureRecognizers = [tap]
            finger.taps(at: window.center)
            expect(taps == 1, "B20: \(tap.name ?? "a fresh tap recognizer") cannot be used any more")
            stage.advanceTime(by: 1)
        }
        view.gestureRecognizers = []
        view.removeFromSuperview()
    }
}

private final class ProgramWindow: PlayedWindow {
    /// How often it passes an event to super.
    var times = 1

    override func sendEvent(_ event: Event) {
        part?.player.log("\(part?.name ?? "") sendEvent")
        for _ in 0..<times { super.sendEvent(event) }
    }
}

/// Does not pass on that a pointer is over it.
private final class ProgramButton: PlayedButton {
    override func hoverBegan(_ pointer: Pointer, with event: Event?) {}
    override func hoverEnded(_ pointer: Pointer, with event: Event?) {}
}

private final class ProgramView: PlayedView {
    private func log(_ call: String) { if let part { part.player.log("\(part.name) \(call)") } }
    private func log(_ call: String, _ presses: Set<Press>) {
        // A subview passes on others.
        if presses.first?.responder === self { log(call) }
    }

    override var canBecomeFirstResponder: Bool { true }
    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        log("hitTest")
        return super.hitTest(point, with: event)
    }
    override func layoutSubviews() { log("layout") }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) { log("pressesBegan", presses) }
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) { log("pressesEnded", presses) }
    override func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent?) {
        log("pressesCancelled", presses)
    }
    override func hoverBegan(_ pointer: Pointer, with event: Event?) {
        if pointer.view === self { log("hoverBegan") }
    }
    override func hoverEnded(_ pointer: Pointer, with event: Event?) { log("hoverEnded") }
}
