import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import Outputs
import TouchKit

/// Answers the requests of the control socket and connects its subscribers to the event path.
final class ControlHost {
    /// The server; nil while there is no control socket.
    private(set) var server: ControlServer?

    let options: DaemonOptions
    let events: EventPath
    let layout: LayoutHost
    let runner: HandlerRunner
    let logger: Logger
    /// The whole state, for `status`.
    private let report: () -> StatusReport
    /// The views that clients have published, by slot.
    var publishedViews: [String: PublishedViews] = [:]
    /// The publications that are being read, built or wait.
    var publications = PublicationQueue()
    /// Reads publications and long requests.
    let worker: Worker
    /// The recording that is being sent to a client.
    var givenRecording: GivenRecording?

    /// Creates a host; no socket is open yet.
    init(
        _ options: DaemonOptions, events: EventPath, layout: LayoutHost, logger: Logger, worker: Worker? = nil,
        report: @escaping () -> StatusReport
    ) {
        self.worker = worker ?? Worker(events.loop, logger: logger)
        self.options = options
        self.events = events
        self.layout = layout
        runner = events.runner
        self.logger = logger
        self.report = report
    }

    /// Opens the control socket if the options ask for one.
    ///
    /// - Throws: The reason if a socket at an explicit path cannot be opened. A service that cannot open its socket
    ///   logs the reason and still delivers touches.
    func start() throws {
        guard let wanted = options.control else { return }
        do {
            guard
                let socket = try ListeningSocket.passed()
                    ?? Self.path(of: wanted).map({ try ListeningSocket(path: $0) })
            else { return }
            server = ControlServer(
                socket: socket, subscribers: events.subscribers, loop: events.loop, logger: logger, worker: worker
            ) {
                [unowned self] (request, client) throws(ControlError) in try perform(request, client)
            }
            server?.replaces = { [unowned self] in isReplaced(by: $0, $1) }
            server?.didEnd = { [unowned self] client in withdraw(viewsOf: client) }
            events.hasControlSocket = true
        } catch {
            if case .path = wanted { throw error }
            logger.error("the control socket is not available: \(error)", metadata: MessageID.controlRefused.metadata)
        }
    }

    /// Closes the socket and its connections.
    func close() {
        server?.close()
        server = nil
        events.hasControlSocket = false
        publications.slices?.invalidate()
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
        events.subscribers.send(.pages) { LayoutRecord(layout: path) }
    }

    // MARK: Requests

    private func perform(_ request: ControlRequest, _ client: ControlSession) throws(ControlError) -> [UInt8]? {
        switch request {
        case .hello(let version):
            return HelloAnswer { $0.protocol = version }.jsonLine
        case .subscribe(let topics, let moves, let own):
            client.topics = topics
            client.wantsMoves = moves
            client.wantsOwnViews = own
            if topics.contains(.inspection) { inspect() }
            return SubscriptionAnswer { ($0.to, $0.moves, $0.own) = (topics.names, moves, own) }.jsonLine
        case .views(let slot, let publisher, let views):
            try publish(views, in: slot, by: publisher, for: client)
            return nil
        case .slot(let name): return try publication(in: name)
        case .move(let frames): try move(frames.mapValues { CGRect($0) }, of: client)
        case .status: return report().jsonLine
        case .command(.reload):
            let answer = client.answerLater()
            try perform(.reload) { error in answer(error.map { .failure($0) } ?? .success(Self.nothing)) }
            return nil
        case .command(let command): try perform(command)
        case .layout: return try layoutState()
        case .devices: return deviceStates
        case .recording(let source, let part): return try recording(of: source, part: part, for: client)
        case .rehearse(let device): try rehearse(device, for: client)
        case .hit(let x, let y, let screen): return try hit(CGPoint(x: x, y: y), onScreen: screen)
        }
        return Self.nothing
    }

    /// The result of a request that has none.
    private static let nothing = NoAnswer().jsonLine

    /// The current layout's scene.
    func scene() throws(ControlError) -> Scene {
        guard let scene = layout.scene else {
            throw ControlError(
                .unavailable, "the running program has no layout file, so it has no pages and no named views")
        }
        return scene
    }

    /// Performs a command of a client or of a broker's message.
    ///
    /// - Parameter didReload: Called with the refusal, if any, after `reload`.
    func perform(
        _ command: LayoutCommand, didReload: @escaping (ControlError?) -> Void = { _ in }
    ) throws(ControlError) {
        switch command {
        case .reload:
            layout.reload { [hasLayout = options.layout != nil] refusal in
                didReload(refusal.map { ControlError(hasLayout ? .layoutRefused : .unavailable, $0) })
            }
        case .ignore(0): runner.touchBreak.finish()
        case .ignore(let seconds): runner.touchBreak.begin(for: seconds)
        default: try change(command)
        }
    }

    private func change(_ command: LayoutCommand) throws(ControlError) {
        let scene = try scene()
        do throws(SceneError) {
            try command.apply(to: scene)
        } catch {
            throw ControlError(ControlError.Code(error), "\(error)")
        }
        events.inspection?.reportChanges()
    }

    private func hit(_ point: CGPoint, onScreen screen: String?) throws(ControlError) -> [UInt8] {
        guard let report = try scene().hit(point, onScreen: screen, tellsOutside: false, concealsPrivate: true) else {
            throw ControlError(.wrongArgument, "the layout has no screen '\(screen ?? "")'")
        }
        return report.jsonLine
    }
}

extension ControlError.Code {
    /// The code of a scene's error.
    init(_ error: SceneError) {
        switch error {
        case .noPage: self = .noSuchPage
        case .noView: self = .noSuchView
        case .noToggle, .notPublished, .pagesWithoutEnd: self = .wrongArgument
        }
    }
}
