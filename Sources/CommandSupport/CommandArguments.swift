import ArgumentParser
import Basics
import Foundation

extension ParsableCommand {
    /// Runs the command that the process's arguments name; an error if they cannot be read.
    ///
    /// Swift finds them by /proc/self/maps. Without it a command would print its help and succeed.
    package static func mainWithArguments() {
        guard !CommandLine.arguments.isEmpty else {
            StandardError.write(
                line: "cannot read the command line: /proc is not mounted; run: mount -t proc proc /proc")
            exit(withError: ExitCode(EX_OSERR))
        }
        main(nil)
    }
}
