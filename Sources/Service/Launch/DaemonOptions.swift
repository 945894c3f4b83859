import Recordings
import Evdev

/// The options of a daemon.
public nonisolated struct DaemonOptions: Sendable {
    /// Where touches come from.
    public enum Source: Sendable {
        /// The touchscreens and mice of this machine, including those plugged in later.
        case devices
        /// A recording, decoded like live devices.
        ///
        /// If it contains several devices, `device` is the number or the name of the one to play; nil selects a
        /// touchscreen with events.
        case recording(path: String, description: String?, speed: RecordingPlayer.Speed, device: String? = nil)

        /// Whether timestamps are on this machine's clock, not a recording's.
        var isLive: Bool {
            if case .devices = self { true } else { false }
        }
    }

    /// The layout's path; nil if the program creates its windows itself.
    public var layout: String?
    /// Where touches come from.
    public var source: Source
    /// The format of delivered touches; nil for no output.
    public var output: OutputFormat?

    /// The maximum number of moves per touch and second in text or journal output; 0 for none. Nil uses the layout's
    /// value for the journal and 0 for text. JSON contains all moves.
    public var movesPerSecond: Int?
    /// The location of the control socket; nil for none, unless systemd passes a socket.
    public var control: Control?
    /// The folder for the last layout without errors, with which the daemon starts if the layout has an error; nil to
    /// fail instead.
    public var stateDirectory: String?

    /// The location of the control socket.
    public enum Control: Sendable, Equatable {
        /// At a path; the run fails without it.
        case path(String)
        /// In the service's `RuntimeDirectory=`, or a socket that systemd passed. Touches are delivered even if it
        /// cannot be opened.
        case service
    }

    /// Creates options; the defaults suit a program that creates its windows and reads this machine's devices.
    public init(layout: String? = nil, source: Source = .devices, output: OutputFormat? = nil) {
        self.layout = layout
        self.source = source
        self.output = output
    }
}

/// The output formats for touches.
public nonisolated enum OutputFormat: String, CaseIterable, Sendable {
    /// A readable line for each touch that begins, ends or is cancelled.
    case text
    /// A JSON object per line for each phase of each touch, including moves.
    case json
    /// An entry in the systemd journal, for each touch that begins, ends or is cancelled.
    case journal
}
