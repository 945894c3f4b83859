import Foundation
import Reports
import Testing

/// Parsing the exports of journalctl.
@Suite struct JournalRecordReaderTests {
    private func records(_ data: Data) throws -> [JournalRecord] {
        let file = FileManager.default.temporaryDirectory.appending(path: "touchd-journal-\(UUID().uuidString)")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var reader = try JournalRecordReader(path: file.path)
        var records: [JournalRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private func records(_ text: String) throws -> [JournalRecord] { try records(Data(text.utf8)) }

    @Test("the export format has a field per line and empty lines between entries")
    func export() throws {
        let records = try records("__REALTIME_TIMESTAMP=2500000\nTOUCHD_VIEW=a=b\n\n\nTOUCHD_X=1.5\nTOUCHD_Y=-2\n")
        #expect(records.count == 2)
        #expect(records[0]["TOUCHD_VIEW"] == "a=b")
        #expect(records[0].date == Date(timeIntervalSince1970: 2.5))
        #expect(records[0].location == nil)
        #expect(records[1].location == CGPoint(x: 1.5, y: -2))
    }

    @Test("a binary field has a length, and is left out if it is not text")
    func binary() throws {
        var data = Data("MESSAGE\n".utf8)
        data += [3, 0, 0, 0, 0, 0, 0, 0] + Array("a\nb\n".utf8)
        data += Array("RAW\n".utf8) + [1, 0, 0, 0, 0, 0, 0, 0, 0xFF, 10]
        data += Array("TOUCHD_PHASE=began\n\n".utf8)
        let records = try records(data)
        #expect(records == [JournalRecord(fields: ["MESSAGE": "a\nb", "TOUCHD_PHASE": "began"])])
    }

    @Test("the JSON format has an object per line, and the last of several values")
    func json() throws {
        let records = try records(
            #"{"TOUCHD_VIEW":"a","TOUCHD_HANDLER":["x","y"],"RAW":[255,1],"BIG":null}"# + "\n\n"
                + #"{"TOUCHD_VIEW":"b"}"#)
        #expect(records.map(\.fields) == [["TOUCHD_VIEW": "a", "TOUCHD_HANDLER": "y"], ["TOUCHD_VIEW": "b"]])
    }

    @Test("a name that journalctl writes as bytes is the same in both formats")
    func bytes() throws {
        let json = try records(
            #"{"TOUCHD_VIEW":[97,27,98],"TOUCHD_HANDLER":["x",[195,164,10]],"BAD":[97,256],"OF":[]}"#)
        var data = Data("TOUCHD_VIEW=a\u{1B}b\nTOUCHD_HANDLER\n".utf8)
        data += [3, 0, 0, 0, 0, 0, 0, 0] + Array("ä\n\n\n".utf8)
        #expect(try json == records(data))
    }

    @Test(
        "an invalid export is rejected with the number of the entry",
        arguments: [
            ("{\"a\":\"b\"}\n{oops\n", 2), ("A=b\n\nMESSAGE\n12", 2), ("A\n\u{1}\0\0\0\0\0\0\0xy", 1),
            ("A\n\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}", 1),
        ])
    func malformed(text: String, entry: Int) {
        let error = #expect(throws: JournalError.self) { try records(text) }
        guard case .malformed(_, let number, _) = error else {
            Issue.record("not malformed: \(String(describing: error))")
            return
        }
        #expect(number == entry)
    }

    @Test("a line of many megabytes affects only its own entry")
    func longLine() throws {
        let records = try records("A=1\nX=" + String(repeating: "x", count: 5_000_000) + "\nB=1\n\n")
        #expect(records == [JournalRecord(fields: ["A": "1", "B": "1"])])
    }

    @Test("an empty journal has no entries, and a missing one is an error")
    func emptyAndMissing() throws {
        #expect(try records("") == [])
        let error = #expect(throws: JournalError.self) { _ = try JournalRecordReader(path: "/nonexistent/journal") }
        #expect(error?.description.contains("No such file or directory") == true)
    }
}
