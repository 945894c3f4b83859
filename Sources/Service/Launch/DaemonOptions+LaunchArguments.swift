import Recordings
import Evdev

nonisolated extension DaemonOptions {
    /// What a program that reads its launch arguments understands of them, in the words of `touchd run`: `--replay FILE`
    /// for a recording in place of devices, and with it `--speed`, a number or `max`. All others are the program's own.
    ///
    /// - Parameter launchArguments: `CommandLine.arguments`; the first, which is the program's name, is passed over.
    /// - Throws: where one of the two says nothing, or no speed.
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

/// A launch argument that a program cannot be started with.
public nonisolated enum LaunchArgumentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It stands at the end, where its value should follow.
    case withoutValue(String)
    /// What follows `--speed` is no speed.
    case notASpeed(String)

    /// The mistake in the user's words.
    public var description: String {
        switch self {
        case .withoutValue(let name):
            "\(name) needs \(name == "--replay" ? "a file" : "a speed, such as 'max'")"
        case .notASpeed(let text): "--speed \(text) is no speed; write a number above 0, or max"
        }
    }
}
