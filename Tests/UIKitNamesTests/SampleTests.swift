import Evdev
import Testing
import UIKitNames

/// The sample programs of a course on touch delivery, written with UIKit's own names.
@Suite("Sample programs", .serialized)
struct SampleTests {
    /// Shows a sample's controller, taps at points of its window, and returns the sample's output.
    private func run(_ controller: UIViewController, tapAt points: [(Double, Double)]) -> [String] {
        let application = UIApplication()
        let screen = UIScreen(bounds: CGRect(x: 0, y: 0, width: 512, height: 512))
        let device = DeviceID(rawValue: 1)
        application.setScreen(screen, for: device)
        let window = UIWindow(frame: screen.bounds, application: application, screen: screen)
        window.rootViewController = controller
        window.makeKeyAndVisible()
        printed = []
        for (number, point) in points.enumerated() {
            for (step, phase) in [Contact.Phase.began, .ended].enumerated() {
                let contact = Contact(
                    id: UInt32(number), phase: phase, position: SurfacePoint(x: point.0 / 512, y: point.1 / 512))
                let time = InputTimestamp(microseconds: Int64(number) * 1_000_000 + Int64(step) * 50_000)
                application.enqueue(InputFrame(device: device, timestamp: time, contacts: [contact]))
            }
        }
        application.drainEvents()
        return printed
    }

    @Test("A2.9 RewriteView: yellow on gray, every tap goes to gray")
    func rewriteView() {
        let lines = run(RewriteViewController(), tapAt: [(10, 110), (150, 250)])

        #expect(lines == ["gray touchesBegan", "gray touchesBegan"])
    }

    @Test("A2.10 RewriteSuperView: taps on red's area go to red under yellow")
    func rewriteSuperView() {
        let lines = run(RewriteSuperViewController(), tapAt: [(150, 250), (60, 160), (249, 349)])

        #expect(lines == ["red touchesBegan", "yellow touchesBegan", "yellow touchesBegan"])
    }

    @Test("A2.8 the figure: the touch goes to E and up through C to A")
    func figure() {
        let lines = run(FigureViewController(), tapAt: [(300, 250)])

        #expect(
            lines == [
                "A hitTest", "A pointInside true", "B hitTest", "B pointInside false", "C hitTest",
                "C pointInside true", "D hitTest", "D pointInside false", "E hitTest", "E pointInside true",
                "E touchesBegan", "C touchesBegan", "A touchesBegan",
            ])
    }

    @Test("A5.9 a pinch container with two tap views: the order of calls for a tap on `up`")
    func recognizers() {
        let lines = run(RecognizersViewController(), tapAt: [(100, 100)])

        #expect(
            lines == [
                "container hitTest", "down hitTest", "up hitTest", "tapUp shouldReceive", "pinch shouldReceive",
                "tapUp touchesBegan", "pinch touchesBegan", "up touchesBegan", "container touchesBegan",
                "tapUp touchesEnded", "tap action", "up touchesCancelled", "container touchesCancelled",
            ])
    }

    @Test("A5.10 with touchesBegan of tapUp swallowed the views keep the touch")
    func swallowed() {
        let controller = RecognizersViewController()
        controller.tapUp.swallowsTouchesBegan = true

        let lines = run(controller, tapAt: [(100, 100)])

        #expect(
            lines.dropFirst(3) == [
                "tapUp shouldReceive", "pinch shouldReceive", "tapUp touchesBegan", "pinch touchesBegan",
                "up touchesBegan", "container touchesBegan", "tapUp touchesEnded", "up touchesEnded",
                "container touchesEnded",
            ])
    }
}
