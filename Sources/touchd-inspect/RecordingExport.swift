import ControlProtocol

/// A recording of a touchscreen's last minutes, which the page offers for a bug report.
struct RecordingExport: JSONRecord, Equatable {
    var file: String, text: String

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("file", "the suggested name, without characters that are invalid in file names", \.file)
        visitor.member("text", "evemu text; touchd leaves out contacts in private views", \.text)
    }

    /// Which touchscreen to export.
    struct Question: JSONMessage, Equatable {
        var source: UInt32?

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("source", "the number of the touchscreen; absent if there is only one", \.source)
        }
    }
}
