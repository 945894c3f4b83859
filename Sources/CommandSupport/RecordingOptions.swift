import ArgumentParser
import Evdev

/// The options of commands that read one device of a recording.
package struct RecordedDeviceChoice: ParsableArguments {
    @Option(help: .file("The recording's device description, if it is in a separate file."), completion: .file())
    package var description: String?

    @Option(
        help: ArgumentHelp(
            "The device, if the recording has several: its number, or its name with the wildcards * and ?.",
            valueName: "name|number"),
        completion: .custom { words, _, _ in RecordedDevice.names(inFirstOf: words) })
    package var device: String?

    package init() {}
}

/// The options of commands that read a recording instead of what is running.
package struct RecordingOptions: ParsableArguments {
    @Option(help: .file("Read touches from a recording instead; - is standard input."), completion: .file())
    package var replay: String?

    @OptionGroup package var recorded: RecordedDeviceChoice

    package init() {}

    package func validate() throws {
        for (option, value) in [("description", recorded.description), ("device", recorded.device)]
        where value != nil && replay == nil {
            throw ValidationError("--\(option) needs a recording; add --replay FILE")
        }
    }
}
