import CLinux
import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Outputs

/// The server's end of one client's connection to the control socket.
///
/// A client costs at most one request in each pass of the run loop and a bounded amount of memory. If it does not read
/// its output, further events are dropped, and its requests are not read until it catches up.
package final class ControlSession: Subscriber {
    /// The topics it is subscribed to.
    package var topics: ControlTopic = []
    /// Whether it receives moves.
    package var wantsMoves = false
    /// Whether touches, gestures and controls are reported only for views that it has published.
    package var wantsOwnViews = false
    /// The name of its process, for a publisher that gives none.
    var peerName = "a program"
    /// The touchscreen of its self-test.
    var rehearsal: RehearsedDevice?
    /// Whether the connection is closed.
    private(set) var isClosed = false

    /// The maximum number of bytes that are read at once.
    private static let piece = 16 * 1024

    private let descriptor: Int32
    private let loop: EpollRunLoop
    private let limits: ControlServer.Limits
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

    /// How many events were dropped for this client.
    var droppedCount: Int { output.droppedInAll }

    /// Creates a session and takes ownership of the descriptor.
    init(descriptor: Int32, server: ControlServer, loop: EpollRunLoop, limits: ControlServer.Limits) {
        self.descriptor = descriptor
        self.server = server
        self.loop = loop
        self.limits = limits
        output = StreamBuffer(capacity: limits.output) { DroppedRecord(count: $0).line }
    }

    /// Queues an event's line, which ends with a newline, or drops it if the client is too far behind.
    package func send(event line: [UInt8]) {
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
    func refuse(_ error: ControlError, id: [UInt8]? = nil) {
        server.refusedCount += 1
        send("error", error.jsonLine, id)
        isClosing = true
        topics = []
    }

    /// Closes the touchscreen of its self-test.
    func endRehearsal() {
        rehearsal?.close()
        rehearsal = nil
    }

    /// Closes the connection immediately.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        endRehearsal()
        source?.invalidate()
        source = nil
        // A child process holds a copy of the descriptor between fork and exec, so close(2) alone would keep the
        // connection open.
        shutdown(descriptor, Int32(SHUT_RDWR))
        Foundation.close(descriptor)
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
    func takeRequest() -> Bool {
        guard !isClosed, !isClosing else { return false }
        if isListening, let line = input.nextLine() {
            isReadingLine = true
            server.read(line, of: self)
        }
        if let line = next, !isAnswerPending || (try? line.request.get()).map({ server.replaces($0, self) }) == true {
            next = nil
            perform(line)
        }
        if !isClosed { watch() }
        return hasRequest
    }

    /// Receives the request of a line that was read.
    func didRead(_ line: ControlLine) {
        isReadingLine = false
        next = line
    }

    /// Whether `takeRequest()` can do something now.
    var hasRequest: Bool {
        !isClosed && !isClosing && (next == nil ? isListening && input.hasLine : !isAnswerPending)
    }

    /// Writes queued output, as far as the client accepts it.
    func flush() {
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
    private var isListening: Bool { output.count < limits.output && !isReadingLine && next == nil }

    /// Whether neither requests from the client nor events for it are expected any more.
    private var isOver: Bool {
        isClosing || hasEnded && topics.isEmpty && !input.hasLine && !isAnswerPending && !isReadingLine && next == nil
    }

    private func setNeedsFlush() {
        guard !isFlushNeeded, !isClosed else { return }
        isFlushNeeded = true
        server.needsFlush(self)
    }

    /// Watches for the events that are needed now; changes epoll's set only when they change.
    func watch() {
        var events: DescriptorSource.Events = []
        if !hasEnded, !isClosing, isListening, !input.hasLine { events.insert(.read) }
        if !output.isEmpty { events.insert(.write) }
        guard source?.events != events else { return }
        source?.invalidate()
        // Touches come first: their sources have priority 0.
        source = loop.add(
            DescriptorSource(name: "control client", descriptor: descriptor, events: events, priority: 1) {
                [weak self] events in self?.ready(events)
            })
    }

    private func ready(_ events: DescriptorSource.Events) {
        if events.contains(.read) { read() }
        if !isClosed, events.contains(.write) { flush() }
        // The client has disconnected.
        if !isClosed, !events.isDisjoint(with: [.hangUp, .error]), !events.contains(.read) { close() }
    }

    private func read() {
        let count = input.fill(Self.piece) { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0, errno != EAGAIN, errno != EINTR { return close() }
        if count == 0 {
            hasEnded = true
            input.finish()
        }
        if input.count > limits.line, !input.hasLine {
            return refuse(ControlError(.lineTooLong, "a line must be at most \(limits.line) bytes long"))
        }
        if hasRequest { server.hasRequest(self) } else if isOver { setNeedsFlush() }
        watch()
    }
}

/// The credentials of a local socket's peer, as the kernel recorded them at connect time (unix(7), `SO_PEERCRED`).
nonisolated struct PeerCredentials: Equatable {
    /// The peer's process, user and group.
    var process: pid_t
    var user: uid_t
    var group: gid_t
    /// The peer's supplementary groups (`SO_PEERGROUPS`, Linux 4.13).
    var groups: [gid_t]

    init(process: pid_t, user: uid_t, group: gid_t, groups: [gid_t] = []) {
        self.process = process
        self.user = user
        self.group = group
        self.groups = groups
    }

    /// Reads the credentials of a connected socket's peer.
    init(of descriptor: Int32) throws(SystemError) {
        var credentials = peer_credentials()
        var length = socklen_t(MemoryLayout<peer_credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            throw SystemError(call: "getsockopt(SO_PEERCRED)", errno: errno)
        }
        self.init(process: credentials.pid, user: credentials.uid, group: credentials.gid)
        // A process can be in 65,536 groups (NGROUPS_MAX). More than 256 are rare; then only the primary group counts.
        var others = [gid_t](repeating: 0, count: 256)
        length = socklen_t(others.count * MemoryLayout<gid_t>.stride)
        if getsockopt(descriptor, SOL_SOCKET, Self.peerGroups, &others, &length) == 0 {
            groups = Array(others.prefix(Int(length) / MemoryLayout<gid_t>.stride))
        }
    }

    /// Whether the peer may send commands: root, the service's user and members of the socket's group may.
    func mayCommand(user owner: uid_t, group members: gid_t) -> Bool {
        user == 0 || user == owner || group == members || groups.contains(members)
    }

    // SO_PEERGROUPS; glibc 2.36 defines it in a kernel header that Swift does not import.
    private static let peerGroups: Int32 = 59
}
