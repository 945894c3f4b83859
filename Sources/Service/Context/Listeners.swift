import Basics
import ControlProtocol
import EventLoop
import Foundation
import Logging
import Outputs

/// Who learns what happened, in order: the journal or standard output, then the clients of the control socket.
package final class Listeners {
    /// The clients of the control socket that get events.
    package let subscribers = Subscribers()
    /// Called when standard output has ended, with the error if one ended it.
    var didEnd: ((any Error)?) -> Void = { _ in }
    /// Called for a recording when the reader of standard output falls behind and when it has caught up.
    var pausesPlayer: (Bool) -> Void = { _ in }

    private let context: DaemonContext
    private let journal: JournalSender?
    private let touchJournal: TouchJournal?
    private var standardOutput: StandardStream?
    private var list: [any TouchListener] = []

    /// - Parameter journal: Sends entries to the journal; nil if this run does not log to the journal.
    package init(_ context: DaemonContext, journal: JournalSender? = nil) {
        (self.context, self.journal) = (context, journal)
        touchJournal = journal.map { TouchJournal($0) }
        // A layout's `journal:` replaces this.
        touchJournal?.follow(hasTouches: true, movesPerSecond: context.options.movesPerSecond ?? 0)
    }

    /// Starts to report. Returns the observer that flushes the output before the loop sleeps, if any.
    ///
    /// - Parameter hasClients: Whether there is a control socket. Otherwise the messages of handlers are logged unless
    ///   standard output has them, as when a layout is tried with the journal as output.
    package func start(hasClients: Bool) -> RunLoopObserver? {
        standardOutput = makeStandardOutput()
        let moves = MoveSampler(perSecond: context.options.movesPerSecond ?? 0)
        let stream = standardOutput.map { StreamListener($0, moves: context.options.output == .json ? nil : moves) }
        let log = stream == nil && !hasClients ? MessageLog(context.logger) : nil
        // The journal comes before the clients: one that reacts finds the entry.
        let listeners: [(any TouchListener)?] = [touchJournal, stream, subscribers, log]
        list = listeners.compactMap(\.self)
        return standardOutput?.flushFromLoop()
    }

    private func makeStandardOutput() -> StandardStream? {
        let options = context.options
        guard options.output == .text || options.output == .json else { return nil }
        return StandardStream(
            descriptor: STDOUT_FILENO, loop: context.loop,
            notice: options.output == .json
                ? { DroppedRecord(count: $0).text }
                : { "(\($0) lines are missing here: the reader was too slow, or a write failed)" },
            onBacklog: options.source.isLive ? nil : { [unowned self] in pausesPlayer($0) },
            onOutage: { [logger = context.logger] error in
                logger.error("\(error); touches are delivered, and their lines are dropped until a write succeeds")
            },
            onEnd: { [unowned self] error in didEnd(error) })
    }

    /// Adds one after the others.
    func add(_ listener: any TouchListener) { list.append(listener) }

    /// Applies a layout's `journal:`; the options' moves count more. Call it while no touch is down.
    func follow(hasTouches: Bool, movesPerSecond: Int) {
        touchJournal?.follow(
            hasTouches: hasTouches, movesPerSecond: context.options.movesPerSecond ?? movesPerSecond)
    }

    /// Notifies all listeners that want it; it is described once, and not at all if none does.
    func notify(_ header: EventHeader, _ describe: () -> OutputEvent) {
        for index in list.indices where list[index].wants(header) {
            return notify(describe(), list[index], then: list[(index + 1)...])
        }
    }

    private func notify(_ event: OutputEvent, _ first: any TouchListener, then others: ArraySlice<any TouchListener>) {
        first.note(event)
        for listener in others where listener.wants(event.header) { listener.note(event) }
    }

    /// The number of lines and entries that were dropped, because their reader was too slow or a write failed.
    var droppedCount: Int { (journal?.droppedCount ?? 0) + (standardOutput?.droppedCount ?? 0) }

    /// The number of entries that journald has not accepted yet.
    var waitingCount: Int { journal?.waitingCount ?? 0 }

    /// Calls `body` once standard output is written.
    func whenWritten(_ body: @escaping () -> Void) {
        if let standardOutput { standardOutput.whenWritten(body) } else { body() }
    }

    /// Writes the remaining output. Entries that the reader does not accept are lost; their number is reported.
    func finish() {
        standardOutput?.finish()
        if let lost = journal?.finish(), lost > 0 {
            StandardError.write(line: "touchd: \(lost) journal entries are lost, because journald did not accept them")
        }
    }
}

/// Logs the messages that handlers publish.
private final class MessageLog: TouchListener {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    func wants(_ header: EventHeader) -> Bool { header.kind == .published }

    func note(_ event: OutputEvent) {
        if case .published(let record) = event.content {
            logger.notice("published to \(record.topic): \(record.message)")
        }
    }
}
