import EventLoop
import Evdev
import Foundation
import Handlers
import Layout
import TouchKit

/// Puts together what each touch event did, for those who look on.
///
/// It hangs on the application's hooks only between `start()` and `stop()`; nothing is gathered otherwise. Everything
/// happens on the main thread, when the event's handlers have run.
public final class InspectionRecorder {
    private let application: Application
    private let scene: () -> Scene?
    private let isLive: Bool
    private let emit: (InspectionRecord) -> Void
    private let movesPerSecond: Int

    private var moves: MoveSampler
    /// The handlers of moves that were not told, each once, by the touch.
    private var untold: [Int: [String]] = [:]
    private var touches: [InspectionRecord.Touch] = []
    private var changes: [InspectionRecord.Change] = []
    private var time = 0.0
    /// The touches of which everything was told.
    private var attached: Set<Int> = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var pages: [String]?
    private var views: [InspectionRecord.ViewState]?

    /// Makes a recorder that does nothing yet.
    ///
    /// - Parameters:
    ///   - application: Whose events are recorded.
    ///   - scene: The layout at work.
    ///   - movesPerSecond: How many moves of each touch are told; those between are left out, and the handlers that
    ///     ran for them told with the next; nothing else is left out.
    ///   - isLive: Whether events bear this machine's time; if not, nothing is said of latency.
    ///   - emit: Takes each record.
    public init(
        application: Application, scene: @escaping () -> Scene?, movesPerSecond: Int, isLive: Bool,
        emit: @escaping (InspectionRecord) -> Void
    ) {
        self.application = application
        self.scene = scene
        self.movesPerSecond = movesPerSecond
        self.isLive = isLive
        self.emit = emit
        moves = MoveSampler(perSecond: movesPerSecond)
    }

    /// Begins to record.
    public func start() {
        application.didChangeState = { [weak self] recognizer, former in self?.note(recognizer, from: former) }
        application.didFinishEvent = { [weak self] in self?.finish() }
    }

    /// Records nothing more.
    public func stop() {
        application.didChangeState = nil
        application.didFinishEvent = nil
    }

    /// Tells everything again that is told once, and the touches that are down, since somebody new looks on.
    public func tellAnew() {
        attached = []
        pages = nil
        views = nil
        let touchesDown = application.touchesDown
        for touch in touchesDown { touches.append(record(of: touch, phase: .stationary, handlers: [])) }
        time = application.currentTime
        finish(isWhole: true)
    }

    /// Tells which pages are shown and how views are, where that is new, since somebody changed it without a touch.
    public func tellChanges() { finish() }

    /// Takes what the application says of a delivered touch.
    package func note(_ delivery: TouchDelivery) {
        let touch = delivery.touch
        guard delivery.phase != .moved || moves.takes(touch: touch.id, at: touch.timestamp) else {
            // A handler that runs for each of a thousand moves a second is told as often as these are.
            for name in delivery.handlerNames where untold[touch.id]?.contains(name) != true {
                untold[touch.id, default: []].append(name)
            }
            return
        }
        time = touch.timestamp
        var handlers = delivery.handlerNames
        if let before = untold.removeValue(forKey: touch.id) {
            handlers = before.filter { !handlers.contains($0) } + handlers
        }
        touches.append(record(of: touch, phase: delivery.phase, handlers: handlers))
        if delivery.phase == .ended || delivery.phase == .cancelled {
            attached.remove(touch.id)
            moves.forget(touch: touch.id)
        }
    }

    private func record(of touch: Touch, phase: Touch.Phase, handlers: [String]) -> InspectionRecord.Touch {
        let hidden = touch.view?.outermostPrivate
        let place = hidden == nil ? touch.location(in: nil) : nil
        let screen = scene().flatMap { scene in
            scene.windows.firstIndex { $0.screen === touch.screen }.flatMap { scene.document.screens[$0].name }
        }
        var record = InspectionRecord.Touch(
            touch: touch.id, source: touch.device.rawValue, phase: phase.word,
            raw: hidden == nil ? touch.rawLocation.map { [$0.x, $0.y] } : nil, x: place.map { Self.rounded($0.x) },
            y: place.map { Self.rounded($0.y) }, screen: screen, view: touch.view?.toldName,
            handlers: handlers)
        if attached.insert(touch.id).inserted { record.attachment = attachment(of: touch, hidden) }
        return record
    }

    private func attachment(of touch: Touch, _ hidden: View?) -> InspectionRecord.Attachment {
        var responders: [Responder] = []
        // Which view of a private one it is, is not told.
        var candidate: Responder? = hidden ?? touch.view
        while let responder = candidate {
            responders.append(responder)
            candidate = responder.next
        }
        let scene = scene()
        return InspectionRecord.Attachment(
            isPrivate: hidden != nil, path: responders.compactMap { ($0 as? View)?.identifier },
            responders: scene?.names(of: responders) ?? responders.map { "\(type(of: $0))" },
            recognizers: touch.gestureRecognizers.filter(Self.isTold).map { recognizer in
                InspectionRecord.Recognizer(
                    recognizer: number(of: recognizer), gesture: recognizer.kindName, id: id(of: recognizer),
                    view: recognizer.view?.toldName, state: recognizer.state.word)
            })
    }

    private func note(_ recognizer: GestureRecognizer, from former: GestureRecognizer.State) {
        guard Self.isTold(recognizer) else { return }
        changes.append(
            InspectionRecord.Change(
                recognizer: number(of: recognizer), gesture: recognizer.kindName, id: id(of: recognizer),
                view: recognizer.view?.toldName, from: former.word, to: recognizer.state.word,
                touches: recognizer.trackedTouches.map(\.id)))
    }

    /// Whether anything is told of a recognizer: those of the views in a private one would say which key of a pad it is.
    private static func isTold(_ recognizer: GestureRecognizer) -> Bool {
        recognizer.view?.superview?.outermostPrivate == nil
    }

    /// What somebody drew on a private view may be what its id says.
    private func id(of recognizer: GestureRecognizer) -> String? {
        guard recognizer.view?.outermostPrivate == nil, let name = recognizer.name, name != recognizer.kindName else {
            return nil
        }
        return name
    }

    private func number(of recognizer: GestureRecognizer) -> Int {
        let key = ObjectIdentifier(recognizer)
        if let number = numbers[key] { return number }
        numbers[key] = numbers.count + 1
        return numbers.count
    }

    private func finish(isWhole: Bool = false) {
        let scene = scene()
        let pages = scene?.currentPages ?? []
        let views = scene?.toldChanges ?? []
        guard !touches.isEmpty || !changes.isEmpty || pages != self.pages || views != self.views else { return }
        let now = Double(Deadline.now.nanoseconds) / 1e9
        let oldest = isLive ? application.oldestQueuedTimestamp.map { max(now - $0, 0) } : nil
        var record = InspectionRecord(
            time: touches.isEmpty ? application.currentTime : time,
            queue: InspectionRecord.Queue(frames: application.queuedFrameCount, age: oldest ?? 0))
        record.touches = touches
        record.changes = changes
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

    /// To the hundredth of a point, as all that is told.
    private static func rounded(_ value: CGFloat) -> Double { (Double(value) * 100).rounded() / 100 }
}

extension Scene {
    /// The views that are not as the file has them; those in private views are left out, as a handler may have changed them
    /// because of what was touched there.
    var toldChanges: [InspectionRecord.ViewState] {
        changedViews.compactMap { change in
            guard view(withIdentifier: change.id)?.superview?.outermostPrivate == nil else { return nil }
            return InspectionRecord.ViewState(view: change.id, hidden: change.isHidden, enabled: change.isEnabled)
        }
    }
}

extension GestureRecognizer.State {
    /// UIKit's word for a state.
    fileprivate var word: String {
        switch self {
        case .possible: "possible"
        case .began: "began"
        case .changed: "changed"
        case .ended: "ended"
        case .cancelled: "cancelled"
        case .failed: "failed"
        }
    }
}
