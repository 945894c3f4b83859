import ControlProtocol
import EventLoop
import Foundation

/// One program that is connected to the control socket.
///
/// It can cost touchd a request in each pass of the run loop and a bounded piece of memory, and no more: what it does not
/// read is dropped if it is an event, and keeps it from asking more if it is an answer.
package final class ControlSession {
    /// What it is told of.
    package var topics: ControlTopic = []
    /// Whether it is told of moves.
    package var wantsMoves = false
    /// Whether its connection is over.
    private(set) var isClosed = false

    private let descriptor: Int32
    private let loop: EpollRunLoop
    private let limits: ControlServer.Limits
    private unowned let server: ControlServer
    private var input = LineBuffer()
    private var output: StreamBuffer
    private var source: DescriptorSource?
    /// Whether there is nothing more to be read, and whether nothing more is read in any case.
    private var hasEnded = false, isLeaving = false
    private var isFlushNeeded = false
    /// The id of the request that is handled, and whether its answer comes later.
    private var requestID: JSONValue?
    private var isAnswerPending = false

    /// How many events were dropped for it.
    var droppedCount: Int { output.droppedInAll }

    /// Takes a connection over.
    init(descriptor: Int32, server: ControlServer, loop: EpollRunLoop, limits: ControlServer.Limits) {
        self.descriptor = descriptor
        self.server = server
        self.loop = loop
        self.limits = limits
        output = StreamBuffer(capacity: limits.output) { Array("{\"event\": \"dropped\", \"count\": \($0)}\n".utf8) }
    }

    /// Begins to listen to the client.
    func start() { watch() }

    /// Queues an event's line, which ends with a newline, or drops it if the client is too far behind.
    func send(event line: [UInt8]) {
        output.append(line)
        setNeedsFlush()
    }

    /// Queues an answer's line; answers are bounded by the requests that are read.
    func send(answer line: [UInt8]) {
        output.appendAlways(line)
        setNeedsFlush()
    }

    /// Sends what is queued, and then ends the connection.
    func leave() {
        isLeaving = true
        topics = []
        setNeedsFlush()
    }

    /// Ends the connection now.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        source?.invalidate()
        source = nil
        // A program that is being started has a copy of it, until its own begins.
        shutdown(descriptor, Int32(SHUT_RDWR))
        Foundation.close(descriptor)
        server.closed(self)
    }

    /// Has the request that is handled answered later; the client's next one waits until then.
    ///
    /// - Returns: To be called once, on the main thread, with the answer.
    package func answerLater() -> (Result<JSONValue, ControlError>) -> Void {
        isAnswerPending = true
        return { [weak self, requestID] result in
            guard let self, !isClosed else { return }
            isAnswerPending = false
            server.answer(self, id: requestID, result)
            if input.hasLine { server.hasLine(self) }
            watch()
        }
    }

    /// Handles a request, and answers it unless that is done later.
    func handle(_ id: JSONValue?, _ body: () throws(ControlError) -> JSONValue) {
        requestID = id
        let result: Result<JSONValue, ControlError>
        do throws(ControlError) { result = .success(try body()) } catch { result = .failure(error) }
        if !isAnswerPending, !isClosed { server.answer(self, id: id, result) }
    }

    /// Takes the first line that the client has sent whole; answers whether there is another.
    func takeLine(_ handle: (ArraySlice<UInt8>) -> Void) -> Bool {
        guard !isClosed, !isLeaving, isListening, let line = input.takeLine() else { return false }
        handle(line)
        return !isClosed && !isLeaving && input.hasLine
    }

    /// Writes what is queued, as far as the client takes it.
    func flush() {
        isFlushNeeded = false
        guard !isClosed else { return }
        let wasListening = isListening
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
        if !wasListening, isListening, input.hasLine { server.hasLine(self) }
        watch()
    }

    /// Whether requests are taken: not while the client leaves answers unread.
    private var isListening: Bool { output.count < limits.output && !isAnswerPending }

    /// Whether nothing is to be expected from the client any more, nor anything to be told it.
    private var isOver: Bool { isLeaving || hasEnded && topics.isEmpty && !input.hasLine && !isAnswerPending }

    private func setNeedsFlush() {
        guard !isFlushNeeded, !isClosed else { return }
        isFlushNeeded = true
        server.needsFlush(self)
    }

    /// Waits for what there is to wait for: epoll's set is changed only when that changes.
    private func watch() {
        var events: DescriptorSource.Events = []
        if !hasEnded, !isLeaving, isListening, !input.hasLine { events.insert(.read) }
        if !output.isEmpty { events.insert(.write) }
        guard source?.events != events else { return }
        source?.invalidate()
        // Touches come first: their sources have priority 0.
        let source = DescriptorSource(
            name: "control client", descriptor: descriptor, events: events, priority: 1
        ) { [weak self] events in self?.ready(events) }
        loop.add(source)
        self.source = source
    }

    private func ready(_ events: DescriptorSource.Events) {
        if events.contains(.read) { read() }
        if !isClosed, events.contains(.write) { flush() }
        // Nobody is there to be told anything.
        if !isClosed, !events.isDisjoint(with: [.hangUp, .error]), !events.contains(.read) { close() }
    }

    private func read() {
        switch input.fill(from: descriptor) {
        case .nothing: break
        case .some: break
        case .end: hasEnded = true
        case .failed: return close()
        }
        if input.count > limits.line, !input.hasLine {
            return server.refuse(
                self, ControlError(.lineTooLong, "a line may have \(limits.line) bytes, and this one has more"))
        }
        if input.hasLine { server.hasLine(self) } else if isOver { setNeedsFlush() }
        watch()
    }
}
