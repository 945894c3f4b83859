import ArgumentParser

/// The options of `touchd inspect`. They are in touchd's own help and completions, and the program that it starts
/// parses them.
package struct InspectOptions: ParsableArguments {
    /// The command's purpose, as one line and in full.
    package static let abstract = "Show in a browser what the screen feels."
    package static let discussion = """
        Serves one page: touches as they move, the view that each is on and why, gestures, handlers, devices. It looks at the \
        running touchd, or with --replay at a recording, whose time can be dragged back and forth. Only this machine can \
        reach it, and only with the link that is printed; from another one 'ssh -L 8347:127.0.0.1:8347 KIOSK' does, and the \
        same link.
        """

    @OptionGroup package var control: ControlOptions

    @Option(
        help: ArgumentHelp("Look at a recording instead of the running touchd.", valueName: "file"), completion: .file()
    )
    package var replay: String?

    @Option(
        help: ArgumentHelp("The recording's device description, if it is in a separate file.", valueName: "file"),
        completion: .file())
    package var description: String?

    @Option(
        name: [.customShort("l"), .long],
        help: ArgumentHelp("The layout that the recording is delivered to.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    package var layout = "/etc/touchd/touchd.yaml"

    @Option(
        help: ArgumentHelp(
            "Listen here: a port of 127.0.0.1, ADDRESS:PORT, or unix:PATH.", valueName: "address"))
    // A port that IANA has not assigned.
    package var listen = "127.0.0.1:8347"

    @Option(
        help: ArgumentHelp(
            "Take the token of the link from here; without it, a new one each time. An address that other machines reach "
                + "needs it.", valueName: "file"), completion: .file())
    package var tokenFile: String?

    @Flag(help: "Show the essentials of the running touchd in this terminal, and serve no page.")
    package var terminal = false

    package init() {}
}
