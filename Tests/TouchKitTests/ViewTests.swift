import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("Views, windows and view controllers")
struct ViewTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    private func named(_ name: String) -> View {
        let view = View(frame: .zero)
        view.accessibilityIdentifier = name
        return view
    }

    private func names(_ view: View) -> [String] { view.subviews.compactMap(\.accessibilityIdentifier) }

    @Test("Subviews are added, inserted, exchanged and reordered as in UIKit")
    func order() {
        let root = named("root")
        let (a, b, c, d) = (named("a"), named("b"), named("c"), named("d"))

        for view in [a, b] { root.addSubview(view) }
        root.insertSubview(c, at: 0)
        root.insertSubview(d, belowSubview: b)
        #expect(names(root) == ["c", "a", "d", "b"])
        root.insertSubview(c, aboveSubview: d)
        #expect(names(root) == ["a", "d", "c", "b"])
        root.bringSubviewToFront(a)
        root.sendSubviewToBack(b)
        #expect(names(root) == ["b", "d", "c", "a"])
        root.exchangeSubview(at: 0, withSubviewAt: 3)
        root.addSubview(d)

        #expect(names(root) == ["a", "c", "b", "d"])
        #expect(d.isDescendant(of: root) && !root.isDescendant(of: d))
    }

    @Test("Views are found by tag and by identifier, depth first")
    func finding() {
        let (root, inner) = (named("root"), named("inner"))
        root.addSubview(named("first"))
        root.subviews[0].addSubview(inner)
        inner.tag = 7

        #expect(root.viewWithTag(7) === inner)
        #expect(root.viewWithTag(8) == nil)
    }

    @Test("A view's frame, bounds, center and transform are related as in UIKit")
    func geometry() {
        let view = View(frame: CGRect(x: 0.1, y: 0.2, width: 30.3, height: 40.4))
        #expect(view.frame == CGRect(x: 0.1, y: 0.2, width: 30.3, height: 40.4))

        view.frame = CGRect(x: 100, y: 100, width: 40, height: 20)
        view.bounds.size = CGSize(width: 20, height: 20)
        #expect(view.center == CGPoint(x: 120, y: 110))
        #expect(view.frame == CGRect(x: 110, y: 100, width: 20, height: 20))
        view.transform = CGAffineTransform(rotationAngle: .pi / 2).scaledBy(x: 2, y: 1)
        #expect(abs(view.frame.width - 20) < 1e-9 && abs(view.frame.height - 40) < 1e-9)
        #expect(view.center == CGPoint(x: 120, y: 110))
        view.transform = .identity

        #expect(view.frame == CGRect(x: 110, y: 100, width: 20, height: 20))
    }

    @Test("A rotated view is hit at its rotated position")
    func turned() {
        let root = View(frame: CGRect(x: 0, y: 0, width: 200, height: 200))
        let bar = View(frame: CGRect(x: 50, y: 90, width: 100, height: 20))
        root.addSubview(bar)

        bar.transform = CGAffineTransform(rotationAngle: .pi / 2)

        #expect(root.hitTest(CGPoint(x: 100, y: 55), with: nil) === bar)
        #expect(root.hitTest(CGPoint(x: 55, y: 100), with: nil) === root)
    }

    @Test("A view is notified before and after its superview and its window change")
    func hooks() {
        final class Telling: View {
            var tell: (String) -> Void = { _ in }
            override func willMove(toSuperview newSuperview: View?) { tell("willSuperview \(newSuperview != nil)") }
            override func didMoveToSuperview() { tell("didSuperview \(superview != nil)") }
            override func willMove(toWindow newWindow: Window?) { tell("willWindow \(newWindow != nil)") }
            override func didMoveToWindow() { tell("didWindow \(window != nil)") }
        }
        let view = Telling(frame: .zero)
        view.tell = log.add

        stage.window.addSubview(view)
        view.removeFromSuperview()

        #expect(
            log.lines == [
                "willSuperview true", "willWindow true", "didWindow true", "didSuperview true", "willSuperview false",
                "willWindow false", "didWindow false", "didSuperview false",
            ])
    }

    /// Tells which of its methods are called.
    private final class Telling: ViewController {
        var tell: (String) -> Void = { _ in }
        override func loadView() {
            tell("loadView")
            super.loadView()
        }
        override func viewDidLoad() { tell("viewDidLoad") }
        override func viewWillAppear(_ animated: Bool) { tell("willAppear") }
        override func viewDidAppear(_ animated: Bool) { tell("didAppear") }
        override func viewWillDisappear(_ animated: Bool) { tell("willDisappear") }
        override func viewDidDisappear(_ animated: Bool) { tell("didDisappear") }
    }

    @Test("A controller whose view is removed in viewWillAppear, or put back in viewWillDisappear, is notified of it")
    func movedWhileAppearing() {
        let controller = Telling()
        controller.tell = { [log] line in
            log.add(line)
            if line == "willAppear" { controller.view.removeFromSuperview() }
        }
        stage.window.addSubview(controller.view)
        controller.tell = log.add
        log.add("again")
        stage.window.addSubview(controller.view)
        controller.tell = { [log] line in
            log.add(line)
            if line == "willDisappear" { stage.window.addSubview(controller.view) }
        }
        controller.view.removeFromSuperview()

        #expect(
            log.lines.drop { $0 != "willAppear" } == [
                "willAppear", "willDisappear", "didDisappear", "again", "willAppear", "didAppear", "willDisappear",
                "willAppear", "didAppear",
            ])
    }

    @Test("A controller loads its view on demand and is notified of appearance")
    func controller() {
        let controller = Telling()
        controller.tell = log.add
        #expect(!controller.isViewLoaded && log.lines.isEmpty)

        stage.window.rootViewController = controller
        #expect(controller.view.frame == stage.window.bounds)
        stage.window.rootViewController = nil

        #expect(
            log.lines == ["loadView", "viewDidLoad", "willAppear", "didAppear", "willDisappear", "didDisappear"])
    }

    @Test("B29 the root controller's view follows its window's size and keeps its margins; one outside is left alone")
    func rootViewFollows() {
        let window = Window(frame: .zero, application: stage.application, screen: stage.screen)
        let controller = ViewController()
        window.rootViewController = controller
        window.frame = CGRect(x: 5, y: 6, width: 0.3, height: 0.7)
        #expect(controller.view.frame == window.bounds)
        window.bounds = stage.screen.bounds
        #expect(controller.view.frame == stage.screen.bounds)

        controller.view.frame = CGRect(x: 0, y: 100, width: 1024, height: 600)
        window.bounds.size = CGSize(width: 2000, height: 50)
        #expect(controller.view.frame == CGRect(x: 0, y: 100, width: 2000, height: 0))

        controller.view.removeFromSuperview()
        window.frame = stage.screen.bounds
        #expect(controller.view.frame == CGRect(x: 0, y: 100, width: 2000, height: 0))
    }

    @Test("B29 a view of a root controller whose window gets its size later is touched")
    func rootViewOfLaterSize() {
        let window = Window(frame: .zero, application: stage.application, screen: stage.screen)
        let controller = ViewController()
        window.rootViewController = controller
        controller.view.addSubview(RecordingView("view", CGRect(x: 0, y: 0, width: 50, height: 50), log: log))
        window.frame = stage.screen.bounds
        window.makeKeyAndVisible()

        stage.taps(at: 10, 10)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
    }

    @Test("B2 controllers appear and disappear with their window; in a hidden one they do not appear")
    func appearsWithItsWindow() {
        let (window, controller, child) = (stage.newWindow(), Telling(), Telling())
        window.rootViewController = controller
        controller.view.addSubview(child.view)
        controller.tell = { [log] line in log.add(line) }
        child.tell = { [log] line in log.add("child \(line)") }

        controller.view.removeFromSuperview()
        window.addSubview(controller.view)
        #expect(log.lines.isEmpty)
        window.makeKeyAndVisible()
        #expect(log.lines == ["willAppear", "child willAppear", "child didAppear", "didAppear"])
        log.clear()
        window.isHidden = true

        #expect(log.lines == ["willDisappear", "child willDisappear", "child didDisappear", "didDisappear"])
    }

    /// Answers its own values; TouchKit reads the stored ones.
    private final class Disguised: Window {
        var answer = false
        override var isHidden: Bool {
            get { answer }
            set { super.isHidden = newValue }
        }
    }

    @Test("B2 an overridden getter of isHidden decides neither what appears nor which windows are listed")
    func disguised() {
        let window = Disguised(frame: stage.screen.bounds, application: stage.application, screen: stage.screen)
        let controller = Telling()
        controller.tell = log.add
        window.rootViewController = controller
        #expect(log.lines == ["loadView", "viewDidLoad"])
        log.clear()

        window.answer = true
        window.isHidden = false
        #expect(stage.application.windows.contains(window) && log.lines == ["willAppear", "didAppear"])
        log.clear()
        window.answer = false
        window.isHidden = true
        #expect(!stage.application.windows.contains(window) && log.lines == ["willDisappear", "didDisappear"])
    }

    @Test("B2 a controller that shows or hides its window while it appears or disappears is called to match")
    func shownWhileDisappearing() {
        let (window, controller) = (stage.newWindow(), Telling())
        window.rootViewController = controller
        controller.tell = { [log] line in
            log.add(line)
            if line == "willAppear" { window.isHidden = true }
        }
        window.isHidden = false
        #expect(log.lines == ["willAppear", "willDisappear", "didDisappear"])
        #expect(window.isHidden && !stage.application.windows.contains(window))
        controller.tell = { [log] line in
            log.add(line)
            if line == "willDisappear" { window.isHidden = false }
        }
        window.isHidden = false
        log.clear()
        window.isHidden = true

        #expect(log.lines == ["willDisappear", "willAppear", "didAppear"])
        #expect(!window.isHidden && stage.application.windows.contains(window))
    }

    @Test("A3.3 a child controller is in the chain after its view")
    func children() {
        let (parent, child) = (ViewController(), ViewController())

        parent.addChild(child)
        parent.view.addSubview(child.view)
        child.didMove(toParent: parent)

        #expect(parent.children.count == 1 && child.parent === parent)
        #expect(child.view.next === child && child.next === parent.view)
        child.removeFromParent()
        #expect(parent.children.isEmpty && child.parent == nil)
    }

    @Test("A window that is shown again while its touches are cancelled stays visible")
    func shownAgain() {
        let window = stage.window
        window.addHandler(for: .cancelled) { _, _ in window.isHidden = false }
        stage.finger(at: 10, 10)
        window.isHidden = true

        #expect(!window.isHidden && stage.application.windows.contains(window) && window.isKeyWindow)
    }

    @Test("A1.4 the key window is the last one made key, or the front-most left")
    func keyWindow() {
        let other = stage.newWindow()
        other.windowLevel = .alert
        #expect(other.isHidden && stage.application.keyWindow === stage.window)

        other.makeKeyAndVisible()
        #expect(other.isKeyWindow && stage.application.windows == [stage.window, other])
        other.isHidden = true

        #expect(stage.window.isKeyWindow && stage.application.windows == [stage.window])
    }

    @Test("B17 makeKeyAndVisible brings a visible window to the front of its level")
    func makeKeyAndVisible() {
        let (second, alert) = (stage.newWindow(), stage.newWindow())
        alert.windowLevel = .alert
        for window in [second, alert] { window.isHidden = false }

        stage.window.makeKeyAndVisible()

        #expect(stage.application.windows == [second, stage.window, alert])
        #expect(stage.window.isKeyWindow)
    }

    @Test("A1.4 makeKey makes a hidden window the key window, and leaves it hidden")
    func hiddenKeyWindow() {
        let other = stage.newWindow()

        other.makeKey()

        #expect(other.isKeyWindow && other.isHidden && !stage.window.isKeyWindow)
    }

    @Test("a device touches only the windows of its screen")
    func screens() {
        let second = Screen(bounds: CGRect(x: 0, y: 0, width: 512, height: 512))
        let window = Window(frame: second.bounds, application: stage.application, screen: second)
        window.isHidden = false
        window.addHandler(for: .began) { [log] touch, _ in log.add("second \(touch.location(in: nil).x)") }
        stage.window.addHandler(for: .began) { [log] touch, _ in log.add("first \(touch.location(in: nil).x)") }

        stage.taps(at: 512, 512)
        stage.application.setScreen(second, for: .touchscreen)
        stage.taps(at: 256, 256)

        #expect(log.lines == ["first 512.0", "second 256.0"])
        #expect(stage.application.screens.count == 3)
    }

    @Test("a device that is removed and returns is on its screen again")
    func returnsToItsScreen() {
        let second = Screen(bounds: CGRect(x: 0, y: 0, width: 512, height: 512))
        stage.application.setScreen(second, for: .touchscreen)

        stage.unplug(.touchscreen)

        #expect(stage.application.screen(for: .touchscreen) === second)
    }

    @Test("A3.2 an interrupted application cancels and ignores touches until active")
    func interruption() {
        final class Delegate: ApplicationDelegate {
            var calls: [String] = []
            func applicationWillResignActive(_ application: Application) { calls.append("resign") }
            func applicationDidBecomeActive(_ application: Application) { calls.append("active") }
        }
        let delegate = Delegate()
        stage.application.delegate = delegate
        show("view")
        stage.finger(at: 1, 1)

        stage.application.resignActive()
        stage.taps(at: 1, 1)
        stage.application.becomeActive()
        stage.finger(at: 1, 1)

        #expect(delegate.calls == ["resign", "active"])
        #expect(log.lines == ["view.began 1", "view.cancelled 1", "view.began 1"])
    }

    @Test("a view that another thread releases last is no longer its subviews' superview")
    func releasedElsewhere() async {
        let child = View()
        var parent: View? = View()
        parent?.addSubview(child)
        let last = parent.map(Unmanaged.passRetained)
        parent = nil

        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                last?.release()
                continuation.resume()
            }
        }

        #expect(child.superview == nil)
    }

    @Test("an application that has launched becomes active, once")
    func launch() {
        final class Delegate: ApplicationDelegate {
            var calls: [String] = []
            func application(_: Application, didFinishLaunchingWithOptions _: [Application.LaunchOptionsKey: Any]?)
                -> Bool
            {
                calls.append("launch")
                return true
            }
            func applicationDidBecomeActive(_ application: Application) { calls.append("active") }
        }
        let delegate = Delegate()
        stage.application.delegate = delegate

        #expect(stage.application.finishLaunching())
        stage.application.becomeActive()

        #expect(delegate.calls == ["launch", "active"])
    }

    @Test("A released window leaves no references in its subviews and recognizers")
    func gone() {
        let application = Application()
        let frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        var window: Window? = Window(frame: frame, application: application)
        let (child, inner) = (View(frame: CGRect(x: 0, y: 0, width: 10, height: 10)), View())
        let recognizer = TapGestureRecognizer()
        window?.addGestureRecognizer(recognizer)
        window?.addSubview(child)
        child.addSubview(inner)
        // Enough for a grid of subviews.
        for _ in 0..<SubviewGrid.threshold { window?.addSubview(View(frame: child.frame)) }
        window?.isHidden = false
        #expect(window?.hitTest(CGPoint(x: 5, y: 5), with: nil) != nil)
        window?.isHidden = true
        #expect(inner.window === window)

        window = nil

        #expect(child.superview == nil)
        #expect(child.window == nil && inner.window == nil)
        #expect(inner.superview === child)
        #expect(recognizer.view == nil)
        child.center.x += 1
        #expect(child.hitTest(CGPoint(x: 5, y: 5), with: nil) === child)
    }
}
