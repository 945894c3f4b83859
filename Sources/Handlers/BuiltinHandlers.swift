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
