import CLinux
import Glibc

/// Accepts the connections of a listening socket.
///
/// While as many connections as the limit are open, further ones wait in the socket's queue. If no descriptor or memory
/// is left, or other processes hold up too many closes, it rests for a second; otherwise the loop would spin.
package final class Acceptor {
    private let listener: Int32
    private let name: String
    private let priority: Int
    private let limit: Int
    private let takesDescriptors: Bool
    private let loop: EpollRunLoop
    private let didAccept: (Int32) -> Void
    private let didFail: (SystemError) -> Void
    private var count = 0
    private var source: DescriptorSource?
    private var rest: RunLoopTimer?

    /// Starts to accept connections.
    ///
    /// - Parameters:
    ///   - listener: A listening socket, which stays open; it becomes nonblocking.
    ///   - name: The name of the source in logs and measurements.
    ///   - priority: The priority of the source.
    ///   - limit: The maximum number of open connections.
    ///   - takesDescriptors: Whether clients may pass descriptors.
    ///   - didFail: Called when no connection is accepted for a second.
    ///   - didAccept: Takes a nonblocking connection; when it has ended, call `connectionEnded()`.
    package init(
        _ listener: Int32, name: String, priority: Int = 0, limit: Int = .max, takesDescriptors: Bool = false,
        loop: EpollRunLoop, didFail: @escaping (SystemError) -> Void = { _ in }, didAccept: @escaping (Int32) -> Void
    ) {
        self.listener = listener
        self.name = name
        self.priority = priority
        self.limit = limit
        self.takesDescriptors = takesDescriptors
        self.loop = loop
        self.didAccept = didAccept
        self.didFail = didFail
        if !takesDescriptors { refuse_descriptors(listener) }
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
        listen()
    }

    deinit { invalidate() }

    /// Notes that a connection is closed, so that another one can be accepted.
    package func connectionEnded() {
        count -= 1
        listen()
    }

    /// Stops accepting.
    package func invalidate() {
        source?.invalidate()
        rest?.invalidate()
        (source, rest) = (nil, nil)
    }

    private func listen() {
        rest?.invalidate()
        rest = nil
        guard source == nil, count < limit else { return }
        let source = DescriptorSource(name: name, descriptor: listener, priority: priority) { [weak self] _ in
            self?.accept()
        }
        self.source = source
        do { try loop.add(source) } catch { pause(error) }
    }

    /// Accepts a few connections per pass, so that many of them do not delay touches.
    private func accept() {
        for _ in 0..<8 where source != nil {
            if DetachedClose.isFull { return pause(SystemError(call: "close", errno: EMFILE)) }
            let connection = accept4(listener, nil, nil, O_NONBLOCK | O_CLOEXEC)
            if connection >= 0 {
                if !takesDescriptors { refuse_descriptors(connection) }
                count += 1
                if count >= limit { invalidate() }
                didAccept(connection)
                continue
            }
            switch errno {
            case EAGAIN: return
            // The client disconnected before it was accepted.
            case EINTR, ECONNABORTED: continue
            default:
                pause(SystemError(call: "accept4", errno: errno))
            }
        }
    }

    private func pause(_ error: SystemError) {
        invalidate()
        rest = loop.add(
            RunLoopTimer(name: "\(name) pause", after: .seconds(1)) { [weak self] _ in self?.listen() })
        didFail(error)
    }
}
