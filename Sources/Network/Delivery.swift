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

    /// Reports from a request's thread that it begins.
    ///
    /// - Parameter patience: How many milliseconds touchd has to read, so that there is room for the report.
    /// - Returns: Whether the kernel has the report, or nobody waits for it.
    func beginOnThread(patience: Int32 = 1000) -> Bool {
        // Without a session touchd has ended, and nobody sends the request a second time.
        guard !hasBegun.exchange(true, ordering: .relaxed), let socket = session.socket.withLock({ $0 }) else {
            return true
        }
        do { try socket.send(NetworkReport.begun(message.number)) } catch  where error.errno == EAGAIN {
            hasBegun.store(false, ordering: .relaxed)
            var room = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
            return patience > 0 && poll(&room, 1, patience) > 0 && beginOnThread(patience: 0)
        } catch {}
        return true
    }
}
