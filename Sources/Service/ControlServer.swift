import CLibsystemd
import CLinux
import ControlProtocol
import DequeModule
import EventLoop
import Foundation
import Handlers
import Logging
import Outputs

/// The control socket: clients send requests and receive events.
///
/// docs/control-protocol.md describes the protocol. Everything runs on the run loop's thread, except that long lines are
/// read on another one. One request is handled per pass, after the touches of that pass. Nothing here blocks on a client.
package final class ControlServer {
    /// The limits for clients.
    package struct Limits {
        /// The maximum number of connected clients.
        package var clients: Int
        /// The maximum length of a request line, in bytes.
        package var line: Int
        /// The maximum size of a client's unread output, in bytes.
        package var output: Int

        /// The defaults are those of docs/control-protocol.md.
        package init(clients: Int = 64, line: Int = 1024 * 1024, output: Int = 256 * 1024) {
            self.clients = clients
            self.line = line
            self.output = output
        }
    }

    /// Performs a client's request and returns its result in JSON; nil if `answerLater` gives the answer.
    package typealias Perform = (ControlRequest, ControlSession) throws(ControlError) -> [UInt8]?

    /// The path of the socket.
    var path: String { socket.path }
    /// How many clients were refused or disconnected because of an error.
    var refusedCount = 0
    /// How many events were dropped for clients that have disconnected.
    private var droppedBefore = 0

    private let socket: ListeningSocket
    private let subscribers: Subscribers
    private let loop: EpollRunLoop
    private let limits: Limits
    private let logger: Logger
    let perform: Perform
    /// Reads long lines.
    private let worker: Worker
    /// Whether a request is performed although the one before it is not answered yet, because it replaces that one.
    var replaces: (ControlRequest, ControlSession) -> Bool = { _, _ in false }
    /// Called when a client's connection has ended.
    var didEnd: (ControlSession) -> Void = { _ in }
    private var clients: [ControlSession] = []
    private var acceptor: Acceptor?

    /// Clients with requests, one of which is performed in each pass, and clients with unwritten output.
    private var asking: Deque<ControlSession> = []
    private var unwritten: [ControlSession] = []
    private lazy var requests = SignalledSource(name: "control requests", order: 20) { [weak self] in
        self?.performRequest()
    }
    private lazy var writes = SignalledSource(name: "control writes", order: 10) { [weak self] in self?.flush() }

    /// Whether requests wait, because the views in the slots of a new layout are being published again.
    var holdsRequests = false {
        didSet { if !holdsRequests, !asking.isEmpty { requests.signal() } }
    }

    /// A line of this length is read within 0.1 ms; longer ones are read on another thread.
    static let shortLine = 8 * 1024

    /// Starts to listen.
    ///
    /// - Parameter worker: Reads long lines; nil for a new one.
    package init(
        socket: ListeningSocket, subscribers: Subscribers, loop: EpollRunLoop, limits: Limits = Limits(),
        logger: Logger, worker: Worker? = nil, perform: @escaping Perform
    ) {
        self.worker = worker ?? Worker(loop, logger: logger)
        self.socket = socket
        self.subscribers = subscribers
        self.loop = loop
        self.limits = limits
        self.logger = logger
        self.perform = perform
        loop.add(requests)
        loop.add(writes)
        acceptor = Acceptor(
            socket.descriptor, name: "control socket", priority: 1, loop: loop,
            didFail: { [logger] in
                logger.warning("the control socket accepts no clients for 1 s: \($0)", metadata: Self.metadata)
            },
            didAccept: { [weak self] in self?.accept($0) })
    }

    /// The number of connected clients, and of those with a subscription.
    package var clientCount: Int { clients.count }
    var subscriberCount: Int { clients.count { !$0.topics.isEmpty } }
    /// The total number of dropped events.
    package var droppedCount: Int { clients.reduce(droppedBefore) { $0 + $1.droppedCount } }

    /// Sends queued output and closes all connections.
    package func close() {
        flush()
        acceptor?.invalidate()
        acceptor = nil
        requests.invalidate()
        writes.invalidate()
        for client in clients { client.close() }
    }

    // MARK: Clients

    func hasRequest(_ client: ControlSession) {
        if !asking.contains(where: { $0 === client }) { asking.append(client) }
        requests.signal()
    }

    func needsFlush(_ client: ControlSession) {
        unwritten.append(client)
        writes.signal()
    }

    func closed(_ client: ControlSession) {
        droppedBefore += client.droppedCount
        clients.removeAll { $0 === client }
        subscribers.remove(client)
        asking.removeAll { $0 === client }
        didEnd(client)
        acceptor?.connectionEnded()
    }

    private func performRequest() {
        guard !holdsRequests, let client = asking.popFirst() else { return }
        if client.takeRequest() { hasRequest(client) }
        if !asking.isEmpty { requests.signal() }
    }

    /// Reads a client's line, a long one on another thread.
    func read(_ bytes: ArraySlice<UInt8>, of client: ControlSession) {
        if bytes.count > limits.line {
            return client.refuse(ControlError(.lineTooLong, "a line must be at most \(limits.line) bytes long"))
        }
        guard bytes.count > Self.shortLine else { return client.didRead(ControlLine(bytes)) }
        let bytes = Array(bytes)
        worker.perform({ ControlLine(bytes) }) { line in
            client.didRead(line)
            if !client.isClosed { self.hasRequest(client) }
        }
    }

    private func flush() {
        let clients = unwritten
        unwritten.removeAll()
        for client in clients { client.flush() }
    }

    // MARK: Listening

    private func accept(_ descriptor: Int32) {
        let client = ControlSession(descriptor: descriptor, server: self, loop: loop, limits: limits)
        clients.append(client)
        subscribers.add(client)
        client.watch()
        let peer = try? PeerCredentials(of: descriptor)
        if let peer { client.peerName = "process \(peer.process)" }
        if peer?.mayCommand(user: geteuid(), group: socket.group) != true {
            let who = peer.map { "process \($0.process) of user \($0.user)" } ?? "an unknown process"
            logger.warning("\(path): refused a connection from \(who)", metadata: Self.metadata)
            client.refuse(
                ControlError(
                    .notPermitted, "permission denied; use root, touchd's user or a member of the socket's group"))
        } else if clients.count > limits.clients {
            client.refuse(
                ControlError(.tooManyClients, "\(limits.clients) programs are connected, which is the limit; close one")
            )
        }
    }

    private static let metadata = MessageID.controlRefused.metadata
}

/// Owns the listening socket: one that systemd passed, or one bound to a path, which is removed on deinitialization.
package final class ListeningSocket {
    /// The nonblocking socket.
    let descriptor: Int32
    /// The path it is bound to.
    let path: String
    /// The group whose members may send commands.
    let group: gid_t

    private let removesPath: Bool

    /// Takes the socket named `control` from those that systemd passed (sd_listen_fds(3)); returns nil if there is
    /// none.
    ///
    /// - Throws: If the passed descriptor is not a listening stream socket.
    static func passed() throws(SystemError) -> ListeningSocket? {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        // Removes the variables from the environment, so that handlers' programs do not inherit them.
        let count = sd_listen_fds_with_names(1, &names)
        guard count > 0, let names else { return nil }
        defer {
            for index in 0..<Int(count) { free(names[index]) }
            free(names)
        }
        var control: Int32?
        for index in 0..<Int(count) {
            let descriptor = SD_LISTEN_FDS_START + Int32(index)
            // A socket without `FileDescriptorName=` has its unit's name.
            let name = names[index].map { String(cString: $0) } ?? ""
            if control == nil, name == "control" || count == 1 { control = descriptor } else { close(descriptor) }
        }
        return try control.map { (descriptor) throws(SystemError) in try ListeningSocket(passed: descriptor) }
    }

    private init(passed descriptor: Int32) throws(SystemError) {
        guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
            close(descriptor)
            throw SystemError(call: "the socket passed by systemd is not a listening stream socket", errno: EINVAL)
        }
        self.descriptor = descriptor
        path = Self.path(of: descriptor)
        group = Self.group(of: path)
        removesPath = false
    }

    /// Binds a socket to a path with mode 0660. Replaces a socket that a terminated process left behind.
    ///
    /// - Throws: If another process listens there, if the path is another kind of file, or the kernel's error.
    package init(path: String) throws(ListeningSocketError) {
        let address = try LocalAddress(listeningAt: path)
        try LocalAddress.makeRoom(at: path)
        let descriptor = try LocalAddress.newSocket(for: path)
        do throws(ListeningSocketError) {
            // The mode must hold from the start: nobody may connect before it is set.
            let mask = umask(0o117)
            let failed = address.withSockaddr { bind(descriptor, $0, $1) } != 0
            let number = errno
            umask(mask)
            if failed { throw .refused(path: path, SystemError(call: "bind", errno: number)) }
            if listen(descriptor, 64) != 0 { throw .refused(path: path, SystemError(call: "listen", errno: errno)) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
        group = Self.group(of: path)
        removesPath = true
    }

    deinit {
        if removesPath { unlink(path) }
        close(descriptor)
    }

    private static func path(of descriptor: Int32) -> String {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let failed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard failed == 0 else { return "" }
        return withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func group(of path: String) -> gid_t {
        var information = stat()
        return lstat(path, &information) == 0 ? information.st_gid : getegid()
    }
}

/// Work that takes too long for the thread that delivers touches: one piece after the other, in order, on another thread.
///
/// Several threads would take the processors from the touches.
package final class Worker {
    /// A piece of work; it returns what is done afterwards on the main thread.
    package typealias Piece = @Sendable () -> @MainActor @Sendable () -> Void

    private let start: (@escaping Piece) -> Void
    private var waiting: Deque<Piece> = []
    private var isBusy = false

    /// Creates a worker whose threads report to a run loop.
    ///
    /// - Parameter subject: What it reads, for the log.
    convenience init(_ loop: EpollRunLoop, logger: Logger, reading subject: String = "a request") {
        let remote = loop.remote
        self.init { piece in
            do throws(SystemError) {
                try DetachedThread.run {
                    let finish = piece()
                    remote.perform(in: .common) { MainActor.assumeIsolated { finish() } }
                }
            } catch {
                logger.warning(
                    "\(subject) is read on the main thread, because no thread could be started: \(error)")
                piece()()
            }
        }
    }

    /// Creates a worker whose pieces something else performs, such as a test.
    package init(start: @escaping (@escaping Piece) -> Void) { self.start = start }

    /// Does work on another thread, and then calls a closure with its result on the main thread.
    func perform<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result, then finish: @escaping @MainActor @Sendable (Result) -> Void
    ) {
        waiting.append { [weak self] in
            let result = work()
            return {
                self?.isBusy = false
                finish(result)
                self?.next()
            }
        }
        next()
    }

    private func next() {
        guard !isBusy, let piece = waiting.popFirst() else { return }
        isBusy = true
        start(piece)
    }
}
