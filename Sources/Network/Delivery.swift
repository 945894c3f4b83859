import ControlProtocol
import EventLoop
import Glibc
import Synchronization

/// A message with the session that its outcome is reported to.
nonisolated final class Delivery: Sendable {
    let session: TouchdSession
    let message: OutgoingMessage
    /// Whether touchd knows that it may have left the machine.
    private let hasBegun = Atomic(false)

    init(session: TouchdSession, message: OutgoingMessage) { (self.session, self.message) = (session, message) }

    /// Whether it must not be sent twice.
    var isOnce: Bool { message.mqtt.map { $0.qos == 0 } ?? ((message.http?.retries ?? 0) <= 0) }

    @MainActor func done() { session.settle(message, .done([message.number])) }
    @MainActor func fail(_ reason: String) { session.settle(message, .failed(message.number, reason: reason)) }

    /// Reports that the message is about to be sent.
    ///
    /// - Returns: Whether the kernel has the report, or nobody waits for it.
    @MainActor func begin() -> Bool {
        if !hasBegun.exchange(true, ordering: .relaxed) { session.connection?.send(.begun(message.number)) }
        return session.connection?.hasBacklog != true
    }

    /// Reports what is known to a touchd that has sent the message again.
    @MainActor func repeatReport() {
        if hasBegun.load(ordering: .relaxed) { session.connection?.send(.begun(message.number)) }
    }

    /// Reports from a request's thread that it begins; returns false if touchd does not read for a second.
    func beginOnThread() -> Bool {
        for isLast in [false, true] {
            // Without a session touchd has ended, and nobody sends the request a second time.
            guard !hasBegun.exchange(true, ordering: .relaxed), let socket = session.socket.withLock({ $0 }) else {
                return true
            }
            do {
                try socket.send(NetworkReport.begun(message.number))
                return true
            } catch {
                guard error.errno == EAGAIN else { return true }
                hasBegun.store(false, ordering: .relaxed)
                var room = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
                if !isLast { poll(&room, 1, 1000) }
            }
        }
        return false
    }
}
