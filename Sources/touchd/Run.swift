import ArgumentParser
import Evdev
import Foundation
import Layout
import Service

/// `touchd run`.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deliver touches until SIGTERM or Ctrl-C.",
        discussion: """
            Touches come from this machine's touchscreens and mice, or with --replay from a recording: evemu text or \
            the YAML of 'libinput record'. SIGHUP reads the layout again.
            """)

    @Option(
        name: [.customShort("l"), .long], help: ArgumentHelp("The layout to deliver touches to.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var layout = "/etc/touchd/touchd.yaml"

    @Option(
        help: ArgumentHelp("Read touches from a recording instead of devices.", valueName: "file"), completion: .file())
    var replay: String?

    @Option(
        help: ArgumentHelp("The recording's device description, where it is a file of its own.", valueName: "file"),
        completion: .file())
    var description: String?

    @Option(
        help: ArgumentHelp("How fast to replay: 1 is the recording's own pace, 10 ten times it, max without pauses."))
    var speed: RecordingPlayer.Speed = .recorded

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("How to write touches: text and json to standard output, journal to journald."))
    var output: OutputFormat = .text

    func validate() throws {
        guard replay != nil || description == nil else {
            throw ValidationError("--description says what a recording's device is; add --replay FILE")
        }
    }

    func run() throws {
        let source = replay.map { Daemon.Options.Source.recording(path: $0, description: description, speed: speed) }
        let options = Daemon.Options(layout: layout, source: source ?? .devices, output: output)
        do {
            // The command line is parsed and run on the main thread, before any other exists.
            try MainActor.assumeIsolated { try Daemon(options).run() }
        } catch {
            throw Failure.report(error)
        }
    }
}

extension OutputFormat: ExpressibleByArgument {}

extension RecordingPlayer.Speed: ExpressibleByArgument {
    /// `max`, or a number above 0.
    public init?(argument: String) {
        if argument == "max" {
            self = .maximum
        } else if let factor = Double(argument), factor > 0, factor.isFinite {
            self = factor == 1 ? .recorded : .factor(factor)
        } else {
            return nil
        }
    }
}
