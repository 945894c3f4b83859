import ArgumentParser
import CommandSupport

/// `touchd show`, `hide`, `enable` and `disable`: what a handler can do to a view, by hand.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Have a hidden view take touches again.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.show(view: target.view)) }
}

/// `touchd hide`.
struct Hide: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hide a view: it takes no touches, and neither does what is in it. What is down on it is cancelled.")

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

/// A view of the running layout.
struct ViewTarget: ParsableArguments {
    @Argument(help: "The view's id in the layout.")
    var view: String

    @OptionGroup var control: ControlOptions
}
