import Evdev

extension DeviceRole {
    /// The kind and touch protocol of the device, as commands print them.
    var words: String { touchProtocol.map { "\(kind.rawValue), \($0.rawValue)" } ?? kind.rawValue }
}
