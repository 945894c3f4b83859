import ControlProtocol
import EventLoop
import Foundation
import Logging
import TouchKit
import TouchKitTesting

@testable import Handlers
@testable import Layout

/// The layout of a model in touchd: it is loaded, reloaded and published into as in the service, and its events are noted.
final class ModelStage: Stage, SceneObserver, HandlerRunnerDelegate {
    private(set) lazy var fingers = [finger(), finger(), finger()]
    private let loop: EpollRunLoop
    private let runner: HandlerRunner
    private var scene: Scene?
    private var owner = NSObject()
    private var hasViews = false
    private let log = EventLog()

    init(_ layout: ModelLayout) throws {
        loop = try EpollRunLoop()
        let application = Application(), log = log
        runner = HandlerRunner(
            registry: HandlerRegistry(), application: application, loop: loop,
            logger: Logger(label: "test") { _ in log }, deviceName: { _ in "Panel" })
        super.init(application)
        runner.delegate = self
        advanceTime(by: 0)
        try reload(layout)
    }

    func reload(_ layout: ModelLayout) throws {
        let document = try LayoutDocument(text: layout.yaml, file: "kiosk.yaml", handlers: ["log"])
        application.cancelAllTouches()
        let next = Scene(document, application: application) { [runner] in runner.perform($0, for: $1) }
        if let scene {
            next.adoptState(of: scene)
            scene.deactivate()
        }
        runner.load(document)
        runner.scene = next
        scene = next
        next.observer = self
        next.activate()
        if hasViews { next.slot(named: "s")?.isAwaited = true }
    }

    func perform(_ name: String, _ operand: String) {
        guard let kind = LayoutCommand.Kind(rawValue: name), let scene else {
            preconditionFailure("no command \(name)")
        }
        do {
            try LayoutCommand.named(kind, operand).apply(to: scene)
        } catch {
            log.events.append("\(error)")
        }
    }

    func publish(_ boxes: [ModelLayout.Box]) throws {
        guard let scene, let slot = scene.slot(named: "s") else { return }
        try scene.publish(JSONTree(ModelLayout.json(boxes).utf8), in: slot, by: "test", owner: owner)
        slot.isAwaited = false
        hasViews = !boxes.isEmpty
    }

    func vanish() {
        guard let scene, let slot = scene.slot(named: "s") else { return }
        slot.isAwaited = false
        scene.empty(slot)
        owner = NSObject()
        hasViews = false
    }

    /// How the events since the last call, or the state, differ from the model's.
    func difference(from model: LayoutModel, _ expected: [String]) -> String? {
        let events = log.events
        log.events = []
        guard events == expected else { return "events \(events), not \(expected)" }
        guard let scene else { return nil }
        guard scene.currentPages == [model.page] else { return "page \(scene.currentPages), not \(model.page)" }
        for (key, state) in model.states.sorted(by: { $0.key < $1.key }) where state.box.id != nil {
            do {
                let found = try (
                    !scene.isShown(key), scene.isEnabled(key), state.box.kind == .toggle && scene.isOn(key)
                )
                let wanted = (state.isHidden, state.isEnabled, state.isOn)
                if found != wanted { return "hidden, enabled and on of \(key): \(found), not \(wanted)" }
            } catch {
                return "\(error)"
            }
        }
        return nil
    }

    // MARK: Events

    func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: GestureRecord.Trigger) {}

    func controlChanged(_ control: Control, _ change: ControlRecord.Change, _ event: Event?) {
        // A view that leaves is in another one until its touches have ended.
        let frame = control.frame, superview = control.superview
        let isPublished = superview is SlotContent || superview?.superview is SlotContent
        let y = isPublished ? ModelLayout.slotRow * 100 : Int(frame.minY)
        let name = control.accessibilityIdentifier ?? "\(Int(frame.minX)),\(y)"
        log.events.append("\(name) \(change == .toggled ? control.isSelected ? "on" : "off" : change.rawValue)")
    }

    func pressDropped() { log.events.append("dropped") }
    func pageShown(_ page: String) { log.events.append("page \(page)") }
    func told(_ record: AccessibilityRecord, of view: View?) {}
    func handlerDidRun(_ name: String, for duration: Duration, failure: HandlerFailure?) {}
    func handlerDidFailLater(_ name: String, _ failure: HandlerFailure) {}
    func handlerWasDropped(_ name: String) { log.events.append("dropped \(name)") }
    func reloadLayout() {}
    func publish(_ message: String, to topic: String, isPrivate: Bool) {}
}

/// Notes what is logged among the other events.
final class EventLog: LogHandler {
    // Only called on the main actor, where the test logs.
    nonisolated(unsafe) var events: [String] = []
    nonisolated(unsafe) var metadata: Logger.Metadata = [:]
    nonisolated(unsafe) var logLevel = Logger.Level.info

    nonisolated init() {}

    nonisolated subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    nonisolated func log(event: LogEvent) {
        let text = "\(event.message)"
        events.append(text.contains("pages show each other without end") ? "endless" : text)
    }
}
