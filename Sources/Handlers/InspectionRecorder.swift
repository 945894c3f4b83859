import ControlProtocol
import EventLoop
import Foundation
import Layout
import TouchKit

/// Records the effects of each touch event for the subscribers of `inspection`.
///
/// It is one of the application's observers while there are subscribers, and costs nothing otherwise. Everything happens
/// on the main thread, after the event's handlers have run.
package final class InspectionRecorder: DeliveryObserver {
    private let application: Application
    private let scene: () -> Scene?
    private let isLive: Bool
    private let emit: (InspectionRecord) -> Void

    private var moves: MoveSampler
    /// The handlers of omitted moves, each once, by touch.
    private var unreported: [Int: [String]] = [:]
    private var touches: [InspectionRecord.Touch] = []
    /// The reported `forwarded` of each touch that is down.
    private var forwarded: [Int: String] = [:]
    private var changes: [InspectionRecord.StateChange] = []
    /// The changes of private views' recognizers, in an order that does not depend on which of them recognized.
    private var privateChanges: [InspectionRecord.StateChange] = []
    private var time = 0.0
    /// The touches whose attachment was reported.
    private var attached: Set<Int> = []
    /// The numbers of the recognizers of a scene, one for all of a private view, and the last one; another recognizer may have
    /// the address of a former one.
    private var numbers: [ObjectIdentifier: Number] = [:]
    private var lastNumber = 0
    private weak var numberedScene: Scene?
    private var pages: [String]?
    private var views: [InspectionRecord.ViewState]?

    /// Creates a recorder, which records while it is one of the application's observers.
    ///
    /// - Parameters:
    ///   - movesPerSecond: The maximum number of reported moves per touch and second. Other moves are omitted, and
    ///     their handlers are reported with the next move. Nothing else is omitted.
    ///   - isLive: Whether timestamps are on this machine's clock; otherwise latency is not reported.
    package init(
        application: Application, scene: @escaping () -> Scene?, movesPerSecond: Int, isLive: Bool,
        emit: @escaping (InspectionRecord) -> Void
    ) {
        self.application = application
        self.scene = scene
        self.isLive = isLive
        self.emit = emit
        moves = MoveSampler(perSecond: movesPerSecond)
    }

    /// Reports a snapshot for a new subscriber: all facts that are reported once, and the touches that are down.
    package func sendSnapshot() {
        attached = []
        pages = nil
        views = nil
        let touchesDown = application.touchesDown
        for touch in touchesDown { touches.append(record(of: touch, phase: .stationary, handlers: [])) }
        time = application.currentTime
        finish(isWhole: true)
    }

    /// Reports changed pages and views after a change without a touch.
    package func reportChanges() { finish() }

    package func didFinishEvent() { finish() }

    package func didDeliver(_ delivery: TouchDelivery) {
        if delivery.phase == .stationary { return }
        let touch = delivery.touch
        guard delivery.phase != .moved || moves.accepts(touch: touch.id, at: touch.timestamp) else {
            // Handlers are reported as often as moves, even if they run for each of a thousand moves a second.
            for name in delivery.handlerNames where unreported[touch.id]?.contains(name) != true {
                unreported[touch.id, default: []].append(name)
            }
            return
        }
        time = touch.timestamp
        var handlers = delivery.handlerNames
        if let before = unreported.removeValue(forKey: touch.id) {
            handlers = before.filter { !handlers.contains($0) } + handlers
        }
        touches.append(record(of: touch, phase: delivery.phase, handlers: handlers))
        if delivery.phase == .ended || delivery.phase == .cancelled {
            attached.remove(touch.id)
            forwarded[touch.id] = nil
            moves.forget(touch: touch.id)
        }
    }

    private func record(of touch: Touch, phase: Touch.Phase, handlers: [String]) -> InspectionRecord.Touch {
        let place = touch.reportedLocation
        let screen = scene().flatMap { scene in
            scene.windows.firstIndex { $0.screen === touch.screen }.flatMap { scene.document.screens[$0].name }
        }
        var record = InspectionRecord.Touch()
        (record.touch, record.source, record.phase) = (touch.id, touch.device.rawValue, TouchRecord.Phase(phase))
        if !touch.isConcealed { record.raw = touch.rawLocation.map { [$0.x, $0.y] } }
        (record.x, record.y) = (place.map { Double($0.x).hundredths }, place.map { Double($0.y).hundredths })
        (record.screen, record.view, record.handlers) = (screen, ReportedView(touch).name, handlers)
        record.forwarded = touch.forwarding.summary
        forwarded[touch.id] = record.forwarded
        if attached.insert(touch.id).inserted { record.attachment = attachment(of: touch) }
        return record
    }

    private func attachment(of touch: Touch) -> InspectionRecord.Attachment {
        var responders: [Responder] = []
        // The view inside a private view is not reported.
        var candidate: Responder? = touch.reportedView
        while let responder = candidate {
            responders.append(responder)
            candidate = responder.next
        }
        let scene = scene()
        var attachment = InspectionRecord.Attachment()
        attachment.isPrivate = touch.isConcealed
        attachment.path = responders.compactMap { ($0 as? View)?.accessibilityIdentifier }
        attachment.responders = scene?.names(of: responders) ?? responders.map { "\(type(of: $0))" }
        for recognizer in touch.gestureRecognizers ?? [] where Self.isReported(recognizer) {
            let number = number(of: recognizer), state = InspectionRecord.State(recognizer.state)
            if let same = attachment.recognizers.firstIndex(where: { $0.recognizer == number }) {
                // A private view's recognizers are one, which fails when all have failed.
                let known = attachment.recognizers[same].state
                if known == .failed || known == .possible, state != .failed {
                    attachment.recognizers[same].state = state
                }
                continue
            }
            var record = InspectionRecord.Recognizer()
            (record.recognizer, record.gesture, record.state) = (number, recognizer.kindName, state)
            (record.id, record.view) = (recognizer.reportedID, recognizer.view?.reportedName)
            attachment.recognizers.append(record)
        }
        return attachment
    }

    package func didChangeState(of recognizer: GestureRecognizer, from former: GestureRecognizer.State) {
        guard Self.isReported(recognizer) else { return }
        var change = InspectionRecord.StateChange()
        (change.recognizer, change.gesture) = (number(of: recognizer), recognizer.kindName)
        (change.id, change.view) = (recognizer.reportedID, recognizer.view?.reportedName)
        (change.from, change.to) = (InspectionRecord.State(former), InspectionRecord.State(recognizer.state))
        change.touches = recognizer.trackedTouches.map(\.id)
        guard ReportedView(recognizer.view).isConcealed else { return changes.append(change) }
        // Among four swipes, the order of the three that fail and the one that is recognized would name it.
        guard !privateChanges.contains(change) else { return }
        let place = privateChanges.firstIndex { $0.recognizer == change.recognizer && $0.isAfter(change) }
        privateChanges.insert(change, at: place ?? privateChanges.endIndex)
    }

    /// Whether a recognizer is reported. A recognizer inside a private view would reveal which key of a keypad was
    /// touched.
    private static func isReported(_ recognizer: GestureRecognizer) -> Bool { recognizer.view?.isReported != false }

    private func number(of recognizer: GestureRecognizer) -> Int {
        let scene = scene()
        if scene !== numberedScene { (numbers, lastNumber, numberedScene) = ([:], 0, scene) }
        let object: AnyObject = recognizer.view?.outermostPrivate ?? recognizer, key = ObjectIdentifier(object)
        if let number = numbers[key], number.object != nil { return number.value }
        lastNumber += 1
        numbers[key] = Number(object: object, value: lastNumber)
        return lastNumber
    }

    private struct Number {
        weak var object: AnyObject?
        let value: Int
    }

    /// Corrects the touches of this event, and reports those that a gesture or a switch took back or released.
    private func followForwarding() {
        guard !forwarded.isEmpty else { return }
        for touch in application.touchesDown {
            guard let known = forwarded[touch.id], let current = touch.forwarding.summary, current != known else {
                continue
            }
            forwarded[touch.id] = current
            if let index = touches.lastIndex(where: { $0.touch == touch.id }) {
                touches[index].forwarded = current
            } else {
                touches.append(record(of: touch, phase: .stationary, handlers: []))
            }
        }
    }

    private func finish(isWhole: Bool = false) {
        followForwarding()
        let scene = scene()
        let pages = scene?.currentPages ?? []
        let views = scene?.reportedChanges ?? []
        changes += privateChanges
        privateChanges.removeAll(keepingCapacity: true)
        guard !touches.isEmpty || !changes.isEmpty || pages != self.pages || views != self.views else { return }
        let now = Double(Deadline.now.nanoseconds) / 1e9
        let oldest = isLive ? application.oldestQueuedTimestamp.map { max(now - $0, 0) } : nil
        var record = InspectionRecord()
        record.time = touches.isEmpty ? application.currentTime : time
        (record.queue.frames, record.queue.age) = (application.queuedFrameCount, oldest ?? 0)
        (record.touches, record.changes) = (touches, changes)
        if pages != self.pages { record.pages = pages }
        if views != self.views { record.views = views }
        if isWhole { record.whole = true }
        if isLive, !isWhole, !touches.isEmpty { record.latency = max(now - time, 0) }
        self.pages = pages
        self.views = views
        touches.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        emit(record)
    }
}

extension InspectionRecord.StateChange {
    /// Whether the change of a private view's recognizer is reported after another one: failures first, by the kind of
    /// gesture.
    fileprivate func isAfter(_ other: Self) -> Bool {
        guard other.isOfFailure else { return false }
        return !isOfFailure || gesture > other.gesture
    }

    private var isOfFailure: Bool { from == .failed || to == .failed }
}

nonisolated extension InspectionRecord.State {
    fileprivate init(_ state: GestureRecognizer.State) {
        self =
            switch state {
            case .possible: .possible
            case .began: .began
            case .changed: .changed
            case .ended: .ended
            case .cancelled: .cancelled
            case .failed: .failed
            }
    }
}
