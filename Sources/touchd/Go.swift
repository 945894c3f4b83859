import ArgumentParser
import CommandSupport

/// `touchd go`.
struct Go: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a page of the running layout.")

    @Argument(help: "The page's name.")
    var page: String

    @OptionGroup var control: ControlOptions

    func run() throws { try control.send(.go(page: page)) }
}
