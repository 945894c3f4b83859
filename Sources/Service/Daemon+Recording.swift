import Recordings
import ControlProtocol
import EventLoop
import Evdev
import Handlers
import Layout
import TouchKit

/// The last minutes, which are kept where the layout says so, and given to those who ask at the control socket.
extension Daemon {
    /// A recording that is being given to a client, piece by piece.
    struct GivenRecording {
        weak var client: ControlSession?
        /// The number of the next piece.
        var part: Int
        var recording: KeptRecording
    }

    /// So much is written in one pass of the loop: half a thousand lines.
    private static let pieceOfRecording = 16 * 1024

    /// Begins to keep what a layout asks for, or stops; what was kept is forgotten, as other views may have been private.
    func keepTouches(_ spec: RecordingSpec?) {
        givenRecording = nil
        history = spec.map { spec in
            TouchHistory(span: spec.span) { [unowned self] in isPrivate($0, of: $1) }
        }
        monitor?.contactObserver = history?.opened
        player?.history = history
        // So that the first touch does not wait until all views were looked through.
        if history != nil { _ = scene?.isPrivate(.zero, on: .main) }
    }

    /// Whether a contact is at a private place, before its view is even looked for.
    private func isPrivate(_ contact: Contact, of device: DeviceID) -> Bool {
        let screen = application.screen(for: device)
        return scene?.isPrivate(screen.location(of: contact.position), on: screen) == true
    }

    /// Reveals a touch that begins in public; conceals it where it turns out to be private: what was shown when it was
    /// reported is not always what is shown when it is delivered, and a view elsewhere may redirect to a private one.
    func judge(_ delivery: TouchDelivery, for history: TouchHistory) {
        let touch = delivery.touch
        guard let contact = touch.contact else { return }
        let place = touch.view ?? touch.window
        if place?.outermostPrivate != nil || scene?.isPrivate(touch.location(in: nil), on: touch.screen) != false {
            history.conceal(contact, of: touch.device)
        } else if delivery.phase == .began {
            history.reveal(contact, of: touch.device)
        }
    }

    /// Answers a piece of a touchscreen's last minutes.
    ///
    /// The first piece is of how it is at that moment, and so are those that follow it.
    func recording(of source: UInt32?, part: Int, for client: ControlSession) throws(ControlError) -> JSONValue {
        if part == 0 {
            givenRecording = GivenRecording(client: client, part: 0, recording: try recording(of: source))
        }
        guard var given = givenRecording, given.client === client, given.part == part else {
            throw ControlError(
                .unavailable,
                "part \(part) is not the next one, or somebody else has asked meanwhile; begin with part 0")
        }
        givenRecording = nil
        let text = given.recording.next(bytes: Self.pieceOfRecording)
        var answer: [String: JSONValue] = [
            "source": .number(Double(given.recording.device.id.rawValue)),
            "name": .string(given.recording.device.description.name), "text": .string(text),
        ]
        if !given.recording.isAtEnd {
            given.part += 1
            answer["next"] = .number(Double(given.part))
            givenRecording = given
        }
        return .object(answer)
    }

    private func recording(of source: UInt32?) throws(ControlError) -> KeptRecording {
        guard let history else {
            throw ControlError(
                .unavailable, "nothing is kept of the last minutes; write recording: {keep: 5 min} into the layout")
        }
        let sources = history.sources
        let choice = sources.map { "\($0.id.rawValue) (\($0.description.name))" }.joined(separator: ", ")
        guard let device = source.map({ DeviceID(rawValue: $0) }) ?? sources.first?.id else {
            throw ControlError(.unavailable, "no touchscreen is used, so nothing is kept")
        }
        guard source != nil || sources.count == 1 else {
            throw ControlError(.wrongArgument, "there are several touchscreens: \(choice); name one as \"source\"")
        }
        let now = player?.lastTime ?? InputTimestamp(microseconds: Deadline.now.nanoseconds / 1000)
        guard let recording = history.recording(of: device, at: now) else {
            throw ControlError(
                .wrongArgument, "nothing is kept of a source \(device.rawValue); touchscreens are \(choice)")
        }
        return recording
    }
}
