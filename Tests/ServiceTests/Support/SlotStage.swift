import EventLoop
import Evdev
import Foundation
import Logging
import TouchKit

@testable import ControlProtocol
@testable import Handlers
@testable import Layout
@testable import Service

/// A layout with a control socket, as in the daemon, and a finger.
final class SlotStage {
    let loop: EpollRunLoop
    let application = Application()
    let host: ControlHost
    let layout: LayoutHost
    let input: InputSource
    let observers: TouchObservers
    let listeners: Listeners
    /// Reads what `settle()` or a test lets it read.
    let worker: HeldWorker
    let counts: Counts
    let runner: HandlerRunner
    let socketPath = FileManager.default.temporaryDirectory
        .appending(path: "touchd-\(UUID().uuidString.prefix(8)).control").path
    /// Reads the layout's files at reloads, as `worker` does.
    let reader = HeldWorker()
    let file: String
    private let ownsFile: Bool
    private var clock: Int64 = 1_000_000

    /// - Parameters:
    ///   - isLive: Whether devices' times are on the clock of this machine.
    ///   - handlers: The program's own handlers.
    convenience init(
        _ text: String, isLive: Bool = true, handlers: HandlerRegistry = HandlerRegistry(), logger: Logger? = nil
    ) throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "touchd-\(UUID().uuidString.prefix(8)).yaml").path
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        chmod(file, 0o600)
        try self.init(layoutAt: file, ownsFile: true, isLive: isLive, handlers: handlers, logger: logger)
    }

    /// - Parameter state: The folder of the last good layout.
    init(
        layoutAt file: String, ownsFile: Bool = false, state: String? = nil, isLive: Bool = true,
        handlers: HandlerRegistry = HandlerRegistry(), logger: Logger? = nil
    ) throws {
        (self.file, self.ownsFile) = (file, ownsFile)
        loop = try EpollRunLoop()
        var options = DaemonOptions(layout: file)
        options.control = .path(socketPath)
        options.stateDirectory = state
        if !isLive { options.source = .recording(path: "", description: nil, speed: .maximum) }
        let logger = logger ?? Logger(label: "test") { _ in ControlLog() }
        let context = DaemonContext(options, application: application, loop: loop, logger: logger, handlers: handlers)
        (counts, runner) = (context.counts, context.runner)
        listeners = Listeners(context)
        input = InputSource(context, listeners: listeners)
        let reporter = EventReporter(context, listeners: listeners)
        observers = TouchObservers(context, forwarder: input.forwarder, reporter: reporter)
        layout = LayoutHost(
            context, input: input, observers: observers, reporter: reporter, reader: reader.worker, pause: .zero)
        let worker = HeldWorker()
        self.worker = worker
        host = ControlHost(
            context, input: input, observers: observers, subscribers: listeners.subscribers, layout: layout,
            worker: worker.worker, report: { fatalError("no state here") })
        layout.didLoad = { [host] _ in host.slots.publishAgain() }
        observers.start()
        try host.start()
        _ = listeners.start(hasClients: true)
        try layout.show(layoutAt: file)
    }

    isolated deinit {
        host.close()
        if ownsFile { unlink(file) }
    }

    /// Replaces the layout.
    func reload(_ text: String) throws {
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        chmod(file, 0o600)
        try layout.show(layoutAt: file)
    }

    /// Makes passes of the loop until it is idle and nothing is left to read.
    func settle() { repeat { while pass() {} } while worker.performNext() || reader.performNext() }

    /// Makes one pass of the loop; returns whether it did something.
    @discardableResult func pass() -> Bool {
        loop.run(until: .now, returnAfterSourceHandled: true) == .handledSource
    }

    func connect() -> RawClient {
        let client = RawClient(path: socketPath)
        settle()
        return client
    }

    /// Sends a request and returns the lines that have arrived since.
    func send(_ line: String, to client: RawClient) -> [String] {
        client.write(line: line)
        settle()
        return client.lines()
    }

    func finger(
        _ phase: Contact.Phase, _ x: Double, _ y: Double, id: UInt32 = 1, after milliseconds: Int64 = 10,
        settles: Bool = true
    ) {
        let size = layout.scene?.windows[0].bounds.size ?? .zero
        clock += 1000 * milliseconds
        application.enqueue(
            InputFrame(
                device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: clock),
                contacts: [Contact(id: id, phase: phase, position: SurfacePoint(x: x / size.width, y: y / size.height))]
            ))
        application.drainEvents()
        if settles { settle() }
    }
}

/// A worker whose pieces a test performs, on the main thread.
final class HeldWorker {
    private var pieces: [Worker.Piece] = []
    private(set) lazy var worker = Worker { [unowned self] in pieces.append($0) }

    /// Performs the next piece; returns whether there was one.
    func performNext() -> Bool { performNext {} }

    /// - Parameter afterwards: Called between the work and the report of it.
    func performNext(_ afterwards: () throws -> Void) rethrows -> Bool {
        guard !pieces.isEmpty else { return false }
        let finish = pieces.removeFirst()()
        try afterwards()
        finish()
        return true
    }
}

/// A line of the protocol.
nonisolated struct ProtocolLine {
    let members: [String: JSONTree]

    init(_ line: String) {
        guard let members = (try? JSONTree(line.utf8))?.members else { preconditionFailure("not an object: \(line)") }
        self.members = members
    }

    /// A text, number or boolean.
    subscript(key: String) -> String? {
        guard let value = members[key], value.items == nil, value.members == nil else { return nil }
        return value.string ?? String(decoding: value.json, as: UTF8.self)
    }

    /// `EVENT WHAT VIEW`.
    var brief: String {
        let what = self["phase"] ?? self["trigger"] ?? self["control"] ?? self["change"] ?? ""
        return [self["event"] ?? "-", what, self["view"] ?? self["slot"] ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

extension RawClient {
    /// The lines that have arrived, in brief.
    func briefs() -> [String] { lines().map { ProtocolLine($0).brief } }
}
