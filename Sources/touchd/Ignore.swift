import ArgumentParser
import CommandSupport

/// `touchd ignore`.
struct Ignore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Throw touches away for a while, as for cleaning the screen.",
        discussion:
            "What is down is cancelled. Of several times the one that ends last counts; 'touchd ignore 0' ends it.")

    @Argument(help: "For how many seconds, up to 86400; 0 to take touches again.")
    var seconds: Double

    @OptionGroup var control: ControlOptions

    func run() throws { try control.send(.ignore(seconds: seconds)) }
}
