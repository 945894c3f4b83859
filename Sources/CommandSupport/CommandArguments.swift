import ArgumentParser
import Basics
import CLinux
import Foundation

extension ParsableCommand {
    /// The label of ArgumentParser's errors: that of all others.
    package static var _errorLabel: String { "error" }

    /// Runs the command that the process's arguments name; an error if they cannot be read.
    ///
    /// Swift finds them by /proc/self/maps. Without it a command would print its help and succeed.
    package static func mainWithArguments() {
        guard !CommandLine.arguments.isEmpty else {
            StandardError.write(
                line: "cannot read the command line: /proc is not mounted; run: mount -t proc proc /proc")
            exit(withError: ExitCode(EX_OSERR))
        }
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch  where exitCode(for: error) != .success {
            exit(withError: error)
        } catch {
            // The help, the version or a completion script.
            print(fullMessage(for: error))
        }
        guard flush_standard_output() else { exit(withError: CommandFailure.report(UnavailableError.noOutput())) }
    }
}
