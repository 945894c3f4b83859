import CLinux
import ControlProtocol
import DequeModule
import Evdev
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
    package struct Limits {
        package var clients: Int
        /// The maximum length of a request line, in bytes.
        package var line: Int
        /// The maximum size of a client's unread output, in bytes.
        package var output: Int

        /// The defaults are those of docs/control-protocol.md.
        package init(clients: Int = 64, line: Int = 1024 * 1024, output: Int = Subscribers.backlogLimit) {
            (self.clients, self.line, self.output) = (clients, line, output)
        }
    }

    /// Performs a client's request and returns its result in JSON; nil if `answerLater` gives the answer.
    package typealias Perform = (ControlRequest, ControlSession) throws(ControlError) -> [UInt8]?

    /// How many clients were refused or disconnected because of an error.
    fileprivate(set) var refusedCount = 0
    /// How many events were dropped for clients that have disconnected.
    private var droppedBefore = 0

    private let socket: ListeningSocket
    private let subscribers: Subscribers
    fileprivate let loop: EpollRunLoop
    fileprivate let limits: Limits
    private let logger: Logger
    fileprivate let perform: Perform
    /// Reads long lines.
    fileprivate let worker: Worker
    /// Whether a request is performed although the one before it is not answered yet, because it replaces that one.
    var replaces: (ControlRequest, ControlSession) -> Bool = { _, _ in false }
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
    var subscriberCount: Int { clients.count { !$0.subscriber.topics.isEmpty } }
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

    fileprivate func hasRequest(_ client: ControlSession) {
        if !asking.contains(where: { $0 === client }) { asking.append(client) }
        requests.signal()
    }

    fileprivate func needsFlush(_ client: ControlSession) {
        unwritten.append(client)
        writes.signal()
    }

    fileprivate func closed(_ client: ControlSession) {
        droppedBefore += client.droppedCount
        clients.removeAll { $0 === client }
        subscribers.remove(client.subscriber)
        asking.removeAll { $0 === client }
        didEnd(client)
        acceptor?.connectionEnded()
    }

    private func performRequest() {
        guard !holdsRequests, let client = asking.popFirst() else { return }
        if client.takeRequest() { hasRequest(client) }
        if !asking.isEmpty { requests.signal() }
    }

    private func flush() {
        let clients = unwritten
        unwritten.removeAll()
        for client in clients { client.flush() }
    }

    // MARK: Listening

    private func accept(_ descriptor: Int32) {
        let client = ControlSession(descriptor, server: self)
        clients.append(client)
        subscribers.add(client.subscriber)
        client.watch()
        if client.isClosed { return }
        let peer = try? PeerCredentials(of: descriptor)
        if let peer { client.peerName = "process \(peer.process)" }
        if peer?.mayCommand(user: geteuid(), group: socket.group) != true {
            let who = peer.map { "process \($0.process) of user \($0.user)" } ?? "an unknown process"
            logger.warning("\(socket.path): refused a connection from \(who)", metadata: Self.metadata)
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

/// The server's end of one client's connection to the control socket.
///
/// A client costs at most one request in each pass of the run loop and a bounded amount of memory. If it does not read
/// its output, further events are dropped, and its requests are not read until it catches up.
package final class ControlSession {
    /// The events that it receives.
    package private(set) lazy var subscriber = Subscriber(self) { [unowned self] in send(event: $0) }
    /// The name of its process, for a publisher that gives none.
    var peerName = "a program"
    /// The touchscreen of its self-test.
    var rehearsal: RehearsedDevice?
    private(set) var isClosed = false

    /// The maximum number of bytes that are read at once.
    private static let piece = 16 * 1024

    private let descriptor: Int32
    private unowned let server: ControlServer
    private var input = LineBuffer()
    private var output: StreamBuffer
    private var source: DescriptorSource?
    /// Whether the client has closed its end, and whether the server will close the connection.
    private var hasEnded = false, isClosing = false
    private var isFlushNeeded = false
    /// The id of the current request, and whether its answer is sent later.
    private var requestID: [UInt8]?
    private var isAnswerPending = false
    /// Whether a line is being read on another thread.
    private var isReadingLine = false
    /// The next request, which may wait for the answer to the current one.
    private var next: ControlLine?

    var droppedCount: Int { output.droppedInAll }

    /// Creates a session and takes ownership of the descriptor.
    fileprivate init(_ descriptor: Int32, server: ControlServer) {
        self.descriptor = descriptor
        self.server = server
        output = StreamBuffer(capacity: server.limits.output) { DroppedRecord(count: $0).line }
    }

    /// Queues an event's line, which ends with a newline, or drops it if the client is too far behind.
    func send(event line: [UInt8]) {
        output.append(line)
        setNeedsFlush()
    }

    private func answer(_ id: [UInt8]?, _ result: Result<[UInt8], ControlError>) {
        switch result {
        case .success(let value): send("result", value, id)
        case .failure(let error) where error.endsConnection: refuse(error, id: id)
        case .failure(let error): send("error", error.jsonLine, id)
        }
    }

    /// Queues an answer; answers are bounded by the requests that are read.
    private func send(_ key: StaticString, _ json: [UInt8], _ id: [UInt8]?) {
        let answer = JSONWriter.object { answer in
            if let id {
                answer.name("id")
                answer.write(json: id)
            }
            answer.name(key)
            answer.write(json: json)
        }
        output.appendAlways(answer)
        output.appendAlways([UInt8(ascii: "\n")])
        setNeedsFlush()
    }

    /// Sends an error, and closes the connection when it is sent.
    fileprivate func refuse(_ error: ControlError, id: [UInt8]? = nil) {
        server.refusedCount += 1
        send("error", error.jsonLine, id)
        isClosing = true
        subscriber.topics = []
    }

    /// Closes the touchscreen of its self-test.
    func endRehearsal() {
        rehearsal?.close()
        rehearsal = nil
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        endRehearsal()
        source?.invalidate()
        source = nil
        // A child process holds a copy of the descriptor between fork and exec, and another thread closes this one: either
        // could keep the connection open.
        shutdown(descriptor, Int32(SHUT_RDWR))
        DetachedClose.close([descriptor])
        server.closed(self)
    }

    /// Defers the answer to the current request. The client's next request waits until then, unless it replaces this one.
    ///
    /// - Returns: A closure to call once with the answer, on the main thread.
    package func answerLater() -> (Result<[UInt8], ControlError>) -> Void {
        isAnswerPending = true
        return { [weak self, requestID] result in
            guard let self, !isClosed else { return }
            isAnswerPending = false
            answer(requestID, result)
            if hasRequest { server.hasRequest(self) }
            watch()
        }
    }

    /// Performs a request and answers it, unless its answer is deferred.
    private func perform(_ line: ControlLine) {
        requestID = line.id
        let result: Result<[UInt8], ControlError>
        do throws(ControlError) {
            guard let value = try server.perform(line.request.get(), self) else { return }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        if !isClosed { answer(line.id, result) }
    }

    /// Reads the next line, and performs its request unless that is still being read or has to wait.
    ///
    /// - Returns: Whether there is another.
    fileprivate func takeRequest() -> Bool {
        guard !isClosed, !isClosing else { return false }
        if isListening, let line = input.nextLine() { read(line) }
        if let line = next, !isAnswerPending || (try? line.request.get()).map({ server.replaces($0, self) }) == true {
            next = nil
            perform(line)
        }
        if !isClosed { watch() }
        return hasRequest
    }

    /// Reads a line, a long one on another thread.
    private func read(_ bytes: ArraySlice<UInt8>) {
        if bytes.count > server.limits.line { return next = tooLongLine }
        guard bytes.count > ControlServer.shortLine else { return next = ControlLine(bytes) }
        isReadingLine = true
        let bytes = Array(bytes)
        server.worker.perform({ ControlLine(bytes) }) { [self] line in
            isReadingLine = false
            next = line
            if !isClosed { server.hasRequest(self) }
        }
    }

    /// Refused in its turn, after the answers to the requests before it.
    private var tooLongLine: ControlLine {
        ControlLine(refused: ControlError(.lineTooLong, "a line must be at most \(server.limits.line) bytes long"))
    }

    /// Whether `takeRequest()` can do something now.
    var hasRequest: Bool {
        !isClosed && !isClosing && (next == nil ? isListening && input.hasLine : !isAnswerPending)
    }

    /// Writes queued output, as far as the client accepts it.
    fileprivate func flush() {
        isFlushNeeded = false
        guard !isClosed else { return }
        var failed = false
        output.drain { [descriptor] bytes in
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            var written = Foundation.send(descriptor, bytes.baseAddress, bytes.count, flags)
            while written < 0, errno == EINTR {
                written = Foundation.send(descriptor, bytes.baseAddress, bytes.count, flags)
            }
            if written < 0, errno != EAGAIN { failed = true }
            return max(written, 0)
        }
        if failed || output.isEmpty && isOver { return close() }
        if hasRequest { server.hasRequest(self) }
        watch()
    }

    /// Whether lines are read: not while the unread output exceeds the limit or a request waits.
    private var isListening: Bool { output.count < server.limits.output && !isReadingLine && next == nil }

    /// Whether neither requests from the client nor events for it are expected any more.
    private var isOver: Bool {
        isClosing
            || hasEnded && subscriber.topics.isEmpty && !input.hasLine && !isAnswerPending && !isReadingLine
                && next == nil
    }

    private func setNeedsFlush() {
        guard !isFlushNeeded, !isClosed else { return }
        isFlushNeeded = true
        server.needsFlush(self)
    }

    /// Watches for the events that are needed now; changes epoll's set only when they change.
    fileprivate func watch() {
        var events: DescriptorSource.Events = []
        if !hasEnded, !isClosing, isListening, !input.hasLine { events.insert(.read) }
        if !output.isEmpty { events.insert(.write) }
        guard source?.events != events else { return }
        source?.invalidate()
        // Touches come first: their sources have priority 0.
        source = try? server.loop.add(
            DescriptorSource(name: "control client", descriptor: descriptor, events: events, priority: 1) {
                [weak self] events in self?.ready(events)
            })
        if source == nil { close() }
    }

    private func ready(_ events: DescriptorSource.Events) {
        if events.contains(.read) { read() }
        if !isClosed, events.contains(.write) { flush() }
        // The client has disconnected.
        if !isClosed, !events.isDisjoint(with: [.hangUp, .error]), !events.contains(.read) { close() }
    }

    private func read() {
        let count = input.fill(Self.piece) { piece in
            piece.baseAddress.map { receive_bytes(descriptor, $0, piece.count) } ?? 0
        }
        // EBADMSG: a descriptor was passed, which no request asks for.
        if count < 0, errno != EAGAIN, errno != EINTR { return close() }
        if count == 0 {
            hasEnded = true
            input.finish()
        }
        if input.count > server.limits.line, !input.hasLine, next == nil { next = tooLongLine }
        if hasRequest { server.hasRequest(self) } else if isOver { setNeedsFlush() }
        watch()
    }
}
