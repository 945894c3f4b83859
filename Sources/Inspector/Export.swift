import ControlProtocol

/// A recording of a touchscreen's last minutes, as the page offers it for a bug report.
nonisolated struct RecordingExport: Codable, Equatable {
    /// What it is to be called: a name without anything that a file's name cannot have.
    var file: String
    /// evemu text; contacts in private views are left out by touchd.
    var text: String

    /// Which touchscreen the page asks for; the only one without a number.
    struct Question: Decodable, Equatable {
        var source: UInt32?
    }

    /// Asks a running touchd.
    init(of source: UInt32?, from connection: ControlConnection) throws {
        var text = ""
        try connection.recording(of: source) { text += $0 }
        file = source.map { "touches-\($0).evemu" } ?? "touches.evemu"
        self.text = text
    }
}
