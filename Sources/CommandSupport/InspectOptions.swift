import ArgumentParser
import Foundation

/// The options of `touchd inspect`. They are in touchd's own help and completions, and the program that it starts
/// parses them.
package struct InspectOptions: ParsableArguments {
    /// The command's purpose, as one line and in full.
    package static let abstract = "Show touches, views, gestures and handlers live in a browser."
    package static let discussion = """
        Serves one page: moving touches, the view of each touch and why it was chosen, gestures, handlers, devices. It shows \
        the running touchd, or with --replay a recording, through which a slider moves in time, with the layout. Only this machine can open \
        the page, and only with the printed link. On another machine, run 'ssh -L 8347:127.0.0.1:8347 KIOSK' and open the \
        same link there.
        """

    /// The address without `--listen`.
    package static let address = "127.0.0.1:8347"

    @OptionGroup package var control: ControlOptions

    @OptionGroup package var recording: RecordingOptions

    @OptionGroup package var layout: LayoutOption

    @Option(
        help: ArgumentHelp(
            "The address to listen at: a port of 127.0.0.1, ADDRESS:PORT, or unix:PATH.", valueName: "address"))
    // A port that IANA has not assigned.
    package var listen = Self.address

    @Option(
        help: .file(
            "A file with the token of the link (default: a new token each time). Required for an address that other machines "
                + "can reach."), completion: .file())
    package var tokenFile: String?

    @Flag(help: "Show the running touchd in this terminal instead of serving a page.")
    package var terminal = false

    package init() {}
}
