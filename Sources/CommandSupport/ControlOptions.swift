import ControlProtocol
import ArgumentParser
import Foundation
import Layout

/// The options of all commands that connect to a running touchd.
package struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The control socket of the running touchd.", valueName: "path"),
        completion: .file())
    package var socket = ControlAddress.ofClient

    package init() {}

    /// Runs a closure with a connection and exits with a status of `sysexits.h` if it fails.
    package func run(timeout: Duration = .seconds(5), _ body: (ControlConnection) throws -> Void) throws {
        try CommandFailure.reporting { try body(ControlConnection(path: socket, timeout: timeout)) }
    }

    /// Sends a command to touchd and waits until it is done.
    package func send(_ command: LayoutCommand, timeout: Duration = .seconds(5)) throws {
        try run(timeout: timeout) { try $0.send(.command(command)) }
    }
}
