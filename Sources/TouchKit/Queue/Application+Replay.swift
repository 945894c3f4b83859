import Recordings
import EventLoop
import Evdev

extension Application {
    /// Delivers a whole recording synchronously; for tests.
    ///
    /// The recording takes the path of a live device's events: decoder, queue, views. Recognizers and `schedule(at:_:)`
    /// use the recording's clock, so the result is always the same and does not depend on the recording's length. After
    /// its last event, ten seconds pass on that clock, so that recognizers that still wait can finish. Use a new
    /// application for each recording, because each recording has its own clock. This method detaches the application
    /// from its run loop.
    /// - Parameters:
    ///   - path: evemu text, `libinput record` YAML or `evtest` output; may be gzipped.
    ///   - screen: the recorded device's screen.
    ///   - rules: rules for the device, as for a live one.
    /// - Throws: if the file is not a recording or becomes invalid; everything before that point is delivered.
    public func replay(_ path: String, on screen: Screen = .main, rules: [DeviceRule] = []) throws {
        let played = play(try RecordingReader(path: path), path: path, rules: rules, on: try EpollRunLoop()) { _ in
            screen
        }
        if let failure = played.failure { throw failure }
    }

    /// The result of a playback.
    package struct Played {
        /// The recorded device, as the application receives it.
        package var device: DeviceInfo
        /// The time of the last event.
        package var lastTime: InputTimestamp
        /// The error that ended the playback early.
        package var failure: RecordingError?
    }

    /// Delivers a whole recording synchronously on a run loop, then detaches from the loop, as `replay` does.
    ///
    /// - Parameter screen: returns the screen of the device.
    package func play(
        _ reader: consuming RecordingReader, path: String, rules: [DeviceRule], on loop: EpollRunLoop,
        screen: (DeviceInfo) -> Screen
    ) -> Played {
        attach(to: loop, followsClock: false)
        defer { detach() }
        var failure: RecordingError?
        let player = RecordingPlayer(
            reader, path: path, loop: loop, speed: .maximum, rules: rules,
            // Each frame is delivered at once, as `Daemon` does it: queued moves would be merged, depending on speed.
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
        // Waiting recognizers finish, as if the screen were not touched for ten more seconds.
        advanceTime(to: player.lastTime.adding(microseconds: 10_000_000))
        return Played(device: player.info, lastTime: player.lastTime, failure: failure)
    }
}
