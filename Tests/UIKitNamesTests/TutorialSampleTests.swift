import Testing
import TouchKitTesting
import UIKitNames

/// Recognizers, views and controllers in the style of UIKit tutorials; only `UIKitNames` is imported by the samples.
@Suite("Tutorial samples", .serialized)
struct TutorialSampleTests {
    let stage = Stage(size: CGSize(width: 512, height: 512))
    var window: UIWindow { stage.window }
    var application: UIApplication { stage.application }

    init() { printed = [] }

    private func stroke(_ points: (Double, Double)...) {
        let finger = stage.finger(at: points[0].0, points[0].1)
        for point in points.dropFirst() { finger.moves(to: point.0, point.1) }
        finger.lifts()
    }

    /// Adds a recognizer to the window whose actions are printed.
    private func attach<Recognizer: UIGestureRecognizer>(_ recognizer: Recognizer) -> Recognizer {
        recognizer.addHandler { output("\($0.state)") }
        window.addGestureRecognizer(recognizer)
        return recognizer
    }

    @Test("a delegate marked @main is a program with this import alone")
    func program() {
        final class Delegate: UIResponder, UIApplicationDelegate {}
        let start = { Delegate.main() }
        _ = start
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

    @Test("a pass-through view passes touches beside its subviews on; one follows the finger, although it is covered")
    func passthrough() {
        let (cover, rear) = (PassthroughView(frame: window.bounds), DraggableView(size: 50))
        for view in [rear, DraggableView(size: 50)] { cover.addSubview(view) }
        cover.favorite = rear
        window.addSubview(cover)
        window.addHandler(for: .began) { _, _ in output("window") }

        stroke((10, 10), (60, 110))
        stroke((200, 100))

        #expect(printed == ["window"])
        #expect(rear.frame.origin == CGPoint(x: 50, y: 100) && cover.subviews.last === rear)
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
        #expect(button.buttonType == .custom)
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

    @Test("a window above alerts sees every touch event")
    func alertWindow() {
        let alert = AlertWindow(frame: window.bounds)
        alert.application = application
        alert.screen = stage.screen
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
        let (tap, pan) = (UITapGestureRecognizer(), UIPinchGestureRecognizer())
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
