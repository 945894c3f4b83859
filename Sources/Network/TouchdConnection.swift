import ControlProtocol
import DequeModule
import EventLoop
import Glibc

/// A connection of touchd: its orders, and the reports to it.
final class TouchdConnection {
    /// The purpose of the connection, by its first packet.
    enum Role { case unknown, probe, session(TouchdSession) }

    /// How many reports may wait for touchd to read: more than it has messages, twice.
    private static let backlogLimit = 4096

    let socket: PacketSocket
    var role = Role.unknown
    var lastNumber = Int.min
    var didBecomeReadable: () -> Void = {}
    /// Called when all reports are sent that had to wait.
    var didFlush: () -> Void = {}

    private let loop: EpollRunLoop
    private var source: DescriptorSource?
    private var isReading = true
    private var backlog: Deque<(packet: [UInt8], descriptor: Int32)> = []
    private var doneNumbers: [Int] = []

    /// Takes ownership of a connected socket.
    init(_ descriptor: Int32, loop: EpollRunLoop) {
        socket = PacketSocket(descriptor)
        self.loop = loop
    }

    isolated deinit { close() }

    /// Whether reports wait because touchd does not read.
    var hasBacklog: Bool { !backlog.isEmpty }
    var isOpen: Bool { source != nil }

    /// Reads no more orders.
    func stopReading() {
        isReading = false
        if isOpen { watch() }
    }

    /// Forgets the connection; the socket is closed when no request's thread uses it any more.
    func close() {
        reportDoneNumbers()
        source?.invalidate()
        source = nil
        for (_, descriptor) in backlog where descriptor >= 0 { Glibc.close(descriptor) }
        backlog = []
    }

    /// Sends a report, and a descriptor, which it closes.
    ///
    /// Messages that have arrived are reported together after this pass: touchd reads few reports in a pass.
    func send(_ report: NetworkReport, descriptor: Int32 = -1) {
        guard case .done(let numbers) = report else { return append(report, descriptor) }
        if doneNumbers.isEmpty { loop.perform(in: .common) { [weak self] in self?.reportDoneNumbers() } }
        doneNumbers += numbers
    }

    private func reportDoneNumbers() {
        if !doneNumbers.isEmpty { append(.done(doneNumbers)) }
        doneNumbers = []
    }

    private func append(_ report: NetworkReport, _ descriptor: Int32 = -1) {
        backlog.append((report.jsonLine, descriptor))
        if backlog.count == 1 { flush() }
    }

    private func flush() {
        while let (packet, descriptor) = backlog.first {
            do {
                try socket.send(packet, descriptor: descriptor)
            } catch  where [EAGAIN, ENOBUFS, ENOMEM].contains(error.errno) {
                if backlog.count > Self.backlogLimit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }
                if isOpen { watch(writing: true) }
                return
            } catch {
                // touchd is gone, and its last orders are still to be read.
            }
            if descriptor >= 0 { Glibc.close(descriptor) }
            backlog.removeFirst()
        }
    }

    /// Starts to receive, or waits for other events.
    func watch(writing: Bool = false) {
        source?.invalidate()
        var events: DescriptorSource.Events = []
        if isReading { events.insert(.read) }
        if writing { events.insert(.write) }
        let source = DescriptorSource(name: "touchd", descriptor: socket.descriptor, events: events) {
            [weak self] ready in
            guard let self else { return }
            if ready.contains(.write) {
                flush()
                if !hasBacklog {
                    watch()
                    didFlush()
                }
            }
            if !ready.isDisjoint(with: [.read, .hangUp, .error]) { didBecomeReadable() }
        }
        self.source = source
        do {
            try loop.add(source)
        } catch {
            // touchd connects again; here, the next read finds the end.
            shutdown(socket.descriptor, Int32(SHUT_RDWR))
            loop.perform(in: .common) { [weak self] in self?.didBecomeReadable() }
        }
    }
}
