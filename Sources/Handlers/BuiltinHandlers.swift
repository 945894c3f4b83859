import Foundation
import Evdev
import EventLoop
import Logging
import TouchKit

/// Makes the handlers that a layout can describe without a line of code.
public struct BuiltinHandlers {
    private let logger: Logger
    private let commands: CommandRunner
    private let deviceName: (DeviceID) -> String

    /// Makes a maker of handlers.
    ///
    /// - Parameters:
    ///   - loop: Reports the end of the programs that `exec` starts.
    ///   - logger: Takes what `log` writes, and what goes wrong with `exec`.
    ///   - deviceName: Names a device for people.
    public init(loop: EpollRunLoop, logger: Logger, deviceName: @escaping (DeviceID) -> String) {
        self.logger = logger
        self.deviceName = deviceName
        commands = CommandRunner(loop: loop, logger: logger)
    }

    /// Writes an entry with a text of the layout's, or with the touch's facts where it has none.
    func log(message: String?, handler: String = "log") -> HandlerRegistry.Handler {
        { [logger, deviceName] touch, _ in
            let facts = TouchFacts(touch, deviceName: deviceName(touch.device))
            logger.notice(
                "\(message ?? "touch \(facts.touch) \(facts.phase.word) on \(facts.view ?? "no view")")",
                metadata: facts.metadata.merging(["TOUCHD_HANDLER": "\(handler)"]) { $1 })
        }
    }

    /// Starts a program and leaves it; its end is only looked at when it failed.
    func exec(_ arguments: [String], handler: String) -> HandlerRegistry.Handler {
        let command = CommandRunner.Command(handler: handler, arguments: arguments)
        return { [commands, deviceName] touch, _ in
            let facts = TouchFacts(touch, deviceName: deviceName(touch.device))
            commands.start(command, environment: facts.environment)
        }
    }
}

extension TouchFacts {
    /// The facts under the names of the journal's fields and of a command's environment variables.
    public var fields: [(name: String, value: String)] {
        [
            ("TOUCHD_TOUCH", "\(touch)"),
            ("TOUCHD_PHASE", phase.word),
            ("TOUCHD_VIEW", view ?? ""),
            ("TOUCHD_X", Self.coordinate(location.x)),
            ("TOUCHD_Y", Self.coordinate(location.y)),
            ("TOUCHD_DEVICE", device),
            ("TOUCHD_TIME", timestamp),
        ]
    }

    /// A coordinate in points, to the hundredth: finer than any panel, and short enough to read.
    public static func coordinate(_ value: CGFloat) -> String { "\((value * 100).rounded() / 100)" }

    fileprivate var environment: [String] { fields.map { "\($0.name)=\($0.value)" } }

    fileprivate var metadata: Logger.Metadata {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.name, .string($0.value)) })
    }
}
