import Recordings
import EventLoop
import Evdev

extension Application {
    /// Delivers a whole recording at once, and returns when it is over; for tests.
    ///
    /// What it holds goes the way of a live device's events: through the decoder, the queue, and the views. Recognizers and
    /// `schedule(at:_:)` go by the recording's clock, so the result is the same each time, however long the recording is;
    /// after its last event ten seconds pass on that clock, for whoever waits. Make an application for each recording, as
    /// each has a clock of its own. One that was attached to a run loop no longer is afterwards.
    /// - Parameters:
    ///   - path: evemu text, the YAML of `libinput record` or what evtest prints, gzipped or not.
    ///   - screen: what the recorded device touches.
    ///   - rules: what is said of the device, as for a live one.
    /// - Throws: where the file is no recording, or ends in what is none; what comes before is delivered.
    public func replay(_ path: String, on screen: Screen = .main, rules: [DeviceRule] = []) throws {
        let played = play(try RecordingReader(path: path), path: path, rules: rules, on: try EpollRunLoop()) { _ in
            screen
        }
        if let failure = played.failure { throw failure }
    }

    /// What came of a recording that was played.
    package struct Played {
        /// The device, as a live one is told.
        package var device: DeviceInfo
        /// The time of the last event.
        package var lastTime: InputTimestamp
        /// Why it ended before its end.
        package var failure: RecordingError?
    }

    /// Delivers a whole recording at once on a run loop, and detaches from it again, as `replay` does.
    ///
    /// - Parameter screen: says what the device touches.
    package func play(
        _ reader: consuming RecordingReader, path: String, rules: [DeviceRule], on loop: EpollRunLoop,
        screen: (DeviceInfo) -> Screen
    ) -> Played {
        attach(to: loop, followsClock: false)
        defer { detach() }
        var failure: RecordingError?
        let player = RecordingPlayer(
            reader, path: path, loop: loop, speed: .maximum, rules: rules,
            // As `Daemon` does it: moves that wait together would be folded, and how many wait is a matter of speed.
            onFrame: { [self] frame in
                enqueue(frame)
                drainEvents()
            },
            onEnd: { error in
                failure = error
                loop.stop()
            })
        setScreen(screen(player.info), for: player.info.id)
        player.start()
        run(on: loop)
        // Recognizers that wait come to their end, as they would if nobody touched the screen for ten seconds more.
        advanceTime(to: InputTimestamp(microseconds: player.lastTime.microseconds + 10_000_000))
        return Played(device: player.info, lastTime: player.lastTime, failure: failure)
    }
}
