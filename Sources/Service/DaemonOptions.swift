import Evdev

extension Daemon {
    /// What a daemon is started with.
    public nonisolated struct Options: Sendable {
        /// Where touches come from.
        public enum Source: Sendable {
            /// The touchscreens and mice of this machine, those plugged in later too.
            case devices
            /// A recording, through the decoder that live devices use.
            case recording(path: String, description: String?, speed: RecordingPlayer.Speed)

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

        /// Makes options; without arguments, those of a program that builds its windows and reads this machine's devices.
        public init(layout: String? = nil, source: Source = .devices, output: OutputFormat? = nil) {
            self.layout = layout
            self.source = source
            self.output = output
        }
    }
}
