import ArgumentParser
import CommandSupport

// The commands of `LayoutCommand`, from the command line.

/// `touchd go`.
struct Go: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a page of the running layout.")

    @Argument(help: "The page's name.")
    var page: String

    @OptionGroup var control: ControlOptions

    func run() throws { try control.send(.go(page: page)) }
}

/// `touchd show`.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Have a hidden view take touches again.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.show(view: target.view)) }
}

/// `touchd hide`.
struct Hide: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hide a view: it and the views in it take no new touches. Touches that are down on it continue.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.hide(view: target.view)) }
}

/// `touchd enable`.
struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Have a disabled view take touches again.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.enable(view: target.view)) }
}

/// `touchd disable`.
struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have a view take no touches; what is behind it gets them.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.disable(view: target.view)) }
}

/// `touchd toggle`.
struct Toggle: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch a toggle on or off without running its handlers; hide or show any other view.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.toggle(view: target.view)) }
}

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

/// `touchd reload`.
struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have the running touchd read its layout again.",
        discussion: """
            Returns when the new layout is at work; what is down is cancelled. One with a mistake is refused with exit \
            status 65 and all of its mistakes, and the layout before it stays.
            """)

    @OptionGroup var control: ControlOptions

    /// The timeout of a reload: a layout of 50,000 views takes a slow machine several seconds. The unit's limit,
    /// TimeoutStartSec=, is a minute.
    private static let timeout = Duration.seconds(55)

    func run() throws { try control.send(.reload, timeout: Self.timeout) }
}

/// A view of the running layout.
struct ViewTarget: ParsableArguments {
    @Argument(help: "The view's id in the layout.")
    var view: String

    @OptionGroup var control: ControlOptions
}
