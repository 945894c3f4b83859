import Evdev

/// The options of a daemon.
public nonisolated struct DaemonOptions: Sendable {
    /// Where touches come from.
    public enum Source: Sendable {
        /// The touchscreens and mice of this machine, including those plugged in later.
        case devices
        /// A recording, decoded like live devices.
        ///
        /// If it contains several devices, `device` is the number or the name of the one to play; nil selects a
        /// touchscreen with events.
        case recording(path: String, description: String?, speed: RecordingPlayer.Speed, device: String? = nil)

        /// Whether timestamps are on this machine's clock, not a recording's.
        var isLive: Bool {
            if case .devices = self { true } else { false }
        }
    }

    /// The layout's path; nil if the program creates its windows itself.
    public var layout: String?
    /// Where touches come from.
    public var source: Source
    /// The format of delivered touches; nil for no output.
    public var output: OutputFormat?

    /// The maximum number of moves per touch and second in text or journal output; 0 for none. Nil uses the layout's
    /// value for the journal and 0 for text. JSON contains all moves.
    public var movesPerSecond: Int?
    /// The location of the control socket; nil for none, unless systemd passes a socket.
    public var control: Control?
    /// The folder for the last layout without errors, with which the daemon starts if the layout has an error; nil to
    /// fail instead.
    public var stateDirectory: String?

    /// The location of the control socket.
    public enum Control: Sendable, Equatable {
        /// At a path; the run fails without it.
        case path(String)
        /// In the service's `RuntimeDirectory=`, or a socket that systemd passed. Touches are delivered even if it
        /// cannot be opened.
        case service
    }

    /// Creates options; the defaults suit a program that creates its windows and reads this machine's devices.
    public init(layout: String? = nil, source: Source = .devices, output: OutputFormat? = nil) {
        self.layout = layout
        self.source = source
        self.output = output
    }
}

nonisolated extension DaemonOptions {
    /// Parses the launch arguments that programs share with `touchd run`: `--replay FILE` plays a recording instead of
    /// reading devices, and `--speed` sets its speed, a number or `max`. Other arguments are ignored and belong to the
    /// program.
    ///
    /// - Parameter launchArguments: `CommandLine.arguments`; the first, the program's name, is skipped.
    /// - Throws: `LaunchArgumentError` if one of the two has no value or the speed is invalid.
    public init(launchArguments: [String]) throws(LaunchArgumentError) {
        self.init()
        guard let path = try Self.value(of: "--replay", in: launchArguments) else { return }
        var speed = RecordingPlayer.Speed.recorded
        if let text = try Self.value(of: "--speed", in: launchArguments) {
            guard let given = RecordingPlayer.Speed(text) else { throw .notASpeed(text) }
            speed = given
        }
        source = .recording(path: path, description: nil, speed: speed)
    }

    private static func value(of name: String, in arguments: [String]) throws(LaunchArgumentError) -> String? {
        guard let place = arguments.dropFirst().firstIndex(of: name) else { return nil }
        guard place + 1 < arguments.endIndex else { throw .withoutValue(name) }
        return arguments[place + 1]
    }
}

/// An invalid launch argument.
public nonisolated enum LaunchArgumentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The argument is the last one, so its value is missing.
    case withoutValue(String)
    /// The value of `--speed` is invalid.
    case notASpeed(String)

    /// The message for the user.
    public var description: String {
        switch self {
        case .withoutValue(let name):
            "\(name) needs \(name == "--replay" ? "a file" : "a speed, such as 'max'")"
        case .notASpeed(let text): "--speed must be a number above 0, or max (got '\(text)')"
        }
    }
}
