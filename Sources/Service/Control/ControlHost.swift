import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import Outputs
import TouchKit

/// Answers the requests of the control socket, and connects its subscribers.
final class ControlHost {
    /// The server; nil while there is no control socket.
    private(set) var server: ControlServer?

    private let context: DaemonContext
    private let input: InputSource
    private let observers: TouchObservers
    private let subscribers: Subscribers
    private let layout: LayoutHost
    private let report: () -> StatusReport
    /// The views that clients publish.
    let slots: SlotHost
    /// Reads publications and long requests.
    private let worker: Worker
    /// The recording that is being sent to a client.
    private var givenRecording: GivenRecording?

    init(
        _ context: DaemonContext, input: InputSource, observers: TouchObservers, subscribers: Subscribers,
        layout: LayoutHost, worker: Worker? = nil, report: @escaping () -> StatusReport
    ) {
        let worker = worker ?? Worker(context.loop, logger: context.logger)
        self.worker = worker
        slots = SlotHost(context, layout: layout, observers: observers, subscribers: subscribers, worker: worker)
        (self.context, self.input, self.observers) = (context, input, observers)
        (self.subscribers, self.layout, self.report) = (subscribers, layout, report)
    }

    /// Opens the control socket if the options ask for one.
    ///
    /// - Throws: The reason if a socket at an explicit path cannot be opened. A service that cannot open its socket
    ///   logs the reason and still delivers touches.
    func start() throws {
        guard let wanted = context.options.control else { return }
        do {
            guard
                let socket = try ListeningSocket.passed()
                    ?? Self.path(of: wanted).map({ try ListeningSocket(path: $0) })
            else { return }
            server = ControlServer(
                socket: socket, subscribers: subscribers, loop: context.loop, logger: context.logger,
                worker: worker
            ) {
                [unowned self] (request, client) throws(ControlError) in try perform(request, client)
            }
            server?.replaces = { [slots] in slots.isReplaced(by: $0, $1) }
            server?.didEnd = { [slots] client in slots.withdraw(viewsOf: client) }
            slots.holdRequests = { [unowned self] in server?.holdsRequests = $0 }
        } catch {
            if case .path = wanted { throw error }
            context.logger.error(
                "the control socket is not available: \(error)", metadata: MessageID.controlRefused.metadata)
        }
    }

    func close() {
        server?.close()
        server = nil
        slots.close()
    }

    private static func path(of control: DaemonOptions.Control) -> String? {
        switch control {
        case .path(let path): path
        case .service: ControlAddress.ofService
        }
    }

    // MARK: Events

    /// Reports that a layout was loaded. Ends a recording that is being sent, because the new layout may mark its views
    /// private.
    func publish(layout path: String) {
        givenRecording = nil
        subscribers.send(.pages) { LayoutRecord(layout: path) }
    }

    // MARK: Requests

    private func perform(_ request: ControlRequest, _ client: ControlSession) throws(ControlError) -> [UInt8]? {
        switch request {
        case .hello(let version):
            return HelloAnswer { $0.protocol = version }.jsonLine
        case .subscribe(let topics, let moves, let own):
            let subscriber = client.subscriber
            (subscriber.topics, subscriber.wantsMoves, subscriber.wantsOwnViews) = (topics, moves, own)
            if topics.contains(.inspection) { inspect() }
            return SubscriptionAnswer { ($0.to, $0.moves, $0.own) = (topics.names, moves, own) }.jsonLine
        case .views(let slot, let publisher, let views):
            try slots.publish(views, in: slot, by: publisher, for: client)
            return nil
        case .slot(let name): return try slots.publication(in: name)
        case .move(let frames): try slots.move(frames.mapValues { CGRect($0) }, of: client)
        case .status: return report().jsonLine
        case .command(.reload):
            let answer = client.answerLater()
            try perform(.reload) { error in answer(error.map { .failure($0) } ?? .success(Self.nothing)) }
            return nil
        case .command(let command): try perform(command)
        case .layout: return try layoutState()
        case .listPages: return try layout.requiredScene().pageStates.jsonLine
        case .listViews(let part): return ViewList(try layout.requiredScene(), part: part).jsonLine
        case .devices: return deviceStates
        case .recording(let source, let part): return try recording(of: source, part: part, for: client)
        case .rehearse(let device): try rehearse(device, for: client)
        case .hit(let x, let y, let screen): return try hit(CGPoint(x: x, y: y), onScreen: screen)
        }
        return Self.nothing
    }

    /// The result of a request that has none.
    private static let nothing = NoAnswer().jsonLine

    /// Performs a command of a client or of a broker's message.
    ///
    /// - Parameter didReload: Called with the refusal, if any, after `reload`.
    func perform(
        _ command: LayoutCommand, didReload: @escaping (ControlError?) -> Void = { _ in }
    ) throws(ControlError) {
        switch command {
        case .reload:
            layout.reload { [hasLayout = context.options.layout != nil] refusal in
                didReload(refusal.map { ControlError(hasLayout ? .layoutRefused : .unavailable, $0) })
            }
        case .ignore(0): context.runner.touchBreak.finish()
        case .ignore(let seconds): context.runner.touchBreak.begin(for: seconds)
        default: try change(command)
        }
    }

    private func change(_ command: LayoutCommand) throws(ControlError) {
        let scene = try layout.requiredScene()
        do throws(SceneError) {
            try command.apply(to: scene)
        } catch {
            throw ControlError(ControlError.Code(error), "\(error)")
        }
        observers.inspection?.reportChanges()
    }

    private func hit(_ point: CGPoint, onScreen screen: String?) throws(ControlError) -> [UInt8] {
        let scene = try layout.requiredScene()
        guard let report = scene.hit(point, onScreen: screen, tellsOutside: false, concealsPrivate: true) else {
            throw ControlError(.wrongArgument, "\(scene.document.unknown(screen: screen ?? ""))")
        }
        return report.jsonLine
    }
}

extension ControlError.Code {
    init(_ error: SceneError) {
        switch error {
        case .unknown(let name): self = name.kind == .page ? .noSuchPage : .noSuchView
        case .noToggle, .notPublished, .pagesWithoutEnd, .noLanguage: self = .wrongArgument
        case .noAccommodations: self = .unavailable
        }
    }
}

/// Lets a self-test send a finger through the kernel, udev, the service's decoder and its layout.
extension ControlHost {
    /// Reads a self-test's touchscreen, and reports which view each of its fingers hits, until the client disconnects.
    ///
    /// The frames do not enter the application's queue. So no handler, gesture, control, output or metric can notice
    /// them, and nothing is forwarded.
    func rehearse(_ path: String, for client: ControlSession) throws(ControlError) {
        _ = try layout.requiredScene()
        // The service opens only what it has found itself, not any path that a client names.
        guard input.devices.contains(where: { $0.path == path }) else {
            throw ControlError(.unavailable, "touchd has not found '\(path)'; check that systemd-udevd runs")
        }
        client.endRehearsal()
        var views: [UInt32: String] = [:]
        do throws(DeviceError) {
            client.rehearsal = try RehearsedDevice(path: path, loop: context.loop) {
                [weak client, layout] (frame: borrowing InputFrame) in
                let delay = Deadline.now.nanoseconds / 1000 - frame.timestamp.microseconds
                for contact in frame.contacts where contact.phase != .moved {
                    guard let scene = layout.scene else { return }
                    let point = scene.windows[0].screen.location(of: contact.position)
                    if contact.phase == .began {
                        views[contact.id] = scene.hit(point, tellsOutside: false, concealsPrivate: true)?.receiver
                    }
                    let record = RehearsalRecord {
                        $0.phase = contact.phase == .began ? .began : contact.phase == .ended ? .ended : .cancelled
                        $0.view = views[contact.id] ?? ""
                        ($0.x, $0.y, $0.delay) = (point.x, point.y, Double(delay) / 1e6)
                    }
                    client?.send(event: record.line)
                    if contact.phase != .began { views[contact.id] = nil }
                }
            }
        } catch {
            throw ControlError(.unavailable, "\(error)")
        }
    }
}

/// Reports inspection events and the current state to clients of the control socket.
extension ControlHost {
    /// Starts to report touch events to the subscribers of `inspection`. A new subscriber first receives the touches
    /// that are down. Reporting stops when the last subscriber leaves.
    func inspect() {
        if let inspection = observers.inspection { return inspection.sendSnapshot() }
        let recorder = InspectionRecorder(
            application: context.application, scene: { [unowned self] in layout.scene },
            // A display's refresh rate. A 1 kHz panel would fill the socket with moves that no client can show.
            movesPerSecond: 60, isLive: context.options.source.isLive
        ) { [unowned self] record in
            guard subscribers.contains(.inspection) else { return observers.inspect(with: nil) }
            subscribers.send(.inspection) { record }
        }
        observers.inspect(with: recorder)
        recorder.sendSnapshot()
    }

    /// How the current layout differs from its file.
    func layoutState() throws(ControlError) -> [UInt8] {
        LayoutState(try layout.requiredScene(), path: context.options.layout, refusal: layout.refusal?.reason).jsonLine
    }

    /// The devices and the units of their axes.
    var deviceStates: [UInt8] {
        input.devices.map { device in
            var state = DeviceState(device)
            let forwarding = input.forwarder.state(of: device)
            (state.forward, state.forwardRemark) = (forwarding?.node, forwarding?.remark)
            return state
        }
        .jsonLine
    }
}

/// Sends the last minutes, if the layout keeps them, to a client of the control socket.
extension ControlHost {
    /// A recording that is being sent to a client, part by part.
    struct GivenRecording {
        weak var client: ControlSession?
        /// The number of the next part.
        var part: Int
        var recording: KeptRecording
    }

    /// Bytes per part: about 500 lines. One part is written in one pass of the loop.
    private static let pieceOfRecording = 16 * 1024

    /// Answers with one part of the last minutes of a touchscreen.
    ///
    /// Part 0 takes a snapshot; the following parts belong to the same snapshot.
    func recording(of source: UInt32?, part: Int, for client: ControlSession) throws(ControlError) -> [UInt8] {
        if part == 0 {
            givenRecording = GivenRecording(client: client, part: 0, recording: try recording(of: source))
        }
        guard var given = givenRecording, given.client === client, given.part == part else {
            throw ControlError(
                .unavailable,
                "part \(part) is out of order, or another client requested a recording meanwhile; start again with part 0"
            )
        }
        givenRecording = nil
        let device = given.recording.device
        var answer = RecordingPart()
        (answer.source, answer.name) = (device.id.rawValue, device.description.name)
        answer.text = given.recording.next(bytes: Self.pieceOfRecording)
        if !given.recording.isAtEnd {
            given.part += 1
            answer.next = given.part
            givenRecording = given
        }
        return answer.jsonLine
    }

    private func recording(of source: UInt32?) throws(ControlError) -> KeptRecording {
        guard let history = observers.history else {
            throw ControlError(
                .unavailable, "no recording is kept; add recording: {keep: 5 min} to the layout")
        }
        let sources = history.sources
        let choice = sources.map { "\($0.id.rawValue) (\($0.description.name))" }.joined(separator: ", ")
        guard let device = source.map({ DeviceID(rawValue: $0) }) ?? sources.first?.id else {
            throw ControlError(.unavailable, "no touchscreen is in use, so no recording is kept")
        }
        guard source != nil || sources.count == 1 else {
            throw ControlError(.wrongArgument, "several touchscreens: \(choice); name one as \"source\"")
        }
        let now = input.time
        guard let recording = history.recording(of: device, at: now) else {
            throw ControlError(
                .wrongArgument, "unknown source \(device.rawValue); the touchscreens are \(choice)")
        }
        return recording
    }
}
