/// A part of a touchscreen's last minutes: the answer to the request `recording`.
package struct RecordingPart: Codable, Sendable {
    /// The touchscreen's number in `devices`.
    package var source: UInt32
    /// Its name.
    package var name: String
    /// The part as evemu text.
    package var text: String
    /// The number of the next part; nil in the last one.
    package var next: Int?

    /// Creates the last part.
    package init(source: UInt32, name: String, text: String) {
        (self.source, self.name, self.text) = (source, name, text)
    }
}
