/// Why a recording cannot be read: `FILE:LINE:COLUMN: error: what is wrong`.
public enum RecordingError: Error, Equatable, CustomStringConvertible {
    /// The file could not be opened or read; `reason` is the system's error text.
    case unreadable(path: String, reason: String)
    /// A line does not conform to its format; line and column count from 1.
    case malformed(path: String, line: Int, column: Int, problem: String)
    /// The recording has no description of the device, and its events do not reveal one.
    case withoutDescription(path: String)
    /// The file contains neither an event nor a description.
    case notARecording(path: String)
    /// What is kept of the recording takes more than `limit` bytes, reached after `seconds` of it.
    case tooLong(path: String, limit: Int, seconds: Double)
    /// The recording does not contain the requested device; `devices` has the number and name of each that it contains.
    case noSuchDevice(path: String, name: String, devices: [String])
    /// The recording must be read twice, and comes from a pipe.
    case needsFile(path: String, content: Content)

    /// What is read twice.
    public enum Content: Sendable {
        /// A recording of several devices.
        case severalDevices
        /// A recording without a description of its device.
        case noDescription
    }

    /// The error as the command line prints it.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path): error: cannot be read: \(reason)"
        case .malformed(let path, let line, let column, let problem):
            "\(path):\(line):\(column): error: \(problem)"
        case .withoutDescription(let path):
            "\(path): error: no device description; if this is a recording, give its description with --description FILE"
        case .notARecording(let path):
            "\(path):1:1: error: not a recording; expected evemu text, the YAML of 'libinput record' or the output of evtest"
        case .tooLong(let path, let limit, let seconds):
            "\(path): error: too long to show: it needs more than \(limit >> 20) MiB of memory (reached after "
                + "\((seconds * 10).rounded() / 10) s); split it into shorter recordings"
        case .noSuchDevice(let path, let name, let devices):
            "\(path): error: no device '\(name)' in this recording; it has \(devices.joined(separator: "; "))"
        case .needsFile(let path, .severalDevices):
            "\(path): error: a recording of several devices needs a file, not a pipe; save it to a file and read that"
        case .needsFile(let path, .noDescription):
            "\(path): error: a recording without a device description needs a file, not a pipe; save it to a file and "
                + "read that, or add --description FILE"
        }
    }
}
