import Evdev
import Layout
import TouchKit

/// Keeps the last minutes of devices, and conceals private touches in them.
final class HistoryPrivacy: DeliveryObserver {
    let history: TouchHistory

    init(keeping span: Duration, scene: Scene, application: Application) {
        history = TouchHistory(span: span) { contact, device in
            // Checked before the contact's view is hit-tested.
            let screen = application.screen(for: device)
            return scene.isPrivate(screen.location(of: contact.position), on: screen)
        }
    }

    /// Reveals a touch that begins at a public location; conceals one that turns out to be private: the page can change
    /// between report and delivery, and a view elsewhere may redirect to a private one.
    func didDeliver(_ delivery: TouchDelivery) {
        let touch = delivery.touch
        guard delivery.phase != .stationary, let contact = touch.contact else { return }
        if touch.isConcealed {
            history.conceal(contact, of: touch.device)
        } else if delivery.phase == .began {
            history.reveal(contact, of: touch.device)
        }
    }
}
