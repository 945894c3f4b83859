import Recordings
import ControlProtocol
import EventLoop
import Evdev
import Handlers
import Layout
import TouchKit

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
        guard let history = events.history else {
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
        let now = events.player?.lastTime ?? .now
        guard let recording = history.recording(of: device, at: now) else {
            throw ControlError(
                .wrongArgument, "unknown source \(device.rawValue); the touchscreens are \(choice)")
        }
        return recording
    }
}
