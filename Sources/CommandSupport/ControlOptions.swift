import ControlProtocol
import ArgumentParser
import Foundation
import Layout

/// What all commands have in common that talk to a running touchd.
package struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The control socket of the touchd that is meant; /run/touchd/control without this.", valueName: "path"),
        completion: .file())
    package var socket = ControlAddress.ofClient

    package init() {}

    /// Talks to it, and reports what goes wrong as `sysexits.h` has it.
    package func run(patience: Duration = .seconds(5), _ body: (ControlConnection) throws -> Void) throws {
        do {
            try body(ControlConnection(path: socket, patience: patience))
        } catch {
            throw Failure.report(error)
        }
    }

    /// Has touchd perform a command.
    package func send(_ command: LayoutCommand, patience: Duration = .seconds(5)) throws {
        try run(patience: patience) { try $0.send(.command(command)) }
    }
}
