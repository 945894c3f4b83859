import ArgumentParser
import Service

/// `touchd reload`.
struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have the running touchd read its layout again.",
        discussion: """
            Returns when the new layout is at work; what is down is cancelled. One with a mistake is refused with exit \
            status 65, and the layout before it stays.
            """)

    @OptionGroup var control: ControlOptions

    func run() throws { try control.send(.reload) }
}
