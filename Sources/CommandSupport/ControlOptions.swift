import ArgumentParser
import ControlProtocol
import Foundation

/// The options of all commands that connect to a running touchd.
package struct ControlOptions: ParsableArguments {
    @Option(
        name: .customLong("socket"),
        help: ArgumentHelp(
            "The control socket of the running touchd (default: TOUCHD_SOCKET, or \(ControlAddress.installed)).",
            valueName: "path"),
        completion: .file())
    private var given: String?

    package init() {}

    /// The control socket's path.
    package var socket: String { given ?? ControlAddress.ofClient }

    /// Checks that the option is not given to a command that asks no service.
    package func require(_ isAsked: Bool, _ instead: String) throws {
        if given != nil, !isAsked { throw ValidationError("--socket is not used here; \(instead)") }
    }

    /// Runs a closure with a connection and exits with a status of `sysexits.h` if it fails.
    package func run(timeout: Duration = .seconds(5), _ body: (ControlConnection) throws -> Void) throws {
        try CommandFailure.reporting { try body(ControlConnection(path: socket, timeout: timeout)) }
    }

    /// Sends a command to touchd and waits until it is done.
    package func send(_ command: LayoutCommand) throws {
        try run { try $0.send(.command(command)) }
    }
}

extension ArgumentHelp {
    /// The help of a value that is the path of a file.
    package static func file(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "file") }
}
