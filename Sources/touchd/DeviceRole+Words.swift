import Evdev

extension DeviceRole {
    /// The kind of device, and how it reports touches, as commands print it.
    var words: String { touchProtocol.map { "\(kind.rawValue), \($0.rawValue)" } ?? kind.rawValue }
}
