import Basics
import ControlProtocol
import EventLoop
import Glibc

/// Connects sockets for datagrams, which touchd gets: it is not allowed to create any.
///
/// An address that cannot be reached, or whose socket has failed, is tried again with growing delays, for example while
/// the machine waits for DHCP.
final class DatagramSockets {
    private let context: SenderContext
    /// Passes a socket to touchd and closes it.
    private let pass: (_ index: Int, _ descriptor: Int32) -> Void
    private var addresses: [DatagramAddress] = []
    private var delays = RetryDelays()
    private lazy var timer = RunLoopTimer(name: "datagrams") { [weak self] _ in self?.connectMissing() }
    /// The addresses that touchd has no socket for.
    private var missing: [Int] = []
    private var lastAttempt = Deadline.now
    /// How often a socket was to be connected.
    private(set) var attempts = 0

    init(_ context: SenderContext, pass: @escaping (_ index: Int, _ descriptor: Int32) -> Void) {
        self.context = context
        self.pass = pass
        delays = RetryDelays(first: context.settings.firstPause)
        context.loop.add(timer)
    }

    isolated deinit { timer.invalidate() }

    /// Connects a new socket to each address, later if the last ones have failed.
    func connect(_ new: [DatagramAddress], isRenewal: Bool) {
        for address in addresses where !new.contains(address) { context.forget(address.name) }
        addresses = new
        missing = Array(new.indices)
        if isRenewal { delays.connectionEnded(after: .now - lastAttempt) } else { delays.restart() }
        timer.reschedule(after: isRenewal ? delays.next() : .zero)
    }

    private func connectMissing() {
        lastAttempt = .now
        missing.removeAll { index in
            let address = addresses[index]
            attempts += 1
            do throws(SystemError) {
                let descriptor = try address.connectedSocket()
                context.peer(address.name, .connected)
                pass(index, descriptor)
                return true
            } catch {
                context.peer(address.name, .waiting, error: "\(error)")
                return false
            }
        }
        if missing.isEmpty { timer.cancel() } else { timer.reschedule(after: delays.next()) }
    }
}

extension DatagramAddress {
    /// Connects a nonblocking UDP socket.
    fileprivate func connectedSocket() throws(SystemError) -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let address = list?.pointee else {
            throw SystemError(call: "getaddrinfo(\(host))", errno: EINVAL)
        }
        defer { freeaddrinfo(list) }
        let type = Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK
        let descriptor = socket(address.ai_family, type, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", errno: errno) }
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            let failure = errno
            close(descriptor)
            throw SystemError(call: "connect", errno: failure)
        }
        return descriptor
    }
}
