import ControlProtocol
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import TouchKit

/// Writes, publishes and counts each delivered touch.
extension EventPath {
    /// Starts to write and count touches. Returns the observer that flushes the output before the loop sleeps, if any.
    package func observeDeliveries() -> RunLoopObserver? {
        let output = makeOutput()
        self.output = output
        application.didDeliver = { [unowned self] delivery in
            let phase = delivery.phase
            if phase == .stationary { return }
            metrics.count(phase)
            if phase == .began {
                lastTouch = Date()
                statusChanged()
            }
            inspection?.note(delivery)
            tuio?.note(delivery)
            if let history { updatePrivacy(delivery, for: history) }
            let touch = delivery.touch
            let isMove = phase == .moved
            let isWritten = output?.accepts(phase, of: touch.id, at: touch.timestamp) ?? false
            let isReported = subscribers?.hasSubscribers(to: .touches, isMove: isMove) ?? false
            guard isWritten || isReported else { return }
            let place = touch.view ?? touch.window
            let facts = TouchFacts(
                touch, phase: phase, deviceName: deviceNames[touch.device], page: scene?.page(of: place),
                screen: scene?.screenName(of: place))
            if isWritten { output?.write(facts, handlers: delivery.handlerNames) }
            if isReported {
                subscribers?.publish(.touches, isMove: isMove, publisher: publisher(of: touch.view)) {
                    TouchRecord(facts, handlers: delivery.handlerNames)
                }
            }
        }
        guard options.output == .text || options.output == .json else { return nil }
        return standardOutput.flushFromLoop()
    }

    private func makeOutput() -> (any TouchOutput)? {
        switch options.output {
        case .text: return StreamOutput(standardOutput, moves: MoveSampler(perSecond: options.movesPerSecond ?? 0))
        case .json: return StreamOutput(standardOutput, moves: nil)
        case .journal:
            journalOutput = journal.map { JournalOutput($0) }
            journalOutput?.follow(JournalSpec(), movesPerSecond: options.movesPerSecond)
            return journalOutput
        case nil: return nil
        }
    }

    /// Writes the remaining output. Entries that the reader does not accept are lost; their number is reported.
    func finishOutput() {
        tuio?.finish()
        if options.output == .text || options.output == .json { standardOutput.finish() }
        if let lost = journal?.finish(), lost > 0 {
            StandardError.write(line: "touchd: \(lost) journal entries are lost, because journald did not accept them")
        }
    }

    /// Records the start of a handler.
    func begins(_ occasion: Occasion) {
        if case .touch(let touch, _) = occasion.cause { metrics.handlerBegins(for: touch.timestamp) }
    }

    /// Starts to count and time handler runs.
    func measureHandlers() {
        runner.didRun = { [metrics] name, duration, failure in
            metrics.handlerRan(name, for: duration)
            if failure != nil { metrics.countFailure(of: name) }
        }
        runner.didFailLater = { [metrics] name, _ in metrics.countFailure(of: name) }
        runner.didDrop = { [metrics] _ in metrics.droppedPresses += 1 }
    }
}
