import ArgumentParser
import Foundation
import Service

/// What all commands have in common that talk to a running touchd.
struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The control socket of the touchd that is meant; /run/touchd/control without this.", valueName: "path"),
        completion: .file())
    var socket = ControlAddress.ofClient

    /// Talks to it, and reports what goes wrong as `sysexits.h` has it.
    func run(patience: Duration = .seconds(5), _ body: (ControlConnection) throws -> Void) throws {
        do {
            try body(ControlConnection(path: socket, patience: patience))
        } catch {
            throw Failure.report(error)
        }
    }

    /// Sends a request whose answer says nothing more than that it was done.
    func send(_ request: ControlRequest, patience: Duration = .seconds(5)) throws {
        try run(patience: patience) { try $0.send(request) }
    }
}
