import Evdev
import Foundation
import TouchKit

/// An application with a window in which a view lies five levels deep, and three recognizers that watch it: a tap's on
/// the view, a pan's on the view around it, a long press's on the window. Fingers come down on that view.
final class Fingers {
    /// The application that delivers.
    let application = Application()
    /// The screen with the window.
    let screen = Screen(bounds: CGRect(x: 0, y: 0, width: 1920, height: 1080))
    /// The view that the fingers are on.
    let leaf: View
    /// How often a handler was called.
    private(set) var calls = 0
    /// Is called in each handler.
    var onCall: ((Touch) -> Void)?
    private let device = DeviceID(rawValue: 1)
    private var clock: Int64 = 1_000_000
    private var lastContact: UInt32 = 0
    private let pan = PanGestureRecognizer()

    /// - Parameter siblings: how many other views are in the window, beside the five.
    init(siblings: Int = 0) {
        let window = Window(frame: screen.bounds, application: application, screen: screen)
        application.setScreen(screen, for: device)
        for number in 0..<siblings {
            window.addSubview(View(frame: CGRect(x: number % 192 * 10, y: number / 192 * 10, width: 10, height: 10)))
        }
        var view: View = window
        for _ in 0..<5 {
            let subview = View(frame: screen.bounds)
            view.addSubview(subview)
            view = subview
        }
        leaf = view
        leaf.isMultipleTouchEnabled = true
        for phase in [Touch.Phase.began, .moved, .ended, .cancelled] {
            leaf.addHandler(for: phase) { [unowned self] touch, _ in
                calls += 1
                onCall?(touch)
            }
        }
        let press = LongPressGestureRecognizer()
        for recognizer in [TapGestureRecognizer(), pan, press] { recognizer.cancelsTouchesInView = false }
        leaf.addGestureRecognizer(TapGestureRecognizer())
        leaf.superview?.addGestureRecognizer(pan)
        window.addGestureRecognizer(press)
        leaf.gestureRecognizers?.forEach { $0.cancelsTouchesInView = false }
        window.makeKeyAndVisible()
    }

    /// A frame in which contacts change; each frame is one millisecond after the last by default.
    func frame(_ contacts: Range<UInt32>, _ phase: Contact.Phase, step: Int, after microseconds: Int64 = 1000)
        -> InputFrame
    {
        clock += microseconds
        return InputFrame(
            device: device, timestamp: InputTimestamp(microseconds: clock),
            contacts: contacts.map {
                Contact(
                    id: $0, phase: phase,
                    position: SurfacePoint(x: 0.2 + Double($0 % 16) / 20 + Double(step % 2) / 1920, y: 0.5))
            })
    }

    /// The numbers of fingers that were not down before.
    func newContacts(_ count: Int) -> Range<UInt32> {
        lastContact += UInt32(count)
        return lastContact - UInt32(count)..<lastContact
    }

    /// Delivers one frame: from the frame to the return of the last handler.
    func send(_ frame: borrowing InputFrame) {
        application.enqueue(frame)
        application.drainEvents()
    }

    /// Has the pan begin, with fingers that are down.
    func beginPan(_ contacts: Range<UInt32>) {
        for step in [40, 80] { send(frame(contacts, .moved, step: step).shifted(by: Double(step) / 1920)) }
    }
}

extension InputFrame {
    fileprivate func shifted(by x: Double) -> InputFrame {
        var frame = self
        for index in frame.contacts.indices { frame.contacts[index].position.x += x }
        return frame
    }
}
