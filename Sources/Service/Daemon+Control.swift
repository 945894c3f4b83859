import EventLoop
import Evdev
import Foundation
import Handlers
import Layout
import TouchKit

/// What the control socket can have touchd do, and what it tells.
extension Daemon {
    /// Opens the control socket, if there is to be one.
    ///
    /// - Throws: Why it cannot be had, if it was asked for at a path. A service without it delivers touches, and logs why.
    func startControl() throws {
        guard let wanted = options.control else { return publishToLog() }
        do {
            guard
                let socket = try ListeningSocket.passed()
                    ?? Self.path(of: wanted).map({ try ListeningSocket(path: $0) })
            else { return publishToLog() }
            control = ControlServer(socket: socket, loop: loop, logger: logger) {
                [unowned self] (request, client) throws(ControlError) in try perform(request, client)
            }
            runner.publisher = control
        } catch {
            if case .path = wanted { throw error }
            logger.error("no program can talk to touchd: \(error)", metadata: MessageID.controlRefused.metadata)
        }
    }

    private func publishToLog() {
        loggedPublisher = LoggedPublisher(logger)
        runner.publisher = loggedPublisher
    }

    private static func path(of control: Options.Control) -> String? {
        switch control {
        case .path(let path): path
        case .service: ControlAddress.ofService
        }
    }

    // MARK: What is told

    /// Tells of a device.
    func publish(_ change: DeviceChange) {
        let (what, device, reason): (String, DeviceInfo, String?) =
            switch change {
            case .added(let device): ("added", device, nil)
            case .notGrabbed(let device, let error): ("added", device, "\(error)")
            case .removed(let device): ("removed", device, nil)
            case .ignored(let device): ("ignored", device, nil)
            case .failed(let device): ("failed", device, StatusReport.Device(device).reason)
            }
        control?.publish(.devices) {
            let reason = reason.map { ", \"reason\": \(JSONText.quoted($0))" } ?? ""
            return """
                {"event": "device", "change": "\(what)", "name": \(JSONText.quoted(device.description.name)), \
                "path": \(JSONText.quoted(device.path))\(reason)}
                """
        }
    }

    /// Notes that a page is shown, and tells of it.
    func showed(page: String) {
        statusLine.setNeedsUpdate()
        control?.publish(.pages) { "{\"event\": \"page\", \"page\": \(JSONText.quoted(page))}" }
    }

    /// Tells that a layout was loaded.
    func publishLayout(_ path: String) {
        control?.publish(.pages) { "{\"event\": \"layout\", \"layout\": \(JSONText.quoted(path))}" }
    }

    // MARK: What is done

    private func perform(_ request: ControlRequest, _ client: ControlClient) throws(ControlError) -> JSONValue {
        switch request {
        case .subscribe(let topics, let moves):
            client.topics = topics
            client.wantsMoves = moves
            if topics.contains(.inspection) { inspect() }
            return .object(["to": .array(topics.names.map { .string($0) }), "moves": .bool(moves)])
        case .status: return .encoding(report)
        case .reload:
            let answer = client.answerLater()
            reload { [hasLayout = options.layout != nil] refusal in
                let error = refusal.map { ControlError(hasLayout ? .layoutRefused : .unavailable, $0) }
                answer(error.map { .failure($0) } ?? .success(.object([:])))
            }
        case .go(let page): try change { (scene) throws(SceneError) in try scene.go(to: page) }
        case .show(let id): try change { (scene) throws(SceneError) in try scene.setHidden(false, of: id) }
        case .hide(let id): try change { (scene) throws(SceneError) in try scene.setHidden(true, of: id) }
        case .enable(let id): try change { (scene) throws(SceneError) in try scene.setEnabled(true, of: id) }
        case .disable(let id): try change { (scene) throws(SceneError) in try scene.setEnabled(false, of: id) }
        case .ignore(0): runner.touchBreak.finish()
        case .ignore(let seconds): runner.touchBreak.begin(for: seconds)
        case .layout: return try layoutState()
        case .devices: return deviceStates
        case .recording(let source, let part): return try recording(of: source, part: part, for: client)
        case .hit(let x, let y, let screen): return try hit(CGPoint(x: x, y: y), onScreen: screen)
        }
        return .object([:])
    }

    /// Changes what the layout at work shows.
    private func change(_ change: (Scene) throws(SceneError) -> Void) throws(ControlError) {
        guard let scene else {
            throw ControlError(.unavailable, "this program has no layout with pages and named views")
        }
        do throws(SceneError) {
            try change(scene)
        } catch {
            throw ControlError(ControlError.Code(error), "\(error)")
        }
        inspection?.tellChanges()
    }

    private func hit(_ point: CGPoint, onScreen screen: String?) throws(ControlError) -> JSONValue {
        guard let scene else {
            throw ControlError(.unavailable, "this program has no layout with pages and named views")
        }
        guard let report = scene.hit(point, onScreen: screen, tellsOutside: false) else {
            throw ControlError(.wrongArgument, "the layout has no screen '\(screen ?? "")'")
        }
        return .encoding(report)
    }
}

extension ControlError.Code {
    fileprivate init(_ error: SceneError) {
        switch error {
        case .noPage: self = .noSuchPage
        case .noView: self = .noSuchView
        case .noToggle, .pagesWithoutEnd: self = .wrongArgument
        }
    }
}
