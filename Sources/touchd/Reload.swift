import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import Foundation

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: LayoutCommand.Kind.reload.description.abstract,
        discussion: """
            Returns when the new layout is in use; touches that are down are cancelled. A layout with an error is refused: \
            all errors are printed, the exit status is 65, and the previous layout stays in use.
            """)

    @OptionGroup var control: ControlOptions

    /// The timeout of a reload: reading the largest layout takes a slow machine a second. The unit's limit,
    /// TimeoutStartSec=, is a minute.
    private static let timeout = Duration.seconds(55)

    func run() throws {
        try control.run(timeout: Self.timeout) { connection in
            do {
                try connection.send(.command(.reload))
            } catch let error as ControlError where error.code == .layoutRefused && StandardError.isJournal {
                // `systemctl reload`: touchd has logged the errors to the same journal.
                throw ExitCode(EX_DATAERR)
            }
        }
    }
}
