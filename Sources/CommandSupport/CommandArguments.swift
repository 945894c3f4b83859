import ArgumentParser
import Basics
import CLinux
import Foundation

extension ParsableCommand {
    /// A text of ArgumentParser at the terminal's width. Its own column for meanings has no room in a narrow terminal.
    package static func fitted(_ text: (Int) -> String) -> String {
        let columns = Terminal.columns
        let wide = text(1000)
        // Neither the version nor what is for programs is folded.
        return columns < 80 && wide.hasPrefix("OVERVIEW: ") ? wide.folded(to: columns) : text(columns)
    }

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
            print(fitted { fullMessage(for: error, columns: $0) })
        }
        guard flush_standard_output() else { exit(withError: CommandFailure.report(UnavailableError.noOutput())) }
    }
}
