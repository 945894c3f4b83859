import ArgumentParser
import CommandSupport

/// `touchd reload`.
struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have the running touchd read its layout again.",
        discussion: """
            Returns when the new layout is at work; what is down is cancelled. One with a mistake is refused with exit \
            status 65 and all of its mistakes, and the layout before it stays.
            """)

    @OptionGroup var control: ControlOptions

    /// A layout of 50,000 views takes a slow machine some seconds. The unit's own limit, TimeoutStartSec=, is a minute.
    private static let patience = Duration.seconds(55)

    func run() throws { try control.send(.reload, patience: Self.patience) }
}
