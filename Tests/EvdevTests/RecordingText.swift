import Evdev
import EventLoop
import Foundation
import Testing

/// The header of a recording of a ten-finger panel of 100 × 100 units.
let panelHeader = """
    N: panel
    P: 02
    A: 2f 0 9 0 0
    A: 35 0 99 0 0
    A: 36 0 99 0 0
    A: 39 0 65535 0 0

    """

/// A temporary folder of this test run, removed at its end.
private let temporaryFiles: URL = {
    atexit { try? FileManager.default.removeItem(at: temporaryFiles) }
    return FileManager.default.temporaryDirectory.appendingPathComponent("touchd-evdev-tests-\(getpid())")
}()

/// Writes a file into the temporary folder of this test run and returns its path.
func temporaryFile(_ text: String) throws -> String {
    try FileManager.default.createDirectory(at: temporaryFiles, withIntermediateDirectories: true)
    let file = temporaryFiles.appendingPathComponent("\(fnv1a(text)).recording")
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
}

/// The device and the events of a recording.
func read(
    _ path: String, description: String? = nil, device: String? = nil
) throws -> (description: DeviceDescription, events: [InputEvent]) {
    var reader = try RecordingReader(path: path, description: description, device: device)
    var events: [InputEvent] = []
    while let event = try reader.next() { events.append(event) }
    return (reader.description, events)
}

func read(text: String) throws -> (description: DeviceDescription, events: [InputEvent]) {
    try read(temporaryFile(text))
}

/// The error of a text that is not a recording, after the file's path.
func error(of text: String, device: String? = nil) throws -> String? {
    let path = try temporaryFile(text)
    let error = #expect(throws: RecordingError.self) { _ = try read(path, device: device) }
    return error.map { String($0.description.dropFirst(path.count)) }
}

/// Plays a recording to its end, and returns its player.
@discardableResult
func played(
    _ path: String, description: String? = nil, speed: RecordingPlayer.Speed = .maximum, rules: [DeviceRule] = [],
    history: TouchHistory? = nil, on loop: EpollRunLoop? = nil, onFrame: @escaping (borrowing InputFrame) -> Void
) throws -> RecordingPlayer {
    let loop = try loop ?? EpollRunLoop()
    var ends = 0
    let player = RecordingPlayer(
        try RecordingReader(path: path, description: description), path: path, loop: loop, speed: speed, rules: rules,
        onFrame: onFrame,
        onEnd: { error in
            #expect(error == nil)
            ends += 1
            loop.stop()
        })
    player.history = history
    player.start()
    #expect(ends == 0)
    // A stalled loop has nothing left to wait for, or waits for ever.
    #expect(loop.run(until: .after(.seconds(600))) == .stopped)
    #expect(ends == 1)
    return player
}
