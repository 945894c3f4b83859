import Recordings
import Evdev

/// What a daemon is started with.
public nonisolated struct DaemonOptions: Sendable {
    /// Where touches come from.
    public enum Source: Sendable {
        /// The touchscreens and mice of this machine, those plugged in later too.
        case devices
        /// A recording, through the decoder that live devices use.
        ///
        /// Of several devices in it, `device` is the number or the name of the one to play; nil for a touchscreen with
        /// events.
        case recording(path: String, description: String?, speed: RecordingPlayer.Speed, device: String? = nil)

        /// Whether events bear this machine's time, and not a recording's.
        var isLive: Bool {
            if case .devices = self { true } else { false }
        }
    }

    /// The layout's path; nil where a program builds its windows itself.
    public var layout: String?
    /// Where touches come from.
    public var source: Source
    /// How delivered touches are written; nil where they are not.
    public var output: OutputFormat?

    /// How many moves of each touch a second are written as text or to the journal, 0 for none; nil for what the layout
    /// says of the journal, and none as text. JSON has them all.
    public var movesPerSecond: Int?
    /// Where programs connect to ask and to be told; nil where they cannot, unless systemd passes a socket.
    public var control: Control?
    /// The file that metrics are written to again and again; nil for none.
    public var metricsFile: String?

    /// Where the control socket is.
    public enum Control: Sendable, Equatable {
        /// At a path; the run does not begin without it.
        case path(String)
        /// In the directory that systemd made for the service (`RuntimeDirectory=`), or where systemd passed one; without
        /// it, touches are delivered all the same.
        case service
    }

    /// Makes options; without arguments, those of a program that builds its windows and reads this machine's devices.
    public init(layout: String? = nil, source: Source = .devices, output: OutputFormat? = nil) {
        self.layout = layout
        self.source = source
        self.output = output
    }
}
