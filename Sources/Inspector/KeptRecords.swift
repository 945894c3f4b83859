import ControlProtocol
import Recordings

/// The records of a replayed recording, as the JSON text that the page requests.
///
/// A recording has hundreds of thousands of records, and encoding all at once takes ten times the memory of their text.
nonisolated struct KeptRecords {
    /// Twice the JSON text of a 16 MB evemu recording.
    static let greatestLength = 64 << 20

    /// The records, a JSON array, once `finish()` was called.
    private(set) var json: [UInt8] = []
    /// The time of the last record that was kept; 0 at first.
    private(set) var lastTime = 0.0
    /// Whether there were more records than fit in; those are not kept.
    private(set) var isFull = false
    private let limit: Int

    /// Keeps nothing yet; `limit` is in bytes of text.
    init(limit: Int = greatestLength) {
        self.limit = limit
    }

    /// Keeps a record, unless it or one before is beyond the limit.
    mutating func add(_ record: InspectionRecord) {
        guard !isFull else { return }
        let text = record.jsonLine
        guard json.count + text.count + 2 <= limit else {
            isFull = true
            return
        }
        json.append(UInt8(ascii: json.isEmpty ? "[" : ","))
        json.append(contentsOf: text)
        lastTime = record.time
    }

    /// Ends the array.
    /// - Throws: `RecordingError.tooLong` if records are missing.
    mutating func finish(of path: String) throws(RecordingError) {
        if isFull { throw .tooLong(path: path, limit: limit, seconds: lastTime) }
        json.append(contentsOf: (json.isEmpty ? "[]" : "]").utf8)
    }
}
