import Recordings
import Evdev

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
