import ArgumentParser

/// The options of commands that read one device of a recording.
struct RecordedDeviceChoice: ParsableArguments {
    @Option(help: .file("The recording's device description, if it is in a separate file."), completion: .file())
    var description: String?

    @Option(
        help: ArgumentHelp(
            "The device, if the recording has several: its number, or its name with the wildcards * and ?.",
            valueName: "name|number"))
    var device: String?
}
