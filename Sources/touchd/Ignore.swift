import ArgumentParser
import Service

/// `touchd ignore`.
struct Ignore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Throw touches away for a while, as for cleaning the screen.",
        discussion: "What is down is cancelled. Said again it begins anew, so 'touchd ignore 0.1' ends it.")

    @Argument(help: "For how many seconds, 0.1 to 86400.")
    var seconds: Double

    @OptionGroup var control: ControlOptions

    func run() throws { try control.send(.ignore(seconds: seconds)) }
}
