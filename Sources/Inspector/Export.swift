import ControlProtocol

/// A recording of a touchscreen's last minutes, which the page offers for a bug report.
nonisolated struct RecordingExport: Codable, Equatable {
    /// The suggested name, without characters that are invalid in file names.
    var file: String
    /// evemu text; touchd leaves out contacts in private views.
    var text: String

    /// The number of the touchscreen to export; absent if there is only one.
    struct Question: Decodable, Equatable {
        var source: UInt32?
    }

    /// Requests the recording from a running touchd.
    init(of source: UInt32?, from connection: ControlConnection) throws {
        var text = ""
        try connection.recording(of: source) { text += $0 }
        file = source.map { "touches-\($0).evemu" } ?? "touches.evemu"
        self.text = text
    }
}
