import Recordings
import ControlProtocol
import ArgumentParser
import CommandSupport
import Foundation
import Layout
import Service

/// `touchd run`.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deliver touches until SIGTERM or Ctrl-C.",
        discussion: """
            Touches come from this machine's touchscreens and mice, or with --replay from a recording: evemu text, the \
            YAML of 'libinput record' or what evtest prints, gzipped or not. SIGHUP reads the layout again.
            """)

    @Option(
        name: [.customShort("l"), .long], help: ArgumentHelp("The layout to deliver touches to.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var layout = Run.installedLayout

    /// The path of the installed layout.
    static let installedLayout = "/etc/touchd/touchd.yaml"

    @Option(
        help: ArgumentHelp("Read touches from a recording instead of devices.", valueName: "file"), completion: .file())
    var replay: String?

    @Option(
        help: ArgumentHelp("The recording's device description, if it is in a separate file.", valueName: "file"),
        completion: .file())
    var description: String?

    @Option(
        help: ArgumentHelp(
            "Which device of a recording that holds several: its number or its name, * and ? standing for anything.",
            valueName: "name|number"))
    var device: String?

    @Option(
        help: ArgumentHelp("How fast to replay: 1 is the recording's own pace, 10 ten times it, max without pauses."))
    var speed: RecordingPlayer.Speed = .recorded

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("How to write touches: text and json to standard output, journal to journald."))
    var output: OutputFormat = .text

    @Option(
        help: ArgumentHelp(
            """
            Write so many moves of each touch a second, as text or to the journal; without this none as text, and in the \
            journal what the layout's 'journal' says. json has all of them.
            """, valueName: "number"))
    var moves: Int?

    @Option(
        help: ArgumentHelp(
            """
            Make the control socket here, for 'touchd monitor', 'status' and the like. As a service touchd makes it in \
            its runtime directory.
            """, valueName: "path"),
        completion: .file())
    var control: String?

    @Option(
        help: ArgumentHelp(
            """
            Write metrics here every 15 s, as OpenMetrics text for node_exporter's textfile collector; the name has to \
            end in .prom for that.
            """, valueName: "file"),
        completion: .file())
    var metricsFile: String?

    func validate() throws {
        guard (0...1000).contains(moves ?? 0) else {
            throw ValidationError("--moves is a number of moves a second, from 0 to 1000")
        }

        guard replay != nil || description == nil else {
            throw ValidationError("--description says what a recording's device is; add --replay FILE")
        }
        guard replay != nil || device == nil else {
            throw ValidationError("--device chooses a device of a recording; add --replay FILE")
        }
        guard replay != nil || speed == .recorded else {
            throw ValidationError("--speed is that of a recording; add --replay FILE")
        }
    }

    func run() throws {
        let source = replay.map {
            Daemon.Options.Source.recording(path: $0, description: description, speed: speed, device: device)
        }
        var options = Daemon.Options(layout: layout, source: source ?? .devices, output: output)
        options.movesPerSecond = moves
        options.control = control.map { .path($0) } ?? .service
        options.metricsFile = metricsFile
        // systemd sets it for StateDirectory= (systemd.exec(5)).
        options.stateDirectory = ProcessInfo.processInfo.environment["STATE_DIRECTORY"]
        MallocArenas.limitToOne()
        do {
            // The main thread parses and runs the command line, before any other thread exists.
            try MainActor.assumeIsolated { try Daemon(options).run() }
        } catch {
            throw CommandFailure.report(error)
        }
    }
}

extension OutputFormat: ExpressibleByArgument {}

extension RecordingPlayer.Speed: ExpressibleByArgument {
    /// The default in the help.
    public var defaultValueDescription: String { "1" }

    /// `max`, or a number above 0.
    public init?(argument: String) { self.init(argument) }
}
