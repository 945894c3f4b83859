import Evdev
import Testing
import UIKitNames

/// Recognizers, views and controllers in the style of UIKit tutorials; only `UIKitNames` is imported by the samples.
@Suite("Tutorial samples", .serialized)
struct TutorialTests {
    let application = UIApplication()
    let screen = UIScreen(bounds: CGRect(x: 0, y: 0, width: 512, height: 512))
    let window: UIWindow
    private let clock = Clock()

    private final class Clock {
        var microseconds: Int64 = 0
    }

    init() {
        application.setScreen(screen, for: DeviceID(rawValue: 1))
        window = UIWindow(frame: screen.bounds, application: application, screen: screen)
        window.makeKeyAndVisible()
        printed = []
    }

    private func send(_ phase: Contact.Phase, _ x: Double, _ y: Double) {
        clock.microseconds += 10_000
        let contact = Contact(id: 1, phase: phase, position: SurfacePoint(x: x / 512, y: y / 512))
        application.enqueue(
            InputFrame(
                device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: clock.microseconds),
                contacts: [contact]))
        application.drainEvents()
    }

    private func stroke(_ points: (Double, Double)...) {
        for (number, point) in points.enumerated() { send(number == 0 ? .began : .moved, point.0, point.1) }
        if let last = points.last { send(.ended, last.0, last.1) }
    }

    /// Adds a recognizer to the window whose actions are printed.
    private func attach<Recognizer: UIGestureRecognizer>(_ recognizer: Recognizer) -> Recognizer {
        recognizer.addHandler { output("\($0.state)") }
        window.addGestureRecognizer(recognizer)
        return recognizer
    }

    @Test("a direction-locked pan recognizes along its axis, and is silent across it")
    func directionLock() {
        _ = attach(DirectionLockedPanGestureRecognizer(axis: .horizontal, target: nil, action: nil))

        stroke((100, 100), (100, 150), (100, 200))
        #expect(printed == [])
        stroke((100, 100), (150, 100), (200, 100))

        #expect(printed == ["began", "changed", "ended"])
    }

    @Test("a touch-down recognizer recognizes at once")
    func touchDown() {
        _ = attach(TouchDownGestureRecognizer(target: nil, action: nil))

        send(.began, 10, 10)

        #expect(printed == ["ended"])
    }

    @Test("a pan that sets began after super.touchesBegan begins once and then changes")
    func instantPan() {
        let pan = attach(InstantPanGestureRecognizer(target: nil, action: nil))
        #expect(pan.maximumNumberOfTouches == 1)

        stroke((100, 100), (150, 100))

        #expect(printed == ["began", "changed", "ended"])
    }

    @Test("a check mark is recognized, its mirror image is not")
    func checkmark() {
        _ = attach(CheckmarkGestureRecognizer(target: nil, action: nil))

        stroke((200, 100), (150, 150), (100, 100))
        #expect(printed == [])
        stroke((100, 100), (150, 150), (200, 100))

        #expect(printed == ["ended"])
    }

    @Test("a knob's recognizer knows the angle of the finger")
    func knob() {
        let knob = attach(KnobGestureRecognizer(target: nil, action: nil))

        stroke((256, 256), (256, 400))

        #expect(abs(knob.touchAngle - .pi / 2) < 1e-9)
    }

    @Test("a watcher on the window does not affect its buttons")
    func watcher() {
        let watcher = ActivityWatcher(target: nil, action: nil)
        window.addGestureRecognizer(watcher)
        let button = UIButton(type: .system)
        button.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        button.addHandler(for: .touchUpInside) { _, _ in output("button") }
        window.addSubview(button)

        stroke((10, 10))
        stroke((10, 10))

        #expect(printed == ["button", "button"] && watcher.touchCount == 2 && button.buttonType == .system)
    }

    @Test("a card lays its content out before the next event, once for each change")
    func card() throws {
        let card = CardView(frame: CGRect(x: 0, y: 0, width: 200, height: 200))
        card.closeButton.addHandler(for: .touchUpInside) { _, _ in output("close") }
        window.addSubview(card)
        #expect(card.layoutCount == 0)

        stroke((190, 10))
        stroke((190, 10))
        #expect(printed == ["close", "close"] && card.layoutCount == 1)
        #expect(card.content.frame == CGRect(x: 20, y: 10, width: 140, height: 160))

        card.bounds.size.width = 300
        card.contentInsets = .zero
        card.layoutIfNeeded()
        card.layoutIfNeeded()
        #expect(card.layoutCount == 2 && card.content.frame == card.bounds)
        #expect(try #require(CardView(coder: NSCoder())).subviews.count == 2)
    }

    @Test("a slider that overrides tracking sends its events, and lays out its thumb")
    func slider() {
        let slider = LevelSlider(frame: CGRect(x: 0, y: 0, width: 200, height: 40))
        for event: UIControl.Event in [.editingDidBegin, .valueChanged, .editingDidEnd] {
            slider.addHandler(for: event) { control, _ in output("\(event.rawValue)") }
        }
        window.addSubview(slider)

        stroke((50, 20), (100, 20))
        slider.layoutIfNeeded()

        #expect(printed == ["65536", "4096", "4096", "262144"])
        #expect(slider.value == 0.5 && slider.thumb.center == CGPoint(x: 100, y: 20))
    }

    @Test("a button with insets is touched beyond its bounds, and knows its targets")
    func largeHitButton() {
        let button = LargeHitButton(type: .custom)
        button.frame = CGRect(x: 100, y: 100, width: 10, height: 10)
        button.addTarget(window, action: "tapped", for: .touchUpInside)
        button.addTarget(nil, action: "tapped", for: .touchDown)
        window.addAction("tapped") { _, _ in output("tapped") }
        window.addSubview(button)

        stroke((85, 85))

        #expect(printed == ["tapped", "tapped"])
        #expect(button.allTargets.count == 2 && button.allTargets.contains(window))
        #expect(button.allTargets.contains { $0.base is NSNull })
        #expect(button.isKind(of: UIControl.self) && !window.isKind(of: UIControl.self))
    }

    @Test("a pass-through view passes touches beside its subviews to the view behind it")
    func passthrough() {
        let cover = PassthroughView(frame: screen.bounds)
        cover.addSubview(DraggableView(size: 50))
        window.addSubview(cover)
        window.addHandler(for: .began) { _, _ in output("window") }

        stroke((10, 10))
        stroke((100, 100))

        #expect(printed == ["window"])
    }

    @Test("a draggable view follows the finger")
    func draggable() {
        let view = DraggableView(size: 50)
        window.addSubview(view)

        stroke((10, 10), (60, 110))

        #expect(view.frame.origin == CGPoint(x: 50, y: 100))
    }

    @Test("a window above alerts sees every touch event")
    func alertWindow() {
        let alert = AlertWindow(frame: screen.bounds)
        alert.application = application
        alert.screen = screen
        alert.isHidden = false
        #expect(alert.windowLevel > .alert && alert.windowLevel - 1 == .alert)

        stroke((10, 10), (20, 20))

        #expect(alert.eventCount == 3)
    }

    @Test("a controller in code lays out its card and receives its pan's actions")
    func controller() {
        let controller = CardViewController(name: "card")
        window.rootViewController = controller

        stroke((100, 100), (150, 100), (200, 100))

        #expect(controller.calls == ["will 0", "did 0"])
        #expect(controller.card.frame == CGRect(x: 50, y: 50, width: 412, height: 412))
        #expect(controller.card.layoutCount == 1)
        #expect(printed == ["card began", "card changed", "card ended"])
        window.frame.size.width = 256
        controller.view.frame = window.bounds
        controller.view.layoutIfNeeded()
        #expect(controller.calls == ["will 0", "did 0", "will 1", "did 1"])
    }

    @Test("gesture recognizers are set as a list, and notifications are posted")
    func listsAndNotifications() {
        let (tap, pan) = (UITapGestureRecognizer(), UIPanGestureRecognizer())
        window.gestureRecognizers = [tap, pan]
        window.gestureRecognizers = [pan]
        #expect(window.gestureRecognizers == [pan] && tap.view == nil && pan.view === window)
        window.gestureRecognizers = nil
        #expect(window.gestureRecognizers?.isEmpty != false && pan.view == nil)

        #if compiler(>=6.3)
            let sender: UIApplication? = application
        #else
            // Foundation does not call observers that name an object (swift-corelibs-foundation, issue 3218).
            let sender: UIApplication? = nil
        #endif
        let names = [UIApplication.willResignActiveNotification, UIApplication.didBecomeActiveNotification]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: sender, queue: nil) { note in
                MainActor.assumeIsolated { output(name.rawValue) }
            }
        }
        application.resignActive()
        application.becomeActive()
        for observer in observers { NotificationCenter.default.removeObserver(observer) }

        #expect(printed == names.map(\.rawValue))
    }

    @Test("endEditing resigns the first responder inside a view")
    func endEditing() {
        final class Field: UIView {
            var mayResign = true
            override var canBecomeFirstResponder: Bool { true }
            override var canResignFirstResponder: Bool { mayResign }
        }
        let (form, field) = (UIView(), Field())
        form.addSubview(field)
        window.addSubview(form)
        field.becomeFirstResponder()
        field.mayResign = false

        #expect(!form.endEditing(false) && field.isFirstResponder)
        #expect(form.endEditing(true) && !field.isFirstResponder)
        #expect(UIView().endEditing(false))
    }

    @Test("classes without init(coder:) compile, and inherit it if they add no initializer")
    func withoutCoder() throws {
        final class Plain: UIView {}
        final class Named: UIView {
            let name: String
            init(name: String) {
                self.name = name
                super.init(frame: .zero)
            }
        }
        final class Empty: UIViewController {}

        #expect(Named(name: "n").name == "n" && Plain().bounds.isEmpty)
        #expect(try #require(Plain(coder: NSCoder())).bounds.isEmpty)
        #expect(Empty(nibName: nil, bundle: nil).viewIfLoaded == nil && Empty(coder: NSCoder()) != nil)
    }
}
