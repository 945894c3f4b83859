import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import EventLoop
import Foundation
import Layout
import Evdev
import Service
import TouchKit

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Deliver touches until SIGTERM or Ctrl-C.",
        discussion: """
            Touches come from this machine's touchscreens and mice, or with --replay from a recording: evemu text, the \
            YAML of 'libinput record' or the output of evtest, gzipped or not. SIGHUP reloads the layout; in a terminal, which sends it when it closes, it ends the run.

            Watch a panel of another machine:
              ssh kiosk touchd record | touchd run --layout touchd.yaml --replay -
            """)

    @OptionGroup var layout: LayoutOption

    @OptionGroup var recording: RecordingOptions

    @Argument(help: .hidden)
    var file: String?

    @Option(
        help: ArgumentHelp("The replay speed: 1 is the recorded speed, 10 is ten times as fast, max is without pauses.")
    )
    var speed: RecordingPlayer.Speed = .recorded

    @Option(help: "The format of the output: text (default) and json go to standard output, journal to journald.")
    var format: OutputFormat?

    /// The old name of --format, accepted throughout 1.x: units of kiosks pass it.
    @Option(name: .shortAndLong, help: .hidden)
    var output: String?

    @Option(
        help: ArgumentHelp(
            """
            The maximum number of moves to write per touch and second, as text or to the journal. Default: 0 for text, the \
            layout's 'journal' key for the journal. json always has all moves.
            """, valueName: "number"))
    var moves: Int?

    @Option(
        help: ArgumentHelp(
            """
            The path of the control socket to create, for 'touchd monitor', 'touchd status' and others. As a service, \
            touchd creates it in its runtime directory.
            """, valueName: "path"),
        completion: .file())
    var control: String?

    /// Accepted for one version: the drop-in touchd-metrics.conf of a kiosk passes it, and would fail every start.
    @Option(help: .hidden)
    var metricsFile: String?

    func validate() throws {
        if let file { throw ValidationError("run takes no file; did you mean 'touchd run --layout \(file)'?") }
        guard (0...1000).contains(moves ?? 0) else {
            throw ValidationError("--moves must be from 0 to 1000 moves a second")
        }
        if speed != .recorded, recording.replay == nil {
            throw ValidationError("--speed needs a recording; add --replay FILE")
        }
        if let output, OutputFormat(rawValue: output) == nil {
            throw ValidationError(
                "run writes no file '\(output)'; redirect its output, or choose --format text, json or journal")
        }
        if output != nil, format != nil { throw ValidationError("--output is the old name of --format; remove it") }
        if moves != nil, chosenFormat == .json {
            throw ValidationError("json always has all moves; remove --moves, or choose another --format")
        }
    }

    private var chosenFormat: OutputFormat { output.flatMap { OutputFormat(rawValue: $0) } ?? format ?? .text }

    func run() throws {
        FirstProcess.continueInChild()
        if metricsFile != nil {
            StandardError.write(line: "warning: '--metrics-file' is ignored; enable touchd-metrics.timer")
        }
        let format = chosenFormat
        if output != nil, isatty(STDERR_FILENO) == 1 { CommandFailure.warn(ofOldName: "--output", "--format") }
        let recorded = recording.recorded
        let source = recording.replay.map {
            Daemon.Options.Source.recording(
                path: $0, description: recorded.description, speed: speed, device: recorded.device)
        }
        var options = Daemon.Options(layout: layout.path, source: source ?? .devices, output: format)
        options.movesPerSecond = moves
        options.control = control.map { .path($0) } ?? .service
        // systemd sets it for StateDirectory= (systemd.exec(5)).
        options.stateDirectory = ProcessInfo.processInfo.environment["STATE_DIRECTORY"]
        MallocArenas.limitToOne()
        // The main thread parses and runs the command line, before any other thread exists.
        try CommandFailure.reporting { try MainActor.assumeIsolated { try Daemon(options).run() } }
        if format != .journal, Self.isReaderGone { throw ExitCode(128 + SIGPIPE) }
    }

    /// Whether nobody can read standard output any more. The daemon ignores SIGPIPE, which would lose the ends of touches.
    private static var isReaderGone: Bool {
        var stream = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&stream, 1, 0) == 1 && stream.revents & Int16(POLLERR) != 0
    }
}

extension OutputFormat: ExpressibleByArgument {}

extension RecordingPlayer.Speed: ExpressibleByArgument {
    /// The default in the help.
    public var defaultValueDescription: String { "1" }

    /// `max`, or a number above 0.
    public init?(argument: String) { self.init(argument) }
}
