import ControlProtocol

/// A message with the session that its outcome is reported to.
struct Delivery {
    let session: TouchdSession
    let message: OutgoingMessage

    func done() { session.done(message) }
    func fail(_ reason: String) { session.fail(message, reason) }
}
